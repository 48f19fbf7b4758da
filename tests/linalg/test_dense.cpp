// Dense algebra beyond the kernels: triangles of any order.

#include "linalg/cholesky.hpp"
#include "linalg/dense.hpp"
#include "linalg/naive.hpp"

namespace sven::test {
namespace {

using linalg::Triangular;

// A triangle whose inverse is tame, NaN on the other side.
std::vector<double> tame(Index n, Index stride, bool is_upper) {
    std::vector<double> U = random_vector(n * stride, 31);
    for (Index j = 0; j < n; ++j)
        for (Index i = 0; i < n; ++i) {
            double& entry = U[j * stride + i];
            if (i == j)
                entry = 2;
            else
                entry = (i < j) == is_upper ? entry / static_cast<double>(n + 1) : std::nan("");
        }
    return U;
}

// y = A x, or A'x, of a triangle
std::vector<Real> multiply_naively(Index n, const std::vector<double>& A, Index stride,
                                   bool is_upper, bool is_transposed,
                                   const std::vector<double>& x) {
    std::vector<Real> y(static_cast<std::size_t>(n));
    for (Index j = 0; j < n; ++j)
        for (Index i = is_upper ? 0 : j; i < (is_upper ? j + 1 : n); ++i) {
            const Real entry = A[j * stride + i];
            if (is_transposed)
                y[j] += entry * x[i];
            else
                y[i] += entry * x[j];
        }
    return y;
}

class Triangles : public testing::TestWithParam<Index> {};

TEST_P(Triangles, SolvesAreUndoneByProducts) {
    const Index n = GetParam();
    const Index stride = n + 3;
    using Solve = void (*)(const Triangular<double>&, double*);
    struct Case {
        Solve solve;
        bool is_upper;
        bool is_transposed;
    };
    for (const Case& tested : {Case{linalg::solve_upper, true, false},
                               {linalg::solve_upper_transposed, true, true},
                               {linalg::solve_lower, false, false},
                               {linalg::solve_lower_transposed, false, true}}) {
        const std::vector<double> A = tame(n, stride, tested.is_upper);
        const std::vector<double> b = random_vector(n, 32);
        std::vector<double> x = b;
        tested.solve({n, A.data(), stride}, x.data());
        const std::vector<Real> product =
            multiply_naively(n, A, stride, tested.is_upper, tested.is_transposed, x);
        Worst worst;
        for (Index i = 0; i < n; ++i) worst.note(b[i], product[i], 1 + std::abs(product[i]), i);
        expect_small(worst, 1e-14);
    }
    const std::vector<double> U = tame(n, stride, true);
    const std::vector<double> x = random_vector(n, 33);
    std::vector<double> y = x;
    linalg::multiply_upper({n, U.data(), stride}, y.data());
    const std::vector<Real> expected = multiply_naively(n, U, stride, true, false, x);
    Worst worst;
    for (Index i = 0; i < n; ++i) worst.note(y[i], expected[i], 1 + std::abs(expected[i]), i);
    expect_small(worst, 1e-14);
}

// Each of the three divisions, by solving for its columns or rows one by one.
TEST_P(Triangles, DivisionsEqualSolves) {
    const Index n = GetParam();
    const Index stride = n + 3;
    const Index count = 21;
    const std::vector<double> U = tame(n, stride, true);
    const std::vector<double> L = tame(n, stride, false);
    const std::vector<double> B = random_vector(stride * count, 34);
    std::vector<double> left = B;
    linalg::divide_upper_transposed<double>({n, U.data(), stride}, count, left.data(), stride);
    std::vector<double> right = B;  // count x n
    linalg::divide_upper_right<double>({n, U.data(), stride}, count, right.data(), count);
    std::vector<double> lower = B;
    linalg::divide_lower_right<double>({n, L.data(), stride}, count, lower.data(), count);
    Worst worst;
    for (Index c = 0; c < count; ++c) {
        std::vector<double> x(B.begin() + c * stride, B.begin() + c * stride + n);
        linalg::solve_upper_transposed({n, U.data(), stride}, x.data());
        for (Index i = 0; i < n; ++i) worst.note(left[c * stride + i], x[i], 1, i);
        for (Index i = 0; i < n; ++i) x[i] = B[i * count + c];
        linalg::solve_upper_transposed({n, U.data(), stride}, x.data());
        for (Index i = 0; i < n; ++i) worst.note(right[i * count + c], x[i], 1, i);
        for (Index i = 0; i < n; ++i) x[i] = B[i * count + c];
        linalg::solve_lower({n, L.data(), stride}, x.data());
        for (Index i = 0; i < n; ++i) worst.note(lower[i * count + c], x[i], 1, i);
    }
    expect_small(worst, 1e-13);
}

TEST_P(Triangles, InverseHasZerosBelow) {
    const Index n = GetParam();
    const Index stride = n + 3;
    std::vector<double> U = tame(n, stride, true);
    std::vector<double> X(static_cast<std::size_t>(n * stride), 7.0);
    ASSERT_TRUE(linalg::invert_upper<double>({n, U.data(), stride}, X.data(), stride));
    Worst worst;
    for (Index j = 0; j < n; j += 3) {
        const std::vector<double> column(X.begin() + j * stride, X.begin() + j * stride + n);
        const std::vector<Real> product = multiply_naively(n, U, stride, true, false, column);
        for (Index i = 0; i < n; ++i) {
            worst.note(i == j ? 1 : 0, product[i], 1, j * n + i);
            EXPECT_TRUE(i <= j || column[i] == 0);
        }
    }
    expect_small(worst, 1e-14);
    if (n == 0) return;
    U[(n - 1) * stride + n - 1] = 0;
    EXPECT_FALSE(linalg::invert_upper<double>({n, U.data(), stride}, X.data(), stride));
}

// Up to several blocks of a division, and no multiple of them.
INSTANTIATE_TEST_SUITE_P(Orders, Triangles, testing::Values(0, 1, 2, 7, 8, 9, 64, 65, 130, 301));

TEST(Dense, AssignsOnlyItsPart) {
    const Index n = 70;
    const std::vector<double> A = random_vector(30 * n, 35);
    for (const linalg::Part part :
         {linalg::Part::whole, linalg::Part::upper, linalg::Part::lower}) {
        std::vector<double> C(static_cast<std::size_t>(n * n), 7.0);
        linalg::assign<double>({n, n, 30, 1, linalg::by_rows(A.data(), 30),
                                linalg::by_columns(A.data(), 30), C.data(), n, part});
        for (Index j = 0; j < n; j += 3)
            for (Index i = 0; i < n; ++i) {
                const bool is_inside = part == linalg::Part::whole || i == j ||
                                       (i < j) == (part == linalg::Part::upper);
                const double expected =
                    is_inside ? linalg::dot(30, A.data() + i * 30, A.data() + j * 30) : 7;
                EXPECT_NEAR(C[j * n + i], expected, 1e-12);
            }
    }
}

TEST(Dense, LowerFactorHasTheProducts) {
    const Index n = linalg::lower_cholesky_columns;
    const Index stride = n + 5;
    std::vector<double> A = random_vector(n * stride, 36);
    for (Index j = 0; j < n; ++j) A[j * stride + j] = 3.0 * static_cast<double>(n);
    std::vector<double> L = A;
    ASSERT_TRUE(linalg::cholesky_lower(n, L.data(), stride));
    for (Index j = 0; j < n; ++j)
        for (Index i = j; i < n; ++i) {
            double sum = 0;
            for (Index k = 0; k <= j; ++k) sum += L[k * stride + i] * L[k * stride + j];
            EXPECT_NEAR(sum, A[j * stride + i], 1e-11);
        }
    A[5 * stride + 5] = -1;
    EXPECT_FALSE(linalg::cholesky_lower(n, A.data(), stride));
}

}  // namespace
}  // namespace sven::test
