// Kernels of systems.cpp: scaled columns, parts of a Gram matrix, pivots.

#include "cuda/kernel_tools.cuh"
#include "cuda/system_kernels.hpp"
#include "cuda/tuning.hpp"

namespace sven::cuda {
namespace {

constexpr int block = block_threads;
constexpr int tile = 32;

// A block takes a part of one column.
__global__ void __launch_bounds__(block) scale(double* columns, Index rows, const double* offset,
                                               const double* factor, const double* roots) {
    const Index i = static_cast<Index>(blockIdx.x) * block + threadIdx.x;
    if (i >= rows) return;
    double& x = columns[static_cast<Index>(blockIdx.y) * rows + i];
    x = (x - offset[blockIdx.y]) * factor[blockIdx.y] * (roots == nullptr ? 1.0 : roots[i]);
}

__device__ double entry(const SquarePart& part, Index a, Index b) {
    return a <= b ? part.values[b * part.stride + a] : part.values[a * part.stride + b];
}

// The source stores its upper triangle, read along its columns, the result its lower one: tiles are
// transposed in shared memory.
__global__ void __launch_bounds__(tile* tile_rows)
    select(SquarePart part, const double* ridge, double* out, Index stride) {
    __shared__ double turned[tile][tile + 1];
    if (blockIdx.y > blockIdx.x) return;  // tile (x, y) of the result is below the diagonal
    const Index row = static_cast<Index>(blockIdx.x) * tile;
    const Index column = static_cast<Index>(blockIdx.y) * tile;
    for (int k = static_cast<int>(threadIdx.y); k < tile; k += tile_rows) {
        const Index i = row + k;
        const Index j = column + threadIdx.x;
        if (i < part.count && j <= i)
            turned[k][threadIdx.x] = entry(part, part.list[j], part.list[i]);
    }
    __syncthreads();
    for (int k = static_cast<int>(threadIdx.y); k < tile; k += tile_rows) {
        const Index i = row + threadIdx.x;
        const Index j = column + k;
        if (i < part.count && j <= i)
            out[j * stride + i] = turned[threadIdx.x][k] + (i == j ? ridge[i] : 0.0);
    }
}

__global__ void __launch_bounds__(block) keep(SquarePart part, double* out, Index stride) {
    const Index i = static_cast<Index>(blockIdx.x) * block + threadIdx.x;
    const Index j = blockIdx.y;
    if (i <= j) out[j * stride + i] = entry(part, part.list[i], part.list[j]);
}

__global__ void __launch_bounds__(block)
    count_coarse(const double* L, Index stride, SquarePart part, const double* ridge,
                 double coarsest, int* count) {
    const Index j = static_cast<Index>(blockIdx.x) * block + threadIdx.x;
    if (j >= part.count) return;
    const double pivot = L[j * stride + j];
    const double diagonal = entry(part, part.list[j], part.list[j]) + ridge[j];
    if (!(pivot * pivot > coarsest * diagonal)) atomicAdd(count, 1);
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

void select_square(const SquarePart& part, const double* ridge, double* out, Index stride,
                   cudaStream_t stream) {
    const unsigned tiles = grid_size(part.count, tile);
    select<<<dim3(tiles, tiles), dim3(tile, tile_rows), 0, stream>>>(part, ridge, out, stride);
    check_launch();
}

void keep_square(const SquarePart& part, double* out, Index stride, cudaStream_t stream) {
    const dim3 grid(grid_size(part.count, block), static_cast<unsigned>(part.count));
    keep<<<grid, block, 0, stream>>>(part, out, stride);
    check_launch();
}

void count_coarse_pivots(const double* L, Index stride, const SquarePart& part, const double* ridge,
                         double coarsest, int* count, cudaStream_t stream) {
    count_coarse<<<grid_size(part.count, block), block, 0, stream>>>(L, stride, part, ridge,
                                                                     coarsest, count);
    check_launch();
}

}  // namespace sven::cuda
