#pragma once
// Bodies of the products of dense columns with one vector, in the precision of the columns
// (kernel_bodies.hpp).

#include "linalg/dense_kernels.hpp"
#include "linalg/kernel_simd.hpp"
#include "linalg/tuning.hpp"

namespace {

// Several sums hide the latency of an addition.
template <int Lanes, class T>
T inner_product(Index n, const T* x, const T* y) {
    using S = Lane<T, Lanes>;
    constexpr int sums = 4;
    typename S::Vector sum[sums] = {};
    Index i = 0;
    for (; i + sums * Lanes <= n; i += sums * Lanes)
#pragma GCC unroll 4
        for (int u = 0; u < sums; ++u)
            sum[u] += S::load(x + i + u * Lanes) * S::load(y + i + u * Lanes);
    for (; i + Lanes <= n; i += Lanes) sum[0] += S::load(x + i) * S::load(y + i);
    T total = S::sum((sum[0] + sum[1]) + (sum[2] + sum[3]));
    for (; i < n; ++i) total += x[i] * y[i];
    return total;
}

// Where it is Fetched, as many columns follow, and are fetched meanwhile.
template <int Lanes, int Cols, bool Fetched, class T>
void combine_group(const sven::linalg::Columns<T>& A, Index first, T scale, const T* x, T* y) {
    using S = Lane<T, Lanes>;
    const T* columns = A.data + first * A.stride;
    const Index stride = A.stride;
    const Index n = A.rows;
    T factor[Cols];
    for (int c = 0; c < Cols; ++c) factor[c] = scale * x[first + c];
    Index i = 0;
    for (; i + Lanes <= n; i += Lanes) {
        if constexpr (Fetched)
            for (int c = 0; c < Cols; ++c)
                __builtin_prefetch(columns + (Cols + c) * stride + i, 0, 2);
        auto sum = S::load(y + i);
#pragma GCC unroll 8
        for (int c = 0; c < Cols; ++c) sum += S::load(columns + c * stride + i) * factor[c];
        S::store(y + i, sum);
    }
    for (; i < n; ++i)
#pragma GCC unroll 8
        for (int c = 0; c < Cols; ++c) y[i] += columns[c * stride + i] * factor[c];
}

template <int Lanes, class T>
void combine(const sven::linalg::Columns<T>& A, T scale, const T* x, T* y) {
    // of the whole matrix, of which A may be some rows
    const Index bytes = A.stride * A.cols * static_cast<Index>(sizeof(T));
    Index c = 0;
    if (bytes >= sven::linalg::fetched_design_bytes)
        for (; c + 16 <= A.cols; c += 8) combine_group<Lanes, 8, true>(A, c, scale, x, y);
    for (; c + 8 <= A.cols; c += 8) combine_group<Lanes, 8, false>(A, c, scale, x, y);
    for (; c < A.cols; ++c) combine_group<Lanes, 1, false>(A, c, scale, x, y);
}

// Two sums a column, whatever their number: the same bits wherever a column stands.
template <int Lanes, int Cols, class T>
void project_group(const T* A, Index stride, Index n, const T* x, T* y) {
    using S = Lane<T, Lanes>;
    typename S::Vector sum[Cols][2] = {};
    Index i = 0;
    for (; i + 2 * Lanes <= n; i += 2 * Lanes) {
        const auto low = S::load(x + i);
        const auto high = S::load(x + i + Lanes);
#pragma GCC unroll 4
        for (int c = 0; c < Cols; ++c) {
            sum[c][0] += S::load(A + c * stride + i) * low;
            sum[c][1] += S::load(A + c * stride + i + Lanes) * high;
        }
    }
    for (int c = 0; c < Cols; ++c) {
        T total = S::sum(sum[c][0] + sum[c][1]);
        for (Index rest = i; rest < n; ++rest) total += A[c * stride + rest] * x[rest];
        y[c] = total;
    }
}

template <int Lanes, class T>
void project(const sven::linalg::Columns<T>& A, const T* x, T* y) {
    Index c = 0;
    for (; c + 4 <= A.cols; c += 4)
        project_group<Lanes, 4>(A.data + c * A.stride, A.stride, A.rows, x, y + c);
    for (; c < A.cols; ++c)
        project_group<Lanes, 1>(A.data + c * A.stride, A.stride, A.rows, x, y + c);
}

}  // namespace
