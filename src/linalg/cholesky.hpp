#pragma once

#include "linalg/execution.hpp"

namespace sven::linalg {

// A = U'U in the upper triangle, column-major. False if A is not positive definite.
bool cholesky_upper(Index n, double* A, Index stride, const Execution& execution);
bool cholesky_upper(Index n, float* A, Index stride, const Execution& execution);

}  // namespace sven::linalg
