#pragma once
// The few calls of cuSOLVER that are used, loaded when the first of them is made (blas.hpp).

#include "cuda/runtime.hpp"

namespace sven::cuda {

// A symmetric matrix, column-major, its lower triangle.
struct Triangle {
    double* values = nullptr;
    Index size = 0;
    Index stride = 0;
};

// Doubles of scratch that cholesky() takes.
Index cholesky_scratch(const Stream& stream, const Triangle& A);
// A := its Cholesky factor; *info, on the device, is zero where there is one.
void cholesky(const Stream& stream, const Triangle& A, double* scratch, Index scratch_size,
              int* info);
// x := (LL')^-1 x.
void solve_cholesky(const Stream& stream, const Triangle& L, double* x, int* info);

}  // namespace sven::cuda
