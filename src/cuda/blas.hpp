#pragma once
// The cuBLAS calls in use. The library is loaded at the first call: a program built with CUDA
// starts without it.

#include "cuda/runtime.hpp"

namespace sven::cuda {

// Column-major op(A) op(B) as in BLAS.
struct Gemm {
    bool transpose_a = false;
    bool transpose_b = false;
    Index m = 0, n = 0, k = 0;
    const double* A = nullptr;
    Index lda = 0;
    const double* B = nullptr;
    Index ldb = 0;
    double beta = 0;
    double* C = nullptr;
    Index ldc = 0;
};

void gemm(const Stream& stream, const Gemm& call);

// The same product for `count` triples of pointers, which are stored on the device.
struct GemmBatch {
    Gemm shape;  // its pointers are ignored
    const double* const* A = nullptr;
    const double* const* B = nullptr;
    double* const* C = nullptr;
    Index count = 0;
};

void gemm_batch(const Stream& stream, const GemmBatch& call);

// Lower triangle of C = op(A) op(A)' + beta C; n x k after op.
void syrk(const Stream& stream, const Gemm& call);

}  // namespace sven::cuda
