// Large supports solved by iteration: K x = b against K formed by plain loops, as the support and
// l2 change the way they do along a path.

#include "reduction/support_case.hpp"
#include "reduction/systems/support_systems.hpp"

namespace sven::test {
namespace {

class Iterations : public testing::TestWithParam<KernelKind> {};

TEST_P(Iterations, FollowSupportAndRidge) {
    for (const int threads : {1, 3}) {
        SCOPED_TRACE(threads);
        SupportCase data(500, 420, GetParam(), threads);
        reduction::SupportSystems solver({threads, nullptr});
        std::vector<double> x(static_cast<std::size_t>(data.p), 0.0);
        walk_supports({83, 0.8, 0.04}, data.p,
                      [&](const auto& active, const auto& ridge, double l2) {
                          solver.update({*data.kernel, active, ridge, l2});
                          ASSERT_TRUE(solver.is_iterative());
                          const std::vector<double> b = random_vector(data.p, 84);
                          std::fill(x.begin(), x.end(), 0.0);
                          solver.solve(b.data(), x.data());
                          EXPECT_LE(data.residual(active, ridge, b, x), 1e-11);
                          // from a guess, no further than asked for
                          x[0] = active[0] ? x[0] + 1 : 0;
                          solver.improve(b.data(), x.data(), {1e-6, 0});
                          EXPECT_LE(data.residual(active, ridge, b, x), 1.01e-6);
                      });
    }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Iterations,
                         testing::Values(KernelKind::columns, KernelKind::gram, KernelKind::sparse),
                         name_of);

// More features than rows: by a factor of the order of the rows, as features come and go, and slots
// are renumbered.
bool solve(reduction::RowFactor& factor, const std::vector<double>& b, std::vector<double>& x) {
    reduction::SolveGoal goal;
    return factor.solve(b.data(), x.data(), goal);
}

class Rows : public testing::TestWithParam<KernelKind> {};

TEST_P(Rows, FollowSupportAndRidge) {
    for (const int threads : {1, 3}) {
        SCOPED_TRACE(threads);
        SupportCase data(70, 400, GetParam(), threads);
        reduction::RowFactor factor({threads, nullptr});
        std::vector<double> x(static_cast<std::size_t>(data.p), 7.0);
        walk_supports({88, 0.3, 0.2}, data.p,
                      [&](const auto& active, const auto& ridge, double l2) {
                          ASSERT_TRUE(factor.update({*data.kernel, active, ridge, l2}));
                          const std::vector<double> b = random_vector(data.p, 89);
                          ASSERT_TRUE(solve(factor, b, x));
                          double norm = 0;
                          for (const double value : x) norm = std::max(norm, std::abs(value));
                          EXPECT_LE(data.residual(active, ridge, b, x), 1e-11 + 1e-13 * norm);
                          // asked again, nothing has changed
                          ASSERT_TRUE(factor.update({*data.kernel, active, ridge, l2}));
                          std::vector<double> again(x.size(), 7.0);
                          ASSERT_TRUE(solve(factor, b, again));
                          EXPECT_EQ(x, again);
                      });
    }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Rows, testing::Values(KernelKind::columns, KernelKind::sparse),
                         name_of);

TEST(RowFactor, FollowsRenumberedSlots) {
    SupportCase data(70, 400, KernelKind::columns, 1);
    reduction::RowFactor factor({1, nullptr});
    const std::vector<char> all(400, 1);
    const std::vector<double> ridge(400, 3.0);
    ASSERT_TRUE(factor.update({*data.kernel, all, ridge, 3}));
    std::vector<Index> kept;
    std::vector<char> active(400, 0);
    for (Index j = 0; j < 400; ++j)
        if (j % 3 != 1) {
            kept.push_back(j);
            active[j] = 1;
        }
    data.kernel->keep(kept);
    const std::vector<char> every(kept.size(), 1);
    ASSERT_TRUE(factor.update({*data.kernel, every, {ridge.data(), kept.size()}, 3}));
    const std::vector<double> b = random_vector(400, 90);
    std::vector<double> right;
    right.reserve(kept.size());
    for (const Index j : kept) right.push_back(b[j]);
    std::vector<double> solved(kept.size());
    ASSERT_TRUE(solve(factor, right, solved));
    std::vector<double> x(400, 0.0);
    for (std::size_t k = 0; k < kept.size(); ++k) x[kept[k]] = solved[k];
    EXPECT_LE(data.residual(active, ridge, b, x), 1e-11);
}

// The choice: a factor of the order of the features while they are few, of the rows when many.
TEST(SupportSystems, TurnsToTheRowsWhereFeaturesOutnumberThem) {
    SupportCase data(70, 400, KernelKind::columns, 1);
    reduction::SupportSystems solver({1, nullptr});
    std::vector<char> active(400, 0);
    double l2 = 4;
    for (const std::size_t count : {60U, 120U, 200U, 400U}) {
        std::fill_n(active.begin(), count, char{1});
        l2 *= 0.9;
        const std::vector<double> ridge(400, l2);
        solver.update({*data.kernel, active, ridge, l2});
        std::vector<double> diagonal;
        EXPECT_EQ(solver.inverse_diagonal(diagonal), count <= 60) << count;
        EXPECT_FALSE(solver.is_iterative());
        const std::vector<double> b = random_vector(400, 91);
        std::vector<double> x(400, 0.0);
        solver.solve(b.data(), x.data());
        EXPECT_LE(data.residual(active, ridge, b, x), 1e-11);
    }
}

// More features than rows and hardly a ridge: single precision does not do, nor do iterations.
TEST(SupportSystems, TurnsToAFactorWhereIterationsFail) {
    SupportCase data(280, 420, KernelKind::columns, 1);
    reduction::SupportSystems solver({1, nullptr});
    const auto size = static_cast<std::size_t>(data.p);
    const std::vector<char> active(size, 1);
    const double l2 = 1e-11;
    const std::vector<double> ridge(size, l2);
    solver.update({*data.kernel, active, ridge, l2});
    std::vector<double> b = random_vector(data.p, 85);
    std::vector<double> x(size, 0.0);
    solver.solve(b.data(), x.data());
    EXPECT_FALSE(solver.is_iterative());
    double norm = 0;
    for (const double value : x) norm = std::max(norm, std::abs(value));
    EXPECT_LE(data.residual(active, ridge, b, x), 1e-13 * 1e3 * norm);
}

// At one l2 a factor is appended to, however large it grows.
TEST(SupportSystems, KeepsTheFactorOfAnUnchangedRidge) {
    SupportCase data(500, 420, KernelKind::columns, 1);
    reduction::SupportSystems solver({1, nullptr});
    const auto size = static_cast<std::size_t>(data.p);
    std::vector<char> active(size, 0);
    const std::vector<double> ridge(size, 3.0);
    for (const std::size_t count : {100U, 200U, 300U, 400U}) {
        std::fill_n(active.begin(), count, char{1});
        solver.update({*data.kernel, active, ridge, 3});
        EXPECT_FALSE(solver.is_iterative());
    }
}

}  // namespace
}  // namespace sven::test
