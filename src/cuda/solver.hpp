#pragma once
// The cuSOLVER calls in use; the library is loaded at the first call (blas.hpp).

#include "cuda/runtime.hpp"

namespace sven::cuda {

// A symmetric matrix, column-major, its lower triangle.
struct Triangle {
    double* values = nullptr;
    Index size = 0;
    Index stride = 0;
};

// Doubles of scratch that cholesky() needs.
Index cholesky_scratch(const Stream& stream, const Triangle& A);
// A := its Cholesky factor; *info, on the device, is zero on success.
void cholesky(const Stream& stream, const Triangle& A, double* scratch, Index scratch_size,
              int* info);
// x := (LL')^-1 x.
void solve_cholesky(const Stream& stream, const Triangle& L, double* x, int* info);

}  // namespace sven::cuda
