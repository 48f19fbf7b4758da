#include "linalg/dense.hpp"

#include <algorithm>
#include <array>

namespace sven::linalg {
namespace {

constexpr Index block = solved_block;

// Columns [begin, end), rows [top, bottom)
Columns<double> rectangle(const Triangular<double>& A, Index top, Index bottom, Index begin,
                          Index end) {
    return {A.data + begin * A.stride + top, A.stride, bottom - top, end - begin};
}

// x[begin, begin + columns) -= A'y
void subtract_projection(const Columns<double>& A, const double* y, double* x) {
    std::array<double, block> products;
    project(A, y, products.data());
    for (Index j = 0; j < A.cols; ++j) x[j] -= products[j];
}

// Calls body(begin, end) on blocks of [0, n), from the first or from the last.
template <class Body>
void forwards(Index n, const Body& body) {
    for (Index begin = 0; begin < n; begin += block) body(begin, std::min(n, begin + block));
}
template <class Body>
void backwards(Index n, const Body& body) {
    for (Index begin = (n - 1) / block * block; begin >= 0; begin -= block)
        body(begin, std::min(n, begin + block));
}

}  // namespace

template <class T>
void assign(const Product<T>& product) {
    for (Index j = 0; j < product.cols; ++j) {
        const Index begin = product.part == Part::lower ? std::min(j, product.rows) : 0;
        const Index end =
            product.part == Part::upper ? std::min(j + 1, product.rows) : product.rows;
        std::fill(product.C + j * product.stride + begin, product.C + j * product.stride + end,
                  T{});
    }
    multiply(product);
}

// By halves: the products in between are as large as can be.
template <class T>
void divide(const Division<T>& division) {
    const Index order = division.order;
    if (order == 0 || division.rows == 0) return;
    if (order <= divided_block) {
        dense_kernels<T>(kernels()).divide(division);
        return;
    }
    const Index half = (order / 2 + divided_block - 1) / divided_block * divided_block;
    const Operand<T>& U = division.U;
    Division<T> part = division;
    part.order = half;
    divide(part);
    const Operand<T> above{U.data + half * U.col_step, U.row_step, U.col_step};
    const Operand<T> X{division.X, division.row_step, division.col_step};
    part.order = order - half;
    part.X += half * division.col_step;
    part.U.data += half * (U.row_step + U.col_step);
    if (division.row_step == 1)
        multiply<T>({division.rows, part.order, half, -1, X, above, part.X, division.col_step});
    else
        multiply<T>({part.order, division.rows, half, -1, above.transposed(), X.transposed(),
                     part.X, division.row_step});
    divide(part);
}

// Rows [first, end) of the inverse begin with zeros, which the division leaves out.
template <class T>
bool invert_upper(const Triangular<T>& U, T* X, Index stride) {
    const Index n = U.order;
    for (Index j = 0; j < n; ++j) {
        if (U.data[j * U.stride + j] == 0) return false;
        std::fill_n(X + j * stride, n, T{});
        X[j * stride + j] = 1;
    }
    for (Index first = 0; first < n; first += divided_block) {
        const Triangular<T> rest{n - first, U.data + first * (U.stride + 1), U.stride};
        divide_upper_right(rest, std::min(divided_block, n - first), X + first * (stride + 1),
                           stride);
    }
    return true;
}

void multiply_upper(const Triangular<double>& U, double* x) {
    forwards(U.order, [&](Index begin, Index end) {
        combine(rectangle(U, 0, begin, begin, end), 1.0, x + begin, x);
        for (Index i = begin; i < end; ++i) {
            x[i] *= U.data[i * U.stride + i];
            for (Index j = i + 1; j < end; ++j) x[i] += U.data[j * U.stride + i] * x[j];
        }
    });
}

void solve_upper(const Triangular<double>& U, double* x) {
    backwards(U.order, [&](Index begin, Index end) {
        for (Index j = end - 1; j >= begin; --j) {
            const double* column = U.data + j * U.stride;
            x[j] /= column[j];
            for (Index i = begin; i < j; ++i) x[i] -= column[i] * x[j];
        }
        combine(rectangle(U, 0, begin, begin, end), -1.0, x + begin, x);
    });
}

void solve_upper_transposed(const Triangular<double>& U, double* x) {
    forwards(U.order, [&](Index begin, Index end) {
        subtract_projection(rectangle(U, 0, begin, begin, end), x, x + begin);
        for (Index j = begin; j < end; ++j) {
            const double* column = U.data + j * U.stride;
            for (Index i = begin; i < j; ++i) x[j] -= column[i] * x[i];
            x[j] /= column[j];
        }
    });
}

void solve_lower(const Triangular<double>& L, double* x) {
    forwards(L.order, [&](Index begin, Index end) {
        for (Index j = begin; j < end; ++j) {
            const double* column = L.data + j * L.stride;
            x[j] /= column[j];
            for (Index i = j + 1; i < end; ++i) x[i] -= column[i] * x[j];
        }
        combine(rectangle(L, end, L.order, begin, end), -1.0, x + begin, x + end);
    });
}

void solve_lower_transposed(const Triangular<double>& L, double* x) {
    backwards(L.order, [&](Index begin, Index end) {
        subtract_projection(rectangle(L, end, L.order, begin, end), x + end, x + begin);
        for (Index j = end - 1; j >= begin; --j) {
            const double* column = L.data + j * L.stride;
            for (Index i = j + 1; i < end; ++i) x[j] -= column[i] * x[i];
            x[j] /= column[j];
        }
    });
}

template void assign(const Product<double>& product);
template void assign(const Product<float>& product);
template void divide(const Division<double>& division);
template void divide(const Division<float>& division);
template bool invert_upper(const Triangular<double>& U, double* X, Index stride);
template bool invert_upper(const Triangular<float>& U, float* X, Index stride);

}  // namespace sven::linalg
