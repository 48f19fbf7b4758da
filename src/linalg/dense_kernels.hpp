#pragma once
// What the kernels of dense algebra take and do, in double and in single precision. A matrix
// product packs its operands into blocks that stay in the caches and multiplies them by tiles of
// registers; a division by a triangle is the same product with a small substitution inside each
// tile. An entry is the sum over the depth in blocks of `depth_block`, whatever the shape around
// it: the same bits however a team divides the rows and columns.

#include "linalg/tuning.hpp"
#include "sven/matrix.hpp"

namespace sven::linalg {

// Entry (i, j) at data[i * row_step + j * col_step]; one of the steps is 1.
template <class T>
struct Operand {
    const T* data;
    Index row_step;
    Index col_step;

    Operand transposed() const { return {data, col_step, row_step}; }
};

// Which entries of a product are computed; upper and lower include the diagonal.
enum class Part { whole, upper, lower };

// C += scale A B, C rows x cols, column-major.
template <class T>
struct Product {
    Index rows;
    Index cols;
    Index depth;
    T scale;
    Operand<T> A;
    Operand<T> B;
    T* C;
    Index stride;
    Part part = Part::whole;
};

// X := X U^-1, X rows x order, U upper with order <= divided_block. One of X's steps is 1.
template <class T>
struct Division {
    Index rows;
    Index order;
    Operand<T> U;
    T* X;
    Index row_step;
    Index col_step;
};

// A column-major rows x cols matrix that is multiplied with a vector.
template <class T>
struct Columns {
    const T* data;
    Index stride;
    Index rows;
    Index cols;
};

template <class T>
struct DenseKernels {
    void (*multiply)(const Product<T>& product);
    void (*divide)(const Division<T>& division);
    // U'U = A of at most a few hundred columns, in the upper triangle, column-major; the lower one
    // may be overwritten. False if a pivot is not positive.
    bool (*cholesky)(Index n, T* A, Index stride, T* scratch);
    // sum_i x_i y_i
    T (*dot)(Index n, const T* x, const T* y);
    // y += scale A x, and y = A'x
    void (*combine)(const Columns<T>& A, T scale, const T* x, T* y);
    void (*project)(const Columns<T>& A, const T* x, T* y);
};

}  // namespace sven::linalg
