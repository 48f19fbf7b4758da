#pragma once
// Some columns of a table, for a rank that has no others.

#include <memory>

#include "sven/matrix.hpp"

namespace sven::cli {

struct ColumnShare {
    MatrixView X;
    std::shared_ptr<const void> storage;  // of a copy; null: X views what it was cut out of
};

// Columns [begin, end). Those of a mapped file stay in it; of others a copy is made, so that the
// rest can go.
ColumnShare share_of_columns(const MatrixView& X, Index begin, Index end, bool is_mapped);

}  // namespace sven::cli
