#pragma once
// How the kernels of X'Q with dense column-major X load their operands.

#include <cstdint>
#include <type_traits>

#include "cuda/kernel_tools.cuh"

namespace sven::cuda {

// Sixteen bytes of X.
template <class T>
using Vector = std::conditional_t<sizeof(T) == 4, float4, double2>;
template <class T>
constexpr int vector_size = 16 / sizeof(T);

__device__ __forceinline__ void unpack(float* entry, const float4& v) {
    entry[0] = v.x;
    entry[1] = v.y;
    entry[2] = v.z;
    entry[3] = v.w;
}
__device__ __forceinline__ void unpack(double* entry, const double2& v) {
    entry[0] = v.x;
    entry[1] = v.y;
}

// How entries of a column are loaded: 16 bytes at a time where columns begin on them and have whole
// fours of rows; 16 bytes at a time from the boundary before the column on; or one by one.
enum class Loads { aligned, from_before, single };

// A thread loads 64 bytes of a column at a time, four rows out of every sixteen.
template <class T>
constexpr int sixteens = 16 / sizeof(T);
template <class T>
constexpr int rows_a_step = 16 * sixteens<T>;
constexpr int longest_step = rows_a_step<float>;
// Rows that a column may begin behind a boundary of 16 bytes.
constexpr int most_before = vector_size<float> - 1;

// The lanes of Q in shared memory: zeros before the first row, and the stride of the lanes modulo
// 16. The simultaneous reads of a warp, four numbers each or one, are then spread over all banks.
template <Loads loads>
constexpr int rows_before = loads == Loads::from_before ? most_before + 1 : 0;
template <Loads loads>
constexpr int pitch_excess = loads == Loads::aligned ? 2 : (loads == Loads::single ? 4 : 1);

template <class T, Loads loads>
__host__ __device__ constexpr int padded_rows(int rows) {
    const int reached = rows + (loads == Loads::from_before ? vector_size<T> - 1 : 0);
    return (reached + rows_a_step<T> - 1) / rows_a_step<T> * rows_a_step<T>;
}
template <class T, Loads loads>
__host__ __device__ constexpr int lane_pitch(int rows) {
    return rows_before<loads> + padded_rows<T, loads>(rows) + pitch_excess<loads>;
}

// The columns of a group: eight whose beginnings lie alike between boundaries of 16 bytes.
template <class T, Loads loads>
constexpr int column_stride = loads == Loads::from_before ? vector_size<T> : 1;
template <class T, Loads loads>
__device__ __forceinline__ Index first_column(Index group) {
    constexpr int stride = column_stride<T, loads>;
    return group / stride * stride * columns_a_warp + group % stride;
}
template <class T, Loads loads>
__host__ __device__ constexpr Index column_groups(Index columns) {
    constexpr int stride = column_stride<T, loads>;
    return (columns + stride * columns_a_warp - 1) / (stride * columns_a_warp) * stride;
}

// Steps of a column that are unrolled, as far as the registers of three blocks go: aligned doubles
// are read at 91 % of a copy, and at 88 % with two.
template <class T, bool has_shift, Loads loads>
constexpr int unrolled_steps = loads != Loads::aligned || sizeof(T) == 4 ? 1 : (has_shift ? 2 : 4);

// Thread t of a warp has four entries of every sixteen: those from 4 (t % 4) on by wide loads;
// otherwise t % 4, t % 4 + 4 and so on, so that loads are coalesced.
template <Loads loads>
__device__ __forceinline__ int first_entry(int part) {
    return loads == Loads::single ? part : 4 * part;
}

// Rows i, i + 1, ... of a column, zero outside of it. Nothing outside is read: it may be somebody
// else's, and may be no number.
template <class T>
__device__ __forceinline__ void load_inside(T* entry, const T* x, int i, int rows) {
    if (i >= 0 && i + vector_size<T> <= rows) {
        unpack(entry, __ldcs(reinterpret_cast<const Vector<T>*>(x + i)));
        return;
    }
#pragma unroll
    for (int e = 0; e < vector_size<T>; ++e)
        entry[e] = i + e >= 0 && i + e < rows ? __ldcs(x + i + e) : T{0};
}

template <class T, Loads loads>
__device__ __forceinline__ void load_step(T (&entry)[sixteens<T>][4], const T* x, int first,
                                          int rows) {
#pragma unroll
    for (int s = 0; s < sixteens<T>; ++s) {
        const int i = first + 16 * s;
        if constexpr (loads == Loads::single) {
#pragma unroll
            for (int e = 0; e < 4; ++e)
                entry[s][e] = i + 4 * e < rows ? __ldcs(x + i + 4 * e) : T{0};
        } else {
#pragma unroll
            for (int e = 0; e < 4; e += vector_size<T>) {
                if constexpr (loads == Loads::aligned)
                    unpack(entry[s] + e, i < rows
                                             ? __ldcs(reinterpret_cast<const Vector<T>*>(x + i + e))
                                             : Vector<T>{});
                else
                    load_inside(entry[s] + e, x, i + e, rows);
            }
        }
    }
}

// The same for a lane of Q.
template <Loads loads>
__device__ __forceinline__ void load_four(double (&a)[4], const double* q) {
    if constexpr (loads == Loads::aligned) {
        const double2 low = *reinterpret_cast<const double2*>(q);
        const double2 high = *reinterpret_cast<const double2*>(q + 2);
        a[0] = low.x;
        a[1] = low.y;
        a[2] = high.x;
        a[3] = high.y;
    } else {
#pragma unroll
        for (int e = 0; e < 4; ++e) a[e] = q[loads == Loads::single ? 4 * e : e];
    }
}

// Eight lanes of rows `from` and on, with zeros around them.
template <class T, Loads loads>
__device__ __forceinline__ void share_lanes(double* q, const PanelData& Q, Index from, int rows) {
    const int pitch = lane_pitch<T, loads>(rows);
    const int filled = rows_before<loads> + padded_rows<T, loads>(rows);
    const double* panel = Q.values + from * Q.stride + static_cast<Index>(blockIdx.z) * lane_group;
    for (int at = static_cast<int>(threadIdx.x); at < filled * lane_group;
         at += static_cast<int>(blockDim.x)) {
        const int k = at % lane_group;
        const int i = at / lane_group - rows_before<loads>;
        q[k * pitch + at / lane_group] = i >= 0 && i < rows ? panel[i * Q.stride + k] : 0.0;
    }
    __syncthreads();
}

// How many rows before x the boundary of 16 bytes lies.
template <class T>
__device__ __forceinline__ int rows_to_boundary(const T* x) {
    return static_cast<int>(reinterpret_cast<std::uintptr_t>(x) % 16 / sizeof(T));
}

}  // namespace sven::cuda
