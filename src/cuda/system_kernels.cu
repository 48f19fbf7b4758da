// Kernels of systems.cpp: scaled columns, parts of a Gram matrix.

#include "cuda/kernel_tools.cuh"
#include "cuda/system_kernels.hpp"
#include "cuda/tuning.hpp"

namespace sven::cuda {
namespace {

constexpr int block = block_threads;

// A block takes a part of one column.
__global__ void __launch_bounds__(block) scale(double* columns, Index rows, const double* offset,
                                               const double* factor, const double* roots) {
    const Index i = static_cast<Index>(blockIdx.x) * block + threadIdx.x;
    if (i >= rows) return;
    double& x = columns[static_cast<Index>(blockIdx.y) * rows + i];
    x = (x - offset[blockIdx.y]) * factor[blockIdx.y] * (roots == nullptr ? 1.0 : roots[i]);
}

__global__ void __launch_bounds__(block) keep(SquarePart part, double* out, Index stride) {
    const Index i = static_cast<Index>(blockIdx.x) * block + threadIdx.x;
    const Index j = blockIdx.y;
    if (i <= j) out[j * stride + i] = entry_at(part, i, j);
}

__global__ void __launch_bounds__(block) subtract(const double* v, Index size, double* out) {
    const Index i = static_cast<Index>(blockIdx.x) * block + threadIdx.x;
    if (i < size) out[i] = v[i] - out[i];
}

}  // namespace

void scale_columns(double* columns, Index rows, Index count, const double* offset,
                   const double* factor, const double* roots, cudaStream_t stream) {
    for (Index begin = 0; begin < count; begin += most_grid_rows) {
        const dim3 grid(grid_size(rows, block),
                        static_cast<unsigned>(min(most_grid_rows, count - begin)));
        scale<<<grid, block, 0, stream>>>(columns + begin * rows, rows, offset + begin,
                                          factor + begin, roots);
    }
    check_launch();
}

void take_from(const double* v, Index size, double* out, cudaStream_t stream) {
    subtract<<<grid_size(size, block), block, 0, stream>>>(v, size, out);
    check_launch();
}

void keep_square(const SquarePart& part, double* out, Index stride, cudaStream_t stream) {
    const dim3 grid(grid_size(part.count, block), static_cast<unsigned>(part.count));
    keep<<<grid, block, 0, stream>>>(part, out, stride);
    check_launch();
}

}  // namespace sven::cuda
