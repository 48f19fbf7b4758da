#pragma once
// Launchers of the kernels that systems.cpp needs. All pointers are to device memory; all calls are
// asynchronous.

#include <cuda_runtime_api.h>

#include "sven/matrix.hpp"

namespace sven::cuda {

// Rows and columns list[0 .. count) of a symmetric matrix, stored as upper triangle, column-major.
struct SquarePart {
    const double* values = nullptr;
    Index stride = 0;
    const Index* list = nullptr;
    Index count = 0;
};

// Column c (rows apart) := (column - offset[c]) factor[c], each row times its root; roots may be
// null.
void scale_columns(double* columns, Index rows, Index count, const double* offset,
                   const double* factor, const double* roots, cudaStream_t stream);
// out := v - out.
void take_from(const double* v, Index size, double* out, cudaStream_t stream);
// The upper triangle of out := the part.
void keep_square(const SquarePart& part, double* out, Index stride, cudaStream_t stream);

}  // namespace sven::cuda
