#pragma once
// The body of the division by a triangle (kernel_bodies.hpp): rows of X side by side as a packed
// panel, from which the columns are solved a few at a time.

#include "linalg/kernel_multiply.hpp"

namespace {

// The triangle by panels of columns as a product packs them, and the inverses of its diagonal.
template <class A, class T>
struct PackedTriangle {
    static constexpr Index order_block = sven::linalg::divided_block;

    const T* panel(Index j) const { return values + j * order_block; }

    alignas(64) T values[(order_block + A::cols) * order_block];
    T inverse[order_block];
};

template <class A, class T>
void pack_triangle(const sven::linalg::Division<T>& division, PackedTriangle<A, T>& packed) {
    for (Index j = 0; j < division.order; j += A::cols) {
        const Index cols = smaller(A::cols, division.order - j);
        pack_panel<A::col_group, A::cols>(rows_of(division.U.transposed(), j, cols, 0), j + cols,
                                          packed.values + j * packed.order_block);
    }
    for (Index j = 0; j < division.order; ++j)
        packed.inverse[j] = 1 / division.U.data[j * (division.U.row_step + division.U.col_step)];
}

// Columns [j, j + N) of a panel x: minus the products with the columns before, then substitution.
template <class A, class T, int V, int N>
void divide_tile(const PackedTriangle<A, T>& triangle, Index j, T* x) {
    using S = Lane<T, A::lanes>;
    constexpr int lanes = A::lanes;
    const T* u = triangle.panel(j);
    T* own = x + j * A::rows;
    typename S::Vector value[N][V];
#pragma GCC unroll 8
    for (int c = 0; c < N; ++c)
#pragma GCC unroll 4
        for (int v = 0; v < V; ++v) value[c][v] = S::load(own + c * A::rows + v * lanes);
    for (Index k = 0; k < j; ++k, u += A::cols) {
        typename S::Vector known[V];
#pragma GCC unroll 4
        for (int v = 0; v < V; ++v) known[v] = S::load(x + k * A::rows + v * lanes);
#pragma GCC unroll 8
        for (int c = 0; c < N; ++c)
#pragma GCC unroll 4
            for (int v = 0; v < V; ++v) value[c][v] -= known[v] * u[c];
    }
#pragma GCC unroll 8
    for (int c = 0; c < N; ++c)
#pragma GCC unroll 4
        for (int v = 0; v < V; ++v) {
#pragma GCC unroll 8
            for (int k = 0; k < c; ++k) value[c][v] -= value[k][v] * u[k * A::cols + c];
            value[c][v] *= triangle.inverse[j + c];
            S::store(own + c * A::rows + v * lanes, value[c][v]);
        }
}

template <class A, class T, int V, int N>
void choose_division(const PackedTriangle<A, T>& triangle, Index rows, Index cols, Index j, T* x) {
    if constexpr (V > 1)
        if (rows <= (V - 1) * A::lanes)
            return choose_division<A, T, V - 1, N>(triangle, rows, cols, j, x);
    if constexpr (N > 1)
        if (cols < N) return choose_division<A, T, V, N - 1>(triangle, rows, cols, j, x);
    divide_tile<A, T, V, N>(triangle, j, x);
}

// The reverse of pack_panel: `count` rows of X from `first` on.
template <class A, class T>
void unpack_rows(const sven::linalg::Division<T>& division, Index first, Index count, const T* x) {
    T* to = division.X + first * division.row_step;
    Index r = 0;
    for (; division.col_step == 1 && r + A::group <= count; r += A::group) {
        Index j = 0;
        for (; j + A::group <= division.order; j += A::group) {
            typename Lane<T, A::group>::Vector square[A::group];
#pragma GCC unroll 8
            for (int u = 0; u < A::group; ++u)
                square[u] = Lane<T, A::group>::load(x + (j + u) * A::rows + r);
            transpose<A::group>(square);
#pragma GCC unroll 8
            for (int u = 0; u < A::group; ++u)
                Lane<T, A::group>::store(to + (r + u) * division.row_step + j, square[u]);
        }
        for (; j < division.order; ++j)
            for (Index u = r; u < r + A::group; ++u)
                to[u * division.row_step + j] = x[j * A::rows + u];
    }
    for (Index j = 0; j < division.order; ++j)
        for (Index u = r; u < count; ++u)
            to[u * division.row_step + j * division.col_step] = x[j * A::rows + u];
}

template <class A, class T>
void divide(const sven::linalg::Division<T>& division) {
    PackedTriangle<A, T> triangle;
    alignas(64) T x[A::rows * sven::linalg::divided_block];
    pack_triangle(division, triangle);
    for (Index first = 0; first < division.rows; first += A::rows) {
        const Index rows = smaller(A::rows, division.rows - first);
        const sven::linalg::Operand<T> X{division.X, division.row_step, division.col_step};
        pack_panel<A::group, A::rows>(rows_of(X, first, rows, 0), division.order, x);
        for (Index j = 0; j < division.order; j += A::cols)
            choose_division<A, T, A::vectors, A::cols>(triangle, rows,
                                                       smaller(A::cols, division.order - j), j, x);
        unpack_rows<A>(division, first, rows, x);
    }
}

}  // namespace
