#pragma once
// Shared by the kernels.

#include "cuda/kernels.hpp"
#include "cuda/runtime.hpp"

namespace sven::cuda {

constexpr unsigned all_lanes = 0xffffffffU;
constexpr int warp = 32;
constexpr int lane_group = 8;
constexpr Index most_grid_rows = 65535;  // CUDA's limit of a grid's second dimension

inline unsigned grid_size(Index work, Index block) {
    return static_cast<unsigned>((work + block - 1) / block);
}

inline void check_launch() {
    SVEN_CUDA(cudaGetLastError());
}

__device__ inline Index column_at(const ColumnSet& columns, Index c) {
    return columns.list == nullptr ? columns.begin + c : columns.list[c];
}

__device__ inline double shift_at(const ColumnSet& columns, Index j) {
    return columns.shift == nullptr ? 0.0 : columns.shift[j];
}

__device__ inline double warp_sum(double value) {
    for (int half = warp / 2; half > 0; half /= 2) value += __shfl_xor_sync(all_lanes, value, half);
    return value;
}

}  // namespace sven::cuda
