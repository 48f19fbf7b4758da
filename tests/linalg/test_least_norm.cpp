#include "linalg/least_norm.hpp"
#include "linalg/naive.hpp"

namespace sven::test {
namespace {

// F F' of `rank` columns, and a right-hand side in its span.
struct System {
    System(Index n, Index rank)
        : F(random_vector(n * rank, 41)), S(static_cast<std::size_t>(n * n)) {
        for (Index j = 0; j < n; ++j)
            for (Index i = 0; i < n; ++i)
                for (Index k = 0; k < rank; ++k) S[j * n + i] += F[k * n + i] * F[k * n + j];
    }
    std::vector<double> F;
    std::vector<double> S;
};

// x is of least norm if it lies in the span of S, whose columns are those of F: for x = F z, S x =
// b determines it.
TEST(LeastNorm, FindsTheSolutionInTheSpan) {
    for (const Index n : {1, 2, 5, 40, 90})
        for (const Index rank : {Index{1}, (n + 1) / 2, n}) {
            SCOPED_TRACE(testing::Message() << n << ", rank " << rank);
            const System system(n, rank);
            const std::vector<double> z = random_vector(rank, 42);
            std::vector<double> x(static_cast<std::size_t>(n));
            for (Index k = 0; k < rank; ++k)
                for (Index i = 0; i < n; ++i) x[i] += system.F[k * n + i] * z[k];
            std::vector<double> b(x.size());
            for (Index j = 0; j < n; ++j)
                for (Index i = 0; i < n; ++i) b[i] += system.S[j * n + i] * x[j];
            std::vector<double> S = system.S;
            linalg::solve_least_norm(n, S.data(), b.data(), 1e-12);
            // a square of a random matrix may be ill-conditioned: its solution is judged by S
            if (rank < n) {
                for (Index i = 0; i < n; ++i) EXPECT_NEAR(b[i], x[i], 1e-8);
            } else {
                for (Index i = 0; i < n; ++i) {
                    double sum = 0;
                    for (Index j = 0; j < n; ++j) sum += system.S[j * n + i] * (b[j] - x[j]);
                    EXPECT_NEAR(sum, 0, 1e-8);
                }
            }
        }
}

TEST(LeastNorm, TakesZeros) {
    std::vector<double> S(9, 0.0);
    std::vector<double> b{1, 2, 3};
    linalg::solve_least_norm(3, S.data(), b.data(), 1e-12);
    EXPECT_EQ(b, std::vector<double>(3, 0.0));
}

}  // namespace
}  // namespace sven::test
