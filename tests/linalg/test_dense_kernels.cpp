// The kernels of dense algebra, for each instruction set that this processor has and in both
// precisions, against plain loops.

#include <cmath>
#include <limits>

#include "linalg/instruction_sets.hpp"

namespace sven::test {
namespace {

using linalg::Operand;
using linalg::Part;

class DenseLoops : public EveryInstructionSet {};

template <class T>
std::vector<T> values_of(Index size, unsigned seed) {
    const std::vector<double> values = random_vector(size, seed);
    return {values.begin(), values.end()};
}

template <class T>
double unit() {
    return std::numeric_limits<T>::epsilon();
}

// A matrix by columns or by rows, with padding.
template <class T>
struct Stored {
    Stored(Index rows, Index cols, bool by_rows, unsigned seed)
        : values(values_of<T>((rows + 3) * (cols + 3), seed)),
          operand(by_rows ? Operand<T>{values.data(), cols + 3, 1}
                          : Operand<T>{values.data(), 1, rows + 3}) {}
    T at(Index i, Index j) const {
        return operand.data[i * operand.row_step + j * operand.col_step];
    }
    std::vector<T> values;
    Operand<T> operand;
};

struct Shape3 {
    Index rows;
    Index cols;
    Index depth;
};

bool is_wanted(Part part, Index i, Index j) {
    return part == Part::whole || (part == Part::upper ? i <= j : i >= j);
}

template <class T>
void check_product(const linalg::DenseKernels<T>& kernels, const Shape3& shape, bool a_by_rows,
                   bool b_by_rows, Part part) {
    const auto [rows, cols, depth] = shape;
    const Stored<T> A(rows, depth, a_by_rows, 11);
    const Stored<T> B(depth, cols, b_by_rows, 12);
    const Index stride = rows + 2;
    const std::vector<T> before = values_of<T>(stride * cols, 13);
    std::vector<T> C = before;
    const T scale = -2;
    kernels.multiply({rows, cols, depth, scale, A.operand, B.operand, C.data(), stride, part});
    Worst worst;
    for (Index j = 0; j < cols; ++j)
        for (Index i = 0; i < stride; ++i) {
            Real sum = before[j * stride + i];
            Real magnitude = std::abs(sum);
            for (Index k = 0; i < rows && is_wanted(part, i, j) && k < depth; ++k) {
                const Real term = static_cast<Real>(scale) * A.at(i, k) * B.at(k, j);
                sum += term;
                magnitude += std::abs(term);
            }
            worst.note(C[j * stride + i], sum, magnitude, j * stride + i);
        }
    expect_small(worst, unit<T>() * (2 + std::sqrt(static_cast<double>(depth))));
}

template <class T>
void check_products(const linalg::DenseKernels<T>& kernels) {
    for (const Shape3& shape : {Shape3{0, 3, 2},
                                {3, 0, 2},
                                {2, 3, 0},
                                {1, 1, 1},
                                {5, 3, 2},
                                {8, 4, 7},
                                {13, 9, 40},
                                {25, 17, 257},
                                {49, 33, 16},
                                {70, 70, 70},
                                {401, 19, 300}})
        for (const bool a_by_rows : {false, true})
            for (const bool b_by_rows : {false, true})
                for (const Part part : {Part::whole, Part::upper, Part::lower}) {
                    SCOPED_TRACE(testing::Message()
                                 << shape.rows << " x " << shape.cols << " x " << shape.depth
                                 << (a_by_rows ? ", A by rows" : "")
                                 << (b_by_rows ? ", B by rows" : "") << ", part "
                                 << static_cast<int>(part));
                    check_product(kernels, shape, a_by_rows, b_by_rows, part);
                }
}

TEST_P(DenseLoops, ProductsEqualPlainLoops) {
    check_products(kernels().f64);
    check_products(kernels().f32);
}

// An entry has the same bits whatever is computed with it: a team may divide the columns and rows
// as it likes.
template <class T>
void check_pieces(const linalg::DenseKernels<T>& kernels) {
    const Index rows = 61;
    const Index cols = 23;
    const Index depth = 300;
    const Stored<T> A(rows, depth, true, 14);
    const Stored<T> B(depth, cols, false, 15);
    std::vector<T> whole = values_of<T>(rows * cols, 16);
    std::vector<T> pieces = whole;
    kernels.multiply({rows, cols, depth, -1, A.operand, B.operand, whole.data(), rows});
    for (Index j = 0; j < cols; j += 5)
        for (Index i = 0; i < rows; i += 7) {
            Operand<T> a = A.operand;
            Operand<T> b = B.operand;
            a.data += i * a.row_step;
            b.data += j * b.col_step;
            kernels.multiply({std::min<Index>(7, rows - i), std::min<Index>(5, cols - j), depth, -1,
                              a, b, pieces.data() + j * rows + i, rows});
        }
    EXPECT_EQ(whole, pieces);
}

TEST_P(DenseLoops, ProductsHaveTheSameBitsInPieces) {
    check_pieces(kernels().f64);
    check_pieces(kernels().f32);
}

// U with a tame inverse and numbers below the diagonal that must not matter.
template <class T>
Stored<T> tame_triangle(Index n, bool by_rows) {
    Stored<T> U(n, n, by_rows, 17);
    for (Index j = 0; j < n; ++j)
        for (Index i = 0; i < n; ++i) {
            T& entry = U.values[i * U.operand.row_step + j * U.operand.col_step];
            if (i > j)
                entry = std::numeric_limits<T>::quiet_NaN();
            else
                entry = i == j ? T(1.5) : entry / static_cast<T>(2 * n);
        }
    return U;
}

template <class T>
void check_division(const linalg::DenseKernels<T>& kernels, Index rows, Index order, bool u_by_rows,
                    bool x_by_rows) {
    const Stored<T> U = tame_triangle<T>(order, u_by_rows);
    Stored<T> X(rows, order, x_by_rows, 18);
    const Stored<T> before = X;
    kernels.divide(
        {rows, order, U.operand, X.values.data(), X.operand.row_step, X.operand.col_step});
    Worst worst;
    Index touched = 0;
    std::vector<char> is_inside(X.values.size());
    for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < order; ++j) {
            const Index at = i * X.operand.row_step + j * X.operand.col_step;
            is_inside[at] = 1;
            Real sum = 0;
            Real magnitude = 0;
            for (Index k = 0; k <= j; ++k) {
                const Real term =
                    static_cast<Real>(X.values[i * X.operand.row_step + k * X.operand.col_step]) *
                    U.at(k, j);
                sum += term;
                magnitude += std::abs(term);
            }
            worst.note(static_cast<double>(sum), before.values[at], magnitude, at);
        }
    for (std::size_t k = 0; k < X.values.size(); ++k)
        touched += !is_inside[k] && X.values[k] != before.values[k];
    expect_small(worst, unit<T>() * (2 + std::sqrt(static_cast<double>(order))));
    EXPECT_EQ(touched, 0);
}

template <class T>
void check_divisions(const linalg::DenseKernels<T>& kernels) {
    for (const Index rows : {0, 1, 4, 7, 12, 25, 51})
        for (const Index order : {1, 3, 4, 8, 17, 63, 64})
            for (const bool u_by_rows : {false, true})
                for (const bool x_by_rows : {false, true}) {
                    SCOPED_TRACE(testing::Message() << rows << " rows, order " << order
                                                    << (u_by_rows ? ", U by rows" : "")
                                                    << (x_by_rows ? ", X by rows" : ""));
                    check_division(kernels, rows, order, u_by_rows, x_by_rows);
                }
}

TEST_P(DenseLoops, DivisionsAreUndoneByTheTriangle) {
    check_divisions(kernels().f64);
    check_divisions(kernels().f32);
}

template <class T>
void check_vectors(const linalg::DenseKernels<T>& kernels) {
    for (const Index n : lengths)
        for (const Index cols : {0, 1, 3, 4, 8, 21}) {
            SCOPED_TRACE(testing::Message() << n << " rows, " << cols << " columns");
            const Stored<T> A(n, cols, false, 19);
            const linalg::Columns<T> columns{A.values.data(), A.operand.col_step, n, cols};
            const std::vector<T> x = values_of<T>(n, 20);
            const std::vector<T> factors = values_of<T>(cols, 21);
            std::vector<T> products(static_cast<std::size_t>(cols) + 1, 7);
            kernels.project(columns, x.data(), products.data());
            EXPECT_EQ(products.back(), 7);
            std::vector<T> sums = x;
            kernels.combine(columns, -1, factors.data(), sums.data());
            Worst worst;
            for (Index j = 0; j < cols; ++j) {
                Real sum = 0;
                Real magnitude = 0;
                for (Index i = 0; i < n; ++i) {
                    sum += static_cast<Real>(A.at(i, j)) * x[i];
                    magnitude += std::abs(static_cast<Real>(A.at(i, j)) * x[i]);
                }
                worst.note(products[j], sum, magnitude, j);
                if (n > 0)
                    worst.note(kernels.dot(n, A.values.data() + j * A.operand.col_step, x.data()),
                               sum, magnitude, j);
            }
            for (Index i = 0; i < n; ++i) {
                Real sum = x[i];
                Real magnitude = std::abs(sum);
                for (Index j = 0; j < cols; ++j) {
                    sum -= static_cast<Real>(A.at(i, j)) * factors[j];
                    magnitude += std::abs(static_cast<Real>(A.at(i, j)) * factors[j]);
                }
                worst.note(sums[i], sum, magnitude, i);
            }
            expect_small(worst, unit<T>() * (2 + std::sqrt(static_cast<double>(n))));
        }
}

TEST_P(DenseLoops, VectorsEqualPlainLoops) {
    check_vectors(kernels().f64);
    check_vectors(kernels().f32);
}

// The factor in double precision is tested in test_matrix_kernels.cpp.
TEST_P(DenseLoops, FactorInSinglePrecisionHasTheProducts) {
    for (const Index n : {1, 7, 8, 9, 31, 33, 77, 130}) {
        SCOPED_TRACE(n);
        const Index stride = n + 3;
        std::vector<float> A = values_of<float>(n * stride, 22);
        for (Index j = 0; j < n; ++j) A[j * stride + j] = 3.0F * static_cast<float>(n);
        std::vector<float> U = A;
        std::vector<float> scratch(static_cast<std::size_t>(linalg::cholesky_scratch(n)));
        ASSERT_TRUE(kernels().f32.cholesky(n, U.data(), stride, scratch.data()));
        Worst worst;
        for (Index j = 0; j < n; ++j)
            for (Index i = 0; i <= j; ++i) {
                Real sum = 0;
                for (Index k = 0; k <= i; ++k)
                    sum += static_cast<Real>(U[i * stride + k]) * U[j * stride + k];
                worst.note(static_cast<double>(sum), A[j * stride + i], 3 * n, j * n + i);
            }
        expect_small(worst, 1e-6);
        U = A;
        U[(n - 1) * stride + n - 1] = -1;
        EXPECT_FALSE(kernels().f32.cholesky(n, U.data(), stride, scratch.data()));
    }
}

INSTANTIATE_TEST_SUITE_P(Sets, DenseLoops, instruction_sets(), set_name);

}  // namespace
}  // namespace sven::test
