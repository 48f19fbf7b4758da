#pragma once
// Dense algebra on one thread, column-major, in double and in single precision: products, divisions
// by a triangle, vectors. A team divides rows or columns and calls these on its shares; the bits do
// not depend on the shares. The loops are those of kernels().

#include "linalg/kernels.hpp"

namespace sven::linalg {

// Vectors

inline double dot(Index n, const double* x, const double* y) {
    return kernels().f64.dot(n, x, y);
}

// y += a x
inline void axpy(Index n, double a, const double* x, double* y) {
    for (Index i = 0; i < n; ++i) y[i] += a * x[i];
}

inline void scale(Index n, double a, double* x) {
    for (Index i = 0; i < n; ++i) x[i] *= a;
}

// y += factor A x
template <class T>
void combine(const Columns<T>& A, T factor, const T* x, T* y) {
    dense_kernels<T>(kernels()).combine(A, factor, x, y);
}

// y = A'x
template <class T>
void project(const Columns<T>& A, const T* x, T* y) {
    dense_kernels<T>(kernels()).project(A, x, y);
}

// Products

template <class T>
Operand<T> by_columns(const T* data, Index stride) {
    return {data, 1, stride};
}

template <class T>
Operand<T> by_rows(const T* data, Index stride) {
    return {data, stride, 1};
}

template <class T>
void multiply(const Product<T>& product) {
    dense_kernels<T>(kernels()).multiply(product);
}

// The same with the entries of C set to zero before: C = scale A B.
template <class T>
void assign(const Product<T>& product);

// Triangles

// X := X U^-1 for any order
template <class T>
void divide(const Division<T>& division);

// A triangle of order n, with a stride.
template <class T>
struct Triangular {
    Index order;
    const T* data;
    Index stride;
};

// B := U^-T B, B n x cols
template <class T>
void divide_upper_transposed(const Triangular<T>& U, Index cols, T* B, Index stride) {
    divide<T>({cols, U.order, by_columns(U.data, U.stride), B, stride, 1});
}

// B := B U^-1, B rows x n
template <class T>
void divide_upper_right(const Triangular<T>& U, Index rows, T* B, Index stride) {
    divide<T>({rows, U.order, by_columns(U.data, U.stride), B, 1, stride});
}

// B := B L^-T, B rows x n
template <class T>
void divide_lower_right(const Triangular<T>& L, Index rows, T* B, Index stride) {
    divide<T>({rows, L.order, by_rows(L.data, L.stride), B, 1, stride});
}

// X := U^-1, with zeros below the diagonal. False if a diagonal entry of U is zero.
template <class T>
bool invert_upper(const Triangular<T>& U, T* X, Index stride);

// x := U x, U^-1 x, U^-T x, L^-1 x, L^-T x
void multiply_upper(const Triangular<double>& U, double* x);
void solve_upper(const Triangular<double>& U, double* x);
void solve_upper_transposed(const Triangular<double>& U, double* x);
void solve_lower(const Triangular<double>& L, double* x);
void solve_lower_transposed(const Triangular<double>& L, double* x);

}  // namespace sven::linalg
