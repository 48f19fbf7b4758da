#pragma once
// Tiles of a Cholesky factor: where they are, when they are there, and products of them on the
// matrix units.

#include "cuda/factor_kernels.hpp"
#include "cuda/kernel_tools.cuh"

namespace sven::cuda {

constexpr int side = factor_tile;
constexpr int row_doubles = side + 2;  // of a tile in shared memory: no bank is asked twice
constexpr int tile_doubles = side * side;
constexpr int shared_tile = side * row_doubles;
constexpr int factor_threads = 256;

struct FactorJob {
    FactorSystem system;
    int tiles = 0;  // along a side
    bool factors = false;
    bool solves = false;
};

// How many tiles of row i are there, and whether parts i of y and x are.
__device__ inline int* row_counter(const FactorJob& job, int i) {
    return reinterpret_cast<int*>(job.system.state + 1) + i;
}
__device__ inline int* y_counter(const FactorJob& job, int i) {
    return row_counter(job, job.tiles + i);
}
__device__ inline int* x_counter(const FactorJob& job, int i) {
    return row_counter(job, 2 * job.tiles + i);
}

__device__ inline double* tile_at(const FactorJob& job, int i, int j) {
    return job.system.tiles + (static_cast<Index>(i) * (i + 1) / 2 + j) * tile_doubles;
}

// What the block has written is there for those who wait for the value. One thread waits until it
// is.
__device__ inline void publish(int* counter, int value, unsigned by = 0) {
    __syncthreads();
    if (threadIdx.x == by)
        asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(counter), "r"(value) : "memory");
}

// A counter that only grows, asked as seldom as possible.
class Progress {
  public:
    __device__ explicit Progress(const int* counter, int seen = 0)
        : counter_(counter), seen_(seen) {}
    __device__ bool has(int value) {
        if (seen_ < value)
            asm volatile("ld.acquire.gpu.global.s32 %0, [%1];"
                         : "=r"(seen_)
                         : "l"(counter_)
                         : "memory");
        return seen_ >= value;
    }
    __device__ void wait(int value) {
        while (!has(value)) __nanosleep(20);
    }
    // By one thread for the block: many who ask keep what they ask for from arriving.
    __device__ void wait_as_block(int value) {
        if (threadIdx.x == 0) wait(value);
        __syncthreads();
    }

  private:
    const int* counter_;
    int seen_;
};

// Row i of a factor; one that was made before this launch is all there.
__device__ inline Progress row_progress(const FactorJob& job, int i) {
    return Progress(row_counter(job, i), job.factors ? 0 : i + 1);
}

__device__ inline void copy_async(double* to, const double* from) {
#if __CUDA_ARCH__ >= 800
    const auto address = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(from) : "memory");
#else
    *reinterpret_cast<double2*>(to) = __ldcg(reinterpret_cast<const double2*>(from));
#endif
}
__device__ inline void commit_copies() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
// Waits until at most that many groups of copies are under way.
template <int groups>
__device__ inline void await_copies() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(groups) : "memory");
#endif
}

__device__ inline void fetch_tile(const double* tile, double* shared) {
    constexpr int rows = 2 * factor_threads / side;  // at a time
    const int r = static_cast<int>(threadIdx.x) / (side / 2);
    const int c = static_cast<int>(threadIdx.x) % (side / 2) * 2;
#pragma unroll
    for (int u = 0; u < side; u += rows)
        copy_async(shared + (r + u) * row_doubles + c, tile + (r + u) * side + c);
}

// The part of a tile that a warp multiplies, in the layout of the matrix units.
constexpr int band_rows = 32;
constexpr int band_columns = 16;
constexpr int down = band_rows / 8;
constexpr int across = band_columns / 8;
struct Band {
    double c[down][across][2];
};

// Which one it is, and what of it a thread has.
struct Place {
    int row, column;
    int lane_row, lane_k;
    __device__ Place() {
        const int lane = static_cast<int>(threadIdx.x) % warp;
        const int band = static_cast<int>(threadIdx.x) / warp;
        lane_row = lane / 4;
        lane_k = lane % 4;
        row = band % 2 * band_rows;
        column = band / 2 * band_columns;
    }
};

// f(row, column, pair) for each two neighbours that a thread has.
template <class F>
__device__ inline void each_pair(Band& band, const Place& at, const F& f) {
#pragma unroll
    for (int u = 0; u < down; ++u)
#pragma unroll
        for (int v = 0; v < across; ++v)
            f(at.row + 8 * u + at.lane_row, at.column + 8 * v + 2 * at.lane_k, band.c[u][v]);
}

__device__ inline void clear_band(Band& band, const Place& at) {
    each_pair(band, at, [](int, int, double(&pair)[2]) { pair[0] = pair[1] = 0; });
}

// tile := sign band, in shared or device memory.
__device__ inline void store_band(Band& band, const Place& at, double sign, double* tile,
                                  int stride) {
    each_pair(band, at, [&](int r, int c, const double(&pair)[2]) {
        *reinterpret_cast<double2*>(tile + r * stride + c) = {sign * pair[0], sign * pair[1]};
    });
}

__device__ __forceinline__ void load_four(const double* from, double (&to)[4]) {
    const double2 first = *reinterpret_cast<const double2*>(from);
    const double2 second = *reinterpret_cast<const double2*>(from + 2);
    to[0] = first.x;
    to[1] = first.y;
    to[2] = second.x;
    to[3] = second.y;
}

// band += A B' over the first columns of two tiles in shared memory. Of sixteen columns a thread
// takes four that are neighbours: the order of the products is the same for A and B.
__device__ __forceinline__ void multiply_tiles(Band& band, const double* A, const double* B,
                                               const Place& at, int columns = side) {
    const double* a = A + (at.row + at.lane_row) * row_doubles + 4 * at.lane_k;
    const double* b = B + (at.column + at.lane_row) * row_doubles + 4 * at.lane_k;
#pragma unroll 2
    for (int k = 0; k < columns; k += 16) {
        double left[down][4];
        double right[across][4];
#pragma unroll
        for (int u = 0; u < down; ++u) load_four(a + 8 * u * row_doubles + k, left[u]);
#pragma unroll
        for (int v = 0; v < across; ++v) load_four(b + 8 * v * row_doubles + k, right[v]);
#pragma unroll
        for (int u = 0; u < down; u += 2)
#pragma unroll
            for (int v = 0; v < across; ++v)
                multiply_add_16(band.c[u][v], band.c[u + 1][v], left[u], left[u + 1], right[v]);
    }
}

// Tiles k = 0 .. count - 1 of rows i and j, each when both are there, some of them on their way
// while others are multiplied.
template <int stages>
class TilePairs {
  public:
    __device__ TilePairs(const FactorJob& job, int i, int j, int count, double* shared)
        : job_(job),
          i_(i),
          j_(j),
          count_(count),
          shared_(shared),
          row_i_(row_counter(job, i)),
          row_j_(row_counter(job, j)) {}

    template <class F>
    __device__ void each(const F& multiply) {
        for (int k = 0; k < stages - 1; ++k) fetch_when_ready(k);
        for (int k = 0; k < count_; ++k) {
            if (stages == 1) fetch_when_ready(k);
            await_copies<(stages > 2 ? stages - 2 : 0)>();
            // What is not there yet is not waited for before this pair is multiplied.
            const int next = k + stages - 1;
            const bool is_early =
                __syncthreads_or(stages > 1 && threadIdx.x == 0 && is_ready(next)) != 0;
            if (is_early) fetch(next);
            multiply(at(k), at(k) + shared_tile);
            if (stages > 1 && !is_early) fetch_when_ready(next);
            if (stages == 1) __syncthreads();
        }
        await_copies<0>();
        __syncthreads();
    }

  private:
    __device__ double* at(int k) const { return shared_ + k % stages * 2 * shared_tile; }
    __device__ bool is_ready(int k) {
        return k >= count_ || (row_i_.has(k + 1) && row_j_.has(k + 1));
    }
    __device__ void fetch(int k) {
        if (k < count_) {
            fetch_tile(tile_at(job_, i_, k), at(k));
            fetch_tile(tile_at(job_, j_, k), at(k) + shared_tile);
        }
        commit_copies();
    }
    __device__ void fetch_when_ready(int k) {
        if (k < count_) {
            row_i_.wait_as_block(k + 1);
            row_j_.wait_as_block(k + 1);
        }
        fetch(k);
    }

    const FactorJob& job_;
    int i_, j_, count_;
    double* shared_;
    Progress row_i_, row_j_;
};

}  // namespace sven::cuda
