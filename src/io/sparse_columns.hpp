#pragma once
// Compressed columns that own their memory.

#include <cstdint>
#include <memory>
#include <vector>

#include "sven/matrix.hpp"

namespace sven::io {

// The memory that a header may ask for without a number to show for it: a small file may have this
// many rows or columns. Beyond it, as many as it has bytes, so that memory stays in proportion to
// the input.
constexpr Index always_allowed_lines = Index{1} << 24;

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

// Triplets in any order. `repeated` is set to the second of two at the same place, if there are.
std::shared_ptr<SparseColumns> compress(const std::vector<Triplet>& entries, Index columns,
                                        const Triplet*& repeated);

}  // namespace sven::io
