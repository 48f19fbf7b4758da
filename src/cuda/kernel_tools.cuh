#pragma once
// Shared by the kernels.

#include "cuda/kernels.hpp"
#include "cuda/runtime.hpp"
#include "cuda/system_kernels.hpp"

namespace sven::cuda {

constexpr unsigned all_lanes = 0xffffffffU;
constexpr int warp = 32;
constexpr int lane_group = 8;
constexpr int columns_a_warp = 8;        // the shape of the matrix units
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

// Entries of X as numbers, whatever its kind.
template <class T>
__device__ inline double entry_at(const DenseData<T>& X, Index i, Index j) {
    return static_cast<double>(X.data[i * X.row_step + j * X.column_step]);
}

__device__ inline double genotype_of(unsigned code, const double (&values)[4]) {
    const double low = (code & 1U) != 0 ? values[1] : values[0];
    const double high = (code & 1U) != 0 ? values[3] : values[2];
    return (code & 2U) != 0 ? high : low;
}

// The values of the four codes of a variant.
__device__ inline void genotype_values(const GenotypeData& X, Index j, double (&values)[4]) {
    values[0] = X.counts_a1 ? 2 : 0;
    values[1] = X.fill[j];
    values[2] = 1;
    values[3] = X.counts_a1 ? 0 : 2;
}

__device__ inline double entry_at(const GenotypeData& X, Index i, Index j) {
    if (j >= X.variants) return entry_at(X.beside, i, j - X.variants);
    double values[4];
    genotype_values(X, j, values);
    const unsigned byte = X.codes[j * X.stride + i / 4];
    return genotype_of(byte >> (2 * static_cast<unsigned>(i % 4)), values);
}

// Entry (a, b) of the part.
__device__ inline double entry_at(const SquarePart& part, Index a, Index b) {
    const Index i = part.list[a];
    const Index j = part.list[b];
    return part.values[i <= j ? j * part.stride + i : i * part.stride + j];
}

// Whether neighbours in memory are rows of a column.
template <class T>
bool is_by_columns(const DenseData<T>& X) {
    return X.row_step == 1;
}
inline bool is_by_columns(const GenotypeData&) {
    return true;
}

// C += A B on the matrix units, A 8 x 4, B 4 x 8. Thread t has A(t / 4, t % 4), B(t % 4, t / 4) and
// C(t / 4, 2 (t % 4)), C(t / 4, 2 (t % 4) + 1).
__device__ __forceinline__ void multiply_add(double (&c)[2], double a, double b) {
#if __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
        : "+d"(c[0]), "+d"(c[1])
        : "d"(a), "d"(b));
#else
    const int lane = static_cast<int>(threadIdx.x) % warp;
    for (int k = 0; k < 4; ++k) {
        const double left = __shfl_sync(all_lanes, a, lane / 4 * 4 + k);
        c[0] += left * __shfl_sync(all_lanes, b, lane % 4 * 8 + k);
        c[1] += left * __shfl_sync(all_lanes, b, lane % 4 * 8 + 4 + k);
    }
#endif
}

// The same with A 16 x 16 and B 16 x 8: of the upper and the lower eight rows of A thread t has
// columns t % 4, t % 4 + 4, ..., and the same rows of B.
__device__ __forceinline__ void multiply_add_16(double (&upper)[2], double (&lower)[2],
                                                const double (&a)[4], const double (&below)[4],
                                                const double (&b)[4]) {
#if __CUDA_ARCH__ >= 900
    asm("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, "
        "%9, %10, %11}, {%12, %13, %14, %15}, {%0, %1, %2, %3};"
        : "+d"(upper[0]), "+d"(upper[1]), "+d"(lower[0]), "+d"(lower[1])
        : "d"(a[0]), "d"(below[0]), "d"(a[1]), "d"(below[1]), "d"(a[2]), "d"(below[2]), "d"(a[3]),
          "d"(below[3]), "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]));
#else
    for (int s = 0; s < 4; ++s) {
        multiply_add(upper, a[s], b[s]);
        multiply_add(lower, below[s], b[s]);
    }
#endif
}

__device__ inline double warp_sum(double value) {
    for (int half = warp / 2; half > 0; half /= 2) value += __shfl_xor_sync(all_lanes, value, half);
    return value;
}

}  // namespace sven::cuda
