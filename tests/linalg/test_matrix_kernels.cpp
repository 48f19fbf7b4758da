// The inner loops over matrices, Gram panels and Cholesky factors, for each instruction set that
// this processor has, against plain loops.

#include <cmath>

#include "linalg/instruction_sets.hpp"

namespace sven::test {
namespace {

class MatrixLoops : public EveryInstructionSet {};

// C with the products of panels A and B, of n rows, added where `is_added(row, column)`.
template <class IsAdded>
Worst compare_gram(const std::vector<double>& A, const std::vector<double>& B,
                   const std::vector<double>& before, const std::vector<double>& after,
                   const IsAdded& is_added) {
    constexpr Index width = linalg::gram_width;
    const auto n = static_cast<Index>(B.size()) / width;
    const auto ldc = static_cast<Index>(before.size()) / width;
    Worst worst;
    for (Index v = 0; v < width; ++v)
        for (Index row = 0; row < ldc; ++row) {
            const Index at = row + v * ldc;
            Real sum = before[at];
            Real magnitude = std::abs(sum);
            for (Index i = 0; is_added(row, v) && i < n; ++i) {
                const Real term =
                    static_cast<Real>(A[(row / width) * n * width + i * width + row % width]) *
                    B[i * width + v];
                sum += term;
                magnitude += std::abs(term);
            }
            worst.note(after[at], sum, magnitude, at);
        }
    return worst;
}

TEST_P(MatrixLoops, GramOfPanelsEqualsPlainLoops) {
    constexpr Index width = linalg::gram_width;
    for (const Index n : lengths)
        for (const Index panels : {1, 2, 3, 4, 7}) {
            SCOPED_TRACE(testing::Message() << n << " rows, " << panels << " panels");
            const std::vector<double> A = random_vector(panels * n * width, 46);
            const std::vector<double> B = random_vector(n * width, 47);
            const Index ldc = panels * width + 3;
            const std::vector<double> before = random_vector(ldc * width, 48);
            std::vector<double> C = before;
            linalg::Ahead ahead;
            kernels().gram(A.data(), panels, B.data(), n, C.data(), ldc, ahead);
            expect_small(compare_gram(A, B, before, C,
                                      [&](Index row, Index) { return row < panels * width; }),
                         tolerance);
        }
}

TEST_P(MatrixLoops, GramOfHalfAPanelEqualsPlainLoops) {
    constexpr Index width = linalg::gram_width;
    constexpr Index ldc = width + 3;
    const std::vector<double> before = random_vector(ldc * width, 48);
    for (const Index n : lengths) {
        SCOPED_TRACE(n);
        const std::vector<double> A = random_vector(n * width, 46);
        const std::vector<double> B = random_vector(n * width, 47);
        std::vector<double> C = before;
        linalg::Ahead nothing;
        kernels().gram_half(A.data(), B.data(), n, C.data(), ldc, nothing);
        expect_small(
            compare_gram(A, B, before, C, [](Index row, Index) { return row < width / 2; }),
            tolerance);
        C = before;
        kernels().gram_diagonal(A.data(), n, C.data(), ldc, nothing);
        expect_small(compare_gram(A, A, before, C,
                                  [](Index row, Index column) {
                                      return row < width &&
                                             (row >= width / 2 || column < width / 2);
                                  }),
                     tolerance);
    }
}

// What lies ahead is gone through once, run by run, while a kernel computes.
TEST_P(MatrixLoops, GramFetchesWhatLiesAhead) {
    const std::vector<char> memory(40 * 64);
    linalg::Ahead ahead{memory.data(), 3, 64 * 5, 9, 0};
    const std::vector<double> A = random_vector(40 * 8, 46);
    std::vector<double> C(64);
    kernels().gram(A.data(), 1, A.data(), 10, C.data(), 8, ahead);
    EXPECT_LT(ahead.left, 9);
    for (int k = 0; k < 9; ++k) kernels().gram(A.data(), 1, A.data(), 10, C.data(), 8, ahead);
    EXPECT_EQ(ahead.left, 0);
    EXPECT_EQ(ahead.at, memory.data() + 3 * 8 * 64);
}

TEST_P(MatrixLoops, CholeskyEqualsPlainLoops) {
    for (const Index n : {0, 1, 3, 7, 8, 9, 16, 31, 32, 33, 41, 64, 77, 130}) {
        SCOPED_TRACE(n);
        const Index stride = n + 3;
        const std::vector<double> noise = random_vector(n * n, 68);
        std::vector<double> A(static_cast<std::size_t>(n * stride), 7.0);
        std::vector<Real> U(static_cast<std::size_t>(n * n));
        for (Index j = 0; j < n; ++j)
            for (Index i = 0; i <= j; ++i)
                A[j * stride + i] = noise[j * n + i] + (i == j ? 3.0 * static_cast<double>(n) : 0);
        for (Index j = 0; j < n; ++j)
            for (Index i = 0; i <= j; ++i) {
                Real sum = A[j * stride + i];
                for (Index k = 0; k < i; ++k) sum -= U[i * n + k] * U[j * n + k];
                U[j * n + i] = i == j ? std::sqrt(sum) : sum / U[i * n + i];
            }
        std::vector<double> scratch(static_cast<std::size_t>(linalg::cholesky_scratch(n)));
        std::vector<double> factor = A;
        ASSERT_TRUE(kernels().f64.cholesky(n, factor.data(), stride, scratch.data()));
        Worst worst;
        for (Index j = 0; j < n; ++j) {
            for (Index i = 0; i <= j; ++i)
                worst.note(factor[j * stride + i], U[j * n + i], U[i * n + i], j * n + i);
            for (Index i = n; i < stride; ++i) EXPECT_EQ(factor[j * stride + i], 7.0);
        }
        expect_small(worst, tolerance);
        for (Index j = 0; j < n; ++j) {  // no pivot, wherever it is
            factor = A;
            factor[j * stride + j] = -1;
            EXPECT_FALSE(kernels().f64.cholesky(n, factor.data(), stride, scratch.data())) << j;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Sets, MatrixLoops, instruction_sets(), set_name);

}  // namespace
}  // namespace sven::test
