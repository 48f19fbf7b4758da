#pragma once

#include "linalg/execution.hpp"

namespace sven::linalg {

enum class Triangle { lower, upper };

// `count` columns of n rows, contiguous.
struct ColumnBlock {
    const double* data;
    Index n;
    Index count;
};

// The given triangle of M (n x n, without padding) += sign B B'; the other one may be overwritten.
// Polls the cancel token.
void add_outer_product(const ColumnBlock& B, double sign, Triangle triangle,
                       const Execution& execution, double* M);

}  // namespace sven::linalg
