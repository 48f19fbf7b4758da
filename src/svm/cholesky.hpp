#pragma once
// A = LL' for symmetric positive definite A, column-major, lower triangle, in place, in panels:
// the cancel token is polled between them, and leading columns of an earlier factor can be kept.

#include "linalg/execution.hpp"

namespace sven::svm {

struct SquareMatrix {
    double* data = nullptr;
    Index order = 0;
    Index stride = 0;
};

// Rows and columns [0, kept) already hold the factor of the leading block; the rows below hold A.
// Returns false if A is not positive definite to working precision.
[[nodiscard]] bool factorise(const SquareMatrix& A, Index kept, const linalg::Execution& execution);

// x = A^-1 x by the factor.
void solve_factored(const SquareMatrix& L, double* x);

}  // namespace sven::svm
