#pragma once
// Compressed columns that own their memory.

#include <cstdint>
#include <memory>
#include <vector>

#include "io/tuning.hpp"
#include "sven/matrix.hpp"

namespace sven::io {

struct SparseColumns {
    std::vector<Index> offsets;
    std::unique_ptr<std::int32_t[]> rows;
    std::unique_ptr<double[]> values;

    SparseView view(Index row_count, Index column_count) const;
};

struct Triplet {
    std::int32_t row = 0;
    std::int32_t column = 0;
    double value = 0;
};

// Triplets in any order. `repeated` is set to the second of two at the same position, if any.
std::shared_ptr<SparseColumns> compress(const std::vector<Triplet>& entries, Index columns,
                                        const Triplet*& repeated);

}  // namespace sven::io
