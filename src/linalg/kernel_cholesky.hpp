#pragma once
// The body of the Cholesky factor (kernel_bodies.hpp), by panels of some rows of U. Vector sums
// also need the panel by rows: `rows` is that copy, row k at k * lead.

#include "linalg/kernel_simd.hpp"
#include "linalg/tuning.hpp"

namespace {

template <class T>
struct CholeskyPanel {
    T* A;
    Index stride;
    T* rows;
    Index lead;
    Index first;  // row of A
};

// Vectors x Cols entries from (i, j) on, minus the products with the first `rank` rows of the
// panel.
template <int Lanes, int Vectors, int Cols, class T>
void subtract_products(const CholeskyPanel<T>& panel, Index rank, Index i, Index j) {
    using S = Lane<T, Lanes>;
    T* target = panel.A + j * panel.stride + i;
    const T* column = panel.A + j * panel.stride + panel.first;
    const T* row = panel.rows + i;
    typename S::Vector sum[Cols][Vectors];
    for (int c = 0; c < Cols; ++c)
        for (int v = 0; v < Vectors; ++v)
            sum[c][v] = S::load(target + c * panel.stride + v * Lanes);
    for (Index k = 0; k < rank; ++k, row += panel.lead) {
        typename S::Vector a[Vectors];
#pragma GCC unroll 3
        for (int v = 0; v < Vectors; ++v) a[v] = S::load(row + v * Lanes);
#pragma GCC unroll 8
        for (int c = 0; c < Cols; ++c)
#pragma GCC unroll 3
            for (int v = 0; v < Vectors; ++v) sum[c][v] -= a[v] * column[c * panel.stride + k];
    }
    for (int c = 0; c < Cols; ++c)
        for (int v = 0; v < Vectors; ++v)
            S::store(target + c * panel.stride + v * Lanes, sum[c][v]);
}

// The same for rows [from, to), a multiple of the lanes.
template <int Lanes, int Cols, class T>
void subtract_rows(const CholeskyPanel<T>& panel, Index rank, Index from, Index to, Index j) {
    for (; from + 3 * Lanes <= to; from += 3 * Lanes)
        subtract_products<Lanes, 3, Cols>(panel, rank, from, j);
    if (from + 2 * Lanes <= to) {
        subtract_products<Lanes, 2, Cols>(panel, rank, from, j);
        from += 2 * Lanes;
    }
    if (from < to) subtract_products<Lanes, 1, Cols>(panel, rank, from, j);
}

// The block of at most Lanes columns at (first, first), and the inverse of its diagonal. Each row
// is subtracted from those below at once, in loops of one length, by the quotient of two entries:
// the root of the pivot is waited for by nobody.
template <int Lanes, class T>
bool factor_diagonal(T* block, Index stride, Index size, T* inverse) {
    T rows[Lanes][Lanes] = {};  // what is below the diagonal is not used
    for (Index j = 0; j < size; ++j)
        for (Index i = 0; i <= j; ++i) rows[i][j] = block[j * stride + i];
    for (Index k = 0; k < size; ++k) {
        const T* const row = rows[k];
        const T pivot = row[k];
        if (!(pivot > 0)) return false;
        const T share = 1 / pivot;
        for (Index i = k + 1; i < size; ++i) {
            const T factor = row[i] * share;
            for (int j = 0; j < Lanes; ++j) rows[i][j] -= factor * row[j];
        }
        const T root = static_cast<T>(__builtin_sqrt(pivot));
        inverse[k] = 1 / root;
        block[k * stride + k] = root;
        for (Index j = k + 1; j < size; ++j) block[j * stride + k] = row[j] * inverse[k];
    }
    return true;
}

// Rows [at, at + Lanes) of `count` <= Lanes columns from j on := U_block^-T times their values.
template <int Lanes, class T>
void divide_columns(const CholeskyPanel<T>& panel, Index at, Index j, Index count,
                    const T* inverse) {
    using S = Lane<T, Lanes>;
    const T* block = panel.A + at * panel.stride + at;
    typename S::Vector x[Lanes];
#pragma GCC unroll 8
    for (int c = 0; c < Lanes; ++c) {
        x[c] = typename S::Vector{};
        if (c < count) x[c] = S::load(panel.A + (j + c) * panel.stride + at);
    }
    transpose<Lanes>(x);
#pragma GCC unroll 8
    for (int k = 0; k < Lanes; ++k) {
#pragma GCC unroll 8
        for (int l = 0; l < k; ++l) x[k] -= x[l] * block[k * panel.stride + l];
        x[k] *= inverse[k];
        S::store(panel.rows + (at - panel.first + k) * panel.lead + j, x[k]);
    }
    transpose<Lanes>(x);
    for (Index c = 0; c < count; ++c) S::store(panel.A + (j + c) * panel.stride + at, x[c]);
}

// The last triangle, from (at, at) on, minus the products with the first `rank` rows of the panel.
// It is narrower than a vector, and the vectors of the copy run past the end of its rows.
template <int Lanes, class T>
void subtract_last(const CholeskyPanel<T>& panel, Index rank, Index at, Index n) {
    using S = Lane<T, Lanes>;
    typename S::Vector sum[Lanes] = {};
    for (Index j = at; j < n; ++j)
        for (Index i = at; i <= j; ++i) sum[j - at][i - at] = panel.A[j * panel.stride + i];
    const T* column = panel.A + at * panel.stride + panel.first;
    const T* row = panel.rows + at;
    for (Index k = 0; k < rank; ++k, row += panel.lead) {
        const auto a = S::load(row);
#pragma GCC unroll 8
        for (int c = 0; c < Lanes; ++c)
            if (c < n - at) sum[c] -= a * column[c * panel.stride + k];
    }
    for (Index j = at; j < n; ++j)
        for (Index i = at; i <= j; ++i) panel.A[j * panel.stride + i] = sum[j - at][i - at];
}

// Columns [j, n) in groups, the last ones in smaller groups: body.template operator()<Cols>(j).
template <int Cols, class Body>
void by_columns(Index j, Index n, const Body& body) {
    for (; j + Cols <= n; j += Cols) body.template operator()<Cols>(j);
    if constexpr (Cols > 1) by_columns<Cols / 2>(j, n, body);
}

template <int Lanes, int Cols, class T>
bool cholesky(Index n, T* A, Index stride, T* scratch) {
    constexpr Index panel_rows = sven::linalg::cholesky_panel_rows;
    const Index full = n / Lanes * Lanes;
    T inverse[Lanes];
    for (Index first = 0; first < full; first += panel_rows) {
        const Index end = first + panel_rows < full ? first + panel_rows : full;
        const CholeskyPanel<T> panel{A, stride, scratch, n + sven::linalg::cholesky_padding, first};
        for (Index at = first; at < end; at += Lanes) {
            const Index rank = at - first;
            if (rank > 0)
                by_columns<Cols>(at, n, [&]<int Count>(Index j) {
                    subtract_products<Lanes, 1, Count>(panel, rank, at, j);
                });
            if (!factor_diagonal<Lanes>(A + at * stride + at, stride, Lanes, inverse)) return false;
            for (Index j = at + Lanes; j < n; j += Lanes)
                divide_columns<Lanes>(panel, at, j, n - j < Lanes ? n - j : Lanes, inverse);
        }
        const Index rank = end - first;
        by_columns<Cols>(end, n, [&]<int Count>(Index j) {
            const Index below = (j + Count - 1 + Lanes) / Lanes * Lanes;
            subtract_rows<Lanes, Count>(panel, rank, end, below < full ? below : full, j);
        });
        if (full < n) subtract_last<Lanes>(panel, rank, full, n);
    }
    return factor_diagonal<Lanes>(A + full * stride + full, stride, n - full, inverse);
}

}  // namespace
