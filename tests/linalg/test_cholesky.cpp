#include <chrono>
#include <thread>

#include "linalg/cholesky.hpp"
#include "linalg/naive.hpp"

namespace sven::test {
namespace {

// A'A / rows + diagonal, column-major with padding that must survive.
std::vector<double> gram_of(Index n, Index rows, double diagonal, Index stride) {
    const std::vector<double> A = random_vector(rows * n, 61);
    std::vector<double> K(static_cast<std::size_t>(stride * n), 7.0);
    for (Index j = 0; j < n; ++j)
        for (Index i = 0; i <= j; ++i) {
            double sum = i == j ? diagonal : 0;
            for (Index k = 0; k < rows; ++k)
                sum += A[i * rows + k] * A[j * rows + k] / static_cast<double>(rows);
            K[j * stride + i] = sum;
        }
    return K;
}

// One row of U after the other, in long double.
std::vector<Real> naive_cholesky(Index n, const std::vector<double>& K, Index stride) {
    std::vector<Real> U(static_cast<std::size_t>(n * n));  // column-major
    for (Index j = 0; j < n; ++j)
        for (Index i = 0; i <= j; ++i) {
            Real sum = K[j * stride + i];
            const Real* a = U.data() + i * n;
            const Real* b = U.data() + j * n;
            for (Index k = 0; k < i; ++k) sum -= a[k] * b[k];
            U[j * n + i] = i == j ? std::sqrt(sum) : sum / a[i];
        }
    return U;
}

class Cholesky : public testing::TestWithParam<Index> {};

TEST_P(Cholesky, EqualsPlainLoopsOnAnyNumberOfThreads) {
    const Index n = GetParam();
    const Index stride = n + 5;
    const std::vector<double> K = gram_of(n, 40, 0.5, stride);
    const std::vector<Real> expected = naive_cholesky(n, K, stride);
    for (const int threads : {1, 2, 4}) {
        SCOPED_TRACE(threads);
        std::vector<double> U = K;
        ASSERT_TRUE(linalg::cholesky_upper(n, U.data(), stride, {threads, nullptr}));
        Worst worst;
        Index touched = 0;
        for (Index j = 0; j < n; ++j)
            for (Index i = 0; i < stride; ++i) {
                if (i <= j)
                    worst.note(U[j * stride + i], expected[j * n + i], 1, j * n + i);
                else
                    touched += i >= n && U[j * stride + i] != 7;
            }
        expect_small(worst, 1e-12);
        EXPECT_EQ(touched, 0);
    }
}

TEST_P(Cholesky, SaysWhereAMatrixIsNotPositiveDefinite) {
    const Index n = GetParam();
    if (n == 0) return;
    for (const int threads : {1, 2, 4})
        for (const Index at : {Index{0}, n / 2, n - 1}) {
            std::vector<double> K = gram_of(n, 40, 0.5, n);
            K[at * n + at] = -1;
            EXPECT_FALSE(linalg::cholesky_upper(n, K.data(), n, {threads, nullptr}));
        }
}

INSTANTIATE_TEST_SUITE_P(Sizes, Cholesky,
                         testing::Values(0, 1, 2, 50, 61, 239, 383, 384, 500, 512, 513, 705));

TEST(CholeskyCancel, StopsBetweenBlocks) {
    const Index n = 600;
    std::atomic<bool> cancel{true};
    std::vector<double> K = gram_of(n, 40, 0.5, n);
    EXPECT_THROW(linalg::cholesky_upper(n, K.data(), n, {2, &cancel}), linalg::Cancelled);
}

// Every row of this matrix looks like the others, and so do the diagonal entries of what is still
// to be factored, but where an update was left in the middle.
bool is_left_inside_an_update(std::span<const double> K, Index n) {
    double low = infinity;
    double high = 0;
    for (Index j = 0; j < n; ++j) {
        const double pivot = K[j * n + j];
        if (pivot < 0.5 * static_cast<double>(n)) continue;  // factored: about the root of n
        low = std::min(low, pivot);
        high = std::max(high, pivot);
    }
    return high > low * (1 + 1e-6);
}

// The update of a large matrix by one panel takes longer than anybody wants to wait.
TEST(CholeskyCancel, StopsInsideAnUpdate) {
    const Index n = 2048;
    std::vector<double> K(static_cast<std::size_t>(n * n));
    const auto cancel_after = [&](std::chrono::microseconds delay) {
        std::fill(K.begin(), K.end(), 1.0);
        for (Index j = 0; j < n; ++j) K[j * n + j] = static_cast<double>(n);
        std::atomic<bool> cancel{false};
        std::thread other([&] {
            std::this_thread::sleep_for(delay);
            cancel = true;
        });
        try {
            linalg::cholesky_upper(n, K.data(), n, {1, &cancel});
        } catch (const linalg::Cancelled&) {
        }
        other.join();
        return is_left_inside_an_update(K, n);
    };
    bool is_seen = false;
    for (int trial = 1; trial <= 200 && !is_seen; ++trial)
        is_seen = cancel_after(std::chrono::microseconds(400 * trial));
    EXPECT_TRUE(is_seen);
}

}  // namespace
}  // namespace sven::test
