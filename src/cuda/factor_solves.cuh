#pragma once
// Solves with a factor of tiles, a part of y or x by one block.

#include "cuda/factor_tiles.cuh"

namespace sven::cuda {

constexpr int quarter = factor_threads / side;

// Part of a tile, a row of it by four neighbours.
struct RowPart {
    double2 entries[side / 8];

    __device__ void load(const double* tile) {
        const int r = static_cast<int>(threadIdx.x) / quarter;
#pragma unroll
        for (int u = 0; u < side / 8; ++u)
            entries[u] = __ldcg(reinterpret_cast<const double2*>(tile + r * side + place(u)));
    }
    // get(c): two entries of the vector, from c on.
    template <class Get>
    __device__ double times(const Get& get) const {
        double sum = 0;
#pragma unroll
        for (int u = 0; u < side / 8; ++u) {
            const double2 v = get(place(u));
            sum += entries[u].x * v.x;
            sum += entries[u].y * v.y;
        }
        return sum;
    }

  private:
    __device__ static int place(int u) {
        return 8 * u + 2 * (static_cast<int>(threadIdx.x) % quarter);
    }
};

__device__ inline double row_sum(double value) {
    value += __shfl_xor_sync(all_lanes, value, 1);
    return value + __shfl_xor_sync(all_lanes, value, 2);
}

// y_j = L_jj^-1 (b_j - sum of L_jk y_k).
__device__ inline void go_forward(const FactorJob& job, int j, double* shared) {
    const int r = static_cast<int>(threadIdx.x) / quarter;
    const bool is_first = threadIdx.x % quarter == 0;
    Progress row = row_progress(job, j);
    RowPart part;
    double sum = 0;
    for (int k = 0; k < j; ++k) {
        row.wait(k + 1);
        part.load(tile_at(job, j, k));
        Progress(y_counter(job, k)).wait(1);
        const double* y = job.system.y + static_cast<Index>(k) * side;
        sum += part.times([&](int c) { return __ldcg(reinterpret_cast<const double2*>(y + c)); });
    }
    row.wait(j + 1);
    part.load(tile_at(job, j, j));
    sum = row_sum(sum);
    const Index at = static_cast<Index>(j) * side + r;
    if (is_first) shared[r] = (at < job.system.part.count ? job.system.x[at] : 0.0) - sum;
    __syncthreads();
    const double y =
        row_sum(part.times([&](int c) { return *reinterpret_cast<const double2*>(shared + c); }));
    if (is_first) job.system.y[at] = y;
    publish(y_counter(job, j), 1);
}

// Part of a tile, a column of it by four threads.
struct ColumnPart {
    static constexpr int rows = side / quarter;
    double entries[rows];

    __device__ void load(const double* tile) {
        const int c = static_cast<int>(threadIdx.x) % side;
#pragma unroll
        for (int u = 0; u < rows; ++u) entries[u] = __ldcg(tile + (begin() + u) * side + c);
    }
    // get(r): an entry of the vector.
    template <class Get>
    __device__ double times(const Get& get) const {
        double sum = 0;
#pragma unroll
        for (int u = 0; u < rows; ++u) sum += entries[u] * get(begin() + u);
        return sum;
    }

  private:
    __device__ static int begin() {
        return static_cast<int>(threadIdx.x) / side * rows;
    }
};

// For the first threads, one for each column.
__device__ inline double column_sum(double value, double* shared) {
    shared[threadIdx.x] = value;
    __syncthreads();
    const int c = static_cast<int>(threadIdx.x);
    if (c >= side) return 0;
    return (shared[c] + shared[c + side]) + (shared[c + 2 * side] + shared[c + 3 * side]);
}

// x_j = L_jj^-T (y_j - sum of L_ij' x_i).
__device__ inline void go_back(const FactorJob& job, int j, double* shared) {
    ColumnPart part;
    double sum = 0;
    for (int i = job.tiles - 1; i > j; --i) {
        row_progress(job, i).wait(j + 1);
        part.load(tile_at(job, i, j));
        Progress(x_counter(job, i)).wait(1);
        const double* x = job.system.x + static_cast<Index>(i) * side;
        sum += part.times([&](int r) { return __ldcg(x + r); });
    }
    Progress(y_counter(job, j)).wait(1);  // the tile on the diagonal was there before
    part.load(tile_at(job, j, j));
    const int c = static_cast<int>(threadIdx.x);
    const Index at = static_cast<Index>(j) * side + c;
    const double total = column_sum(sum, shared);
    double* rest = shared + factor_threads;
    if (c < side) rest[c] = __ldcg(job.system.y + at) - total;
    __syncthreads();
    const double x = column_sum(part.times([&](int r) { return rest[r]; }), shared);
    if (c < side) job.system.x[at] = x;
    publish(x_counter(job, j), 1);
}

}  // namespace sven::cuda
