#pragma once

#include "linalg/execution.hpp"

namespace sven::linalg {

// A = U'U in the upper triangle, column-major. False if A is not positive definite.
bool cholesky_upper(Index n, double* A, Index stride, const Execution& execution);
bool cholesky_upper(Index n, float* A, Index stride, const Execution& execution);
// A = LL' in the lower triangle, of at most lower_cholesky_columns columns, on one thread.
bool cholesky_lower(Index n, double* A, Index stride);

}  // namespace sven::linalg
