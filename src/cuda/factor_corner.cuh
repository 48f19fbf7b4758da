#pragma once
// The inverse of the triangle of one tile on the diagonal, by one block.

#include "cuda/factor_tiles.cuh"

namespace sven::cuda {

// Entries of the tile that a thread has along either side: thread t has (t / 16 + 16 a, t % 16 + 16
// b).
constexpr int spread = 16;
constexpr int cyclic = side / spread;

struct Corner {
    double column[2][side];  // of the pivot at hand, and of the one before
    double row[2][side];
    double diagonal[side];  // of K
    double pivots[side];
};

// 1 / x for ordinary x; otherwise anything.
__device__ __forceinline__ double reciprocal(double x) {
    double y;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    const double e = fma(-x, y, 1.0);
    return fma(fma(e, e, e), y, y);
}

// The tile is L D L' with a unit triangle. Left of the pivot at hand stands the inverse of L so
// far, right of it what is left of the matrix. One column at a time: two or four, or sixteen by one
// warp with products of the matrix units between, were not faster (docs/gpu.md).
template <int block>
__device__ __forceinline__ void eliminate(double (&m)[cyclic][cyclic], Corner& corner) {
    const int ti = static_cast<int>(threadIdx.x) / spread;
    const int tj = static_cast<int>(threadIdx.x) % spread;
    for (int place = 0; place < spread; ++place) {
        const int k = spread * block + place;
        double* column = corner.column[place % 2];
        double* row = corner.row[place % 2];
        if (tj == place) {
#pragma unroll
            for (int a = block; a < cyclic; ++a) column[ti + spread * a] = m[a][block];
        }
        if (ti == place) {
#pragma unroll
            for (int b = 0; b <= block; ++b) row[tj + spread * b] = m[block][b];
        }
        __syncthreads();
        const double pivot = column[k];
        if (threadIdx.x == 0) corner.pivots[k] = pivot;
        double right[cyclic];
#pragma unroll
        for (int b = 0; b < cyclic; ++b) {
            const int j = tj + spread * b;
            right[b] = j == k ? 1.0 : j < k ? row[j] : column[j];
        }
        if (ti == place) {
#pragma unroll
            for (int b = 0; b <= block; ++b) m[block][b] = tj + spread * b <= k ? right[b] : 0;
        }
        const double inverse = reciprocal(pivot);
#pragma unroll
        for (int a = block; a < cyclic; ++a) {
            const int i = ti + spread * a;
            const double factor = i > k ? column[i] * inverse : 0;
            if (tj == place && i > k) m[a][block] = 0;  // here the inverse begins
#pragma unroll
            for (int b = 0; b <= a; ++b) m[a][b] -= factor * right[b];
        }
    }
}

// Tile g on the diagonal of the factor, from what is left of K there, in shared memory. A pivot
// that is not positive makes numbers that mean nothing, and is counted.
__device__ inline void invert_triangle(const FactorJob& job, int g, const double* shared,
                                       Corner& corner) {
    const int ti = static_cast<int>(threadIdx.x) / spread;
    const int tj = static_cast<int>(threadIdx.x) % spread;
    double m[cyclic][cyclic];
#pragma unroll
    for (int a = 0; a < cyclic; ++a)
#pragma unroll
        for (int b = 0; b < cyclic; ++b)
            m[a][b] = shared[(ti + spread * a) * row_doubles + tj + spread * b];
    eliminate<0>(m, corner);
    eliminate<1>(m, corner);
    eliminate<2>(m, corner);
    eliminate<3>(m, corner);
    static_assert(cyclic == 4);
    __syncthreads();
    double* scale = corner.column[0];
    if (threadIdx.x < side) {
        const double pivot = corner.pivots[threadIdx.x];
        if (!(pivot > job.system.coarsest * corner.diagonal[threadIdx.x]))
            atomicAdd(&job.system.state->coarse, 1);
        scale[threadIdx.x] = rsqrt(pivot);
    }
    __syncthreads();
    double* out = tile_at(job, g, g);
#pragma unroll
    for (int a = 0; a < cyclic; ++a)
#pragma unroll
        for (int b = 0; b < cyclic; ++b) {
            const int i = ti + spread * a;
            const int j = tj + spread * b;
            out[i * side + j] = j <= i ? m[a][b] * scale[i] : 0;
        }
}

}  // namespace sven::cuda
