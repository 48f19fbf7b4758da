#pragma once
// The readers of sven::io: a file to a matrix in memory.

#include <cstdint>

#include "path.hpp"

struct ReadAnswer {
    std::int64_t rows;
    std::int64_t cols;      // the target not counted
    double response_total;  // sum of the target, to see that the numbers are the file's
};

// 0, or 1 with the reason in `message`.
SVEN_COMPARE_API int sven_compare_read(const char* path, int threads, ReadAnswer* answer,
                                       char* message, std::int64_t message_size);
