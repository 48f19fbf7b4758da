// Factors of K = G_AA + ridge, kept up to date, against systems solved by plain elimination.

#include "reduction/factor_slots.hpp"
#include "reduction/systems/support_systems.hpp"

namespace sven::test {
namespace {

using reduction::AppendedFactor;
using reduction::SupportSystems;

void solve(AppendedFactor& factor, const std::vector<double>& b, std::vector<double>& x) {
    reduction::SolveGoal goal;
    EXPECT_TRUE(factor.solve(b.data(), x.data(), goal));
}
void solve(SupportSystems& systems, const std::vector<double>& b, std::vector<double>& x) {
    systems.solve(b.data(), x.data());
}

template <class Factor>
void check_solves(Slots& slots, Factor& factor, const std::vector<double>& ridge,
                  double tolerance) {
    const std::vector<double> b = random_vector(slots.p, 9);
    std::vector<double> x(static_cast<std::size_t>(slots.p), 0.0);
    solve(factor, b, x);
    const std::vector<Real> expected = solve_naively(slots, factor.order(), ridge, b);
    Real largest = 0;
    for (const Real value : expected) largest = std::max(largest, std::abs(value));
    Worst solved;
    Real quadratic = 0;
    for (std::size_t k = 0; k < expected.size(); ++k) {
        solved.note(x[factor.order()[k]], expected[k], largest, factor.order()[k]);
        quadratic += expected[k] * b[factor.order()[k]];  // x'Kx
    }
    expect_small(solved, tolerance);
    EXPECT_NEAR(factor.quadratic(x.data()), static_cast<double>(quadratic),
                tolerance * static_cast<double>(quadratic) + 1e-300);
}

std::vector<Index> sorted(std::span<const Index> values) {
    std::vector<Index> out(values.begin(), values.end());
    std::sort(out.begin(), out.end());
    return out;
}

class Factor : public testing::TestWithParam<bool> {
  protected:
    bool by_gram() const { return GetParam(); }
};

// More columns than are rotated side by side, so many of which go that U has gaps of all widths.
TEST_P(Factor, LosesManyAtOnce) {
    Slots slots(150, 90, random_vector(150 * 90, 5), by_gram());
    Random random(6);
    const std::vector<double> ridge(static_cast<std::size_t>(slots.p), 0.0);
    for (const Index leaving : {1, 7, 20}) {
        SCOPED_TRACE(leaving);
        std::vector<char> active(static_cast<std::size_t>(slots.p), 1);
        AppendedFactor factor(linalg::Execution{});
        EXPECT_TRUE(factor.update({slots.kernel(), active, ridge, 0}));
        for (Index k = 0; k < leaving; ++k) active[random.index(slots.p)] = 0;
        active[slots.p - 1] = 0;
        EXPECT_TRUE(factor.update({slots.kernel(), active, ridge, 0}));
        EXPECT_EQ(sorted(factor.order()), active_slots(active));
        check_solves(slots, factor, ridge, 1e-10);
    }
}

// What is left for some slots has their part of the solution of all; and those of them that are
// taken up then, in any order, are appended as from the beginning.
TEST_P(Factor, EliminatesTheSupportForOthers) {
    Slots slots(90, 60, random_vector(90 * 60, 7), by_gram());
    const auto size = static_cast<std::size_t>(slots.p);
    for (const double l2 : {0.0, 0.7}) {
        const std::vector<double> ridge(size, l2);
        std::vector<char> active(size, 0);
        std::vector<Index> others;
        for (Index j = 0; j < slots.p; ++j) j % 3 == 1 ? others.push_back(j) : void(active[j] = 1);
        const reduction::SystemRequest request{slots.kernel(), active, ridge, l2};
        AppendedFactor factor(linalg::Execution{});
        EXPECT_TRUE(factor.update(request));
        linalg::Buffer<double> rest;
        ASSERT_TRUE(factor.eliminate(request, others, rest));
        expect_remainder(slots, ridge, active, others, rest, 1e-11);
        for (std::size_t k = 0; k < others.size(); k += 2) active[others[k]] = 1;
        EXPECT_TRUE(factor.update(request));
        check_solves(slots, factor, ridge, 1e-11);
        // what was kept is not that of the factor of today
        active[others[1]] = 1;
        active[0] = 0;
        EXPECT_TRUE(factor.update(request));
        check_solves(slots, factor, ridge, 1e-11);
    }
}

TEST_P(Factor, FollowsASupportThatChanges) {
    Slots slots(60, 40, random_vector(60 * 40, 2), by_gram());
    Random random(3);
    for (const double l2 : {0.0, 0.7}) {
        std::vector<double> ridge;
        for (Index j = 0; j < slots.p; ++j) ridge.push_back(l2 * (0.5 + random.uniform()));
        std::vector<char> active(static_cast<std::size_t>(slots.p), 0);
        for (Index j = 0; j < slots.p; j += 2) active[j] = 1;
        AppendedFactor factor(linalg::Execution{});
        for (int step = 0; step < 60; ++step) {
            SCOPED_TRACE(step);
            // a few at a time: appended and removed; now and then many: factored anew
            const Index flips = step % 13 == 12 ? 30 : random.index(4);
            for (Index k = 0; k < flips; ++k) active[random.index(slots.p)] ^= 1;
            const reduction::SystemRequest request{slots.kernel(), active, ridge, l2};
            EXPECT_TRUE(factor.update(request));
            EXPECT_TRUE(factor.refused().empty());
            EXPECT_EQ(sorted(factor.order()), active_slots(active));
            if (step % 5 == 0) check_solves(slots, factor, ridge, 1e-11);
            // and equals a fresh one
            AppendedFactor fresh(linalg::Execution{});
            EXPECT_TRUE(fresh.update(request));
            const std::vector<double> b = random_vector(slots.p, 4);
            std::vector<double> x(static_cast<std::size_t>(slots.p), 0.0);
            std::vector<double> y = x;
            solve(factor, b, x);
            solve(fresh, b, y);
            for (Index j = 0; j < slots.p; ++j) EXPECT_NEAR(x[j], y[j], 1e-11);
        }
    }
}

TEST_P(Factor, TakesUpANewRidge) {
    Slots slots(20, 50, random_vector(20 * 50, 5), by_gram());  // more features than rows
    const std::vector<char> active(static_cast<std::size_t>(slots.p), 1);
    AppendedFactor factor(linalg::Execution{});
    for (const double l2 : {1.0, 0.25, 8.0}) {
        const std::vector<double> ridge(static_cast<std::size_t>(slots.p), l2);
        EXPECT_TRUE(factor.update({slots.kernel(), active, ridge, l2}));
        EXPECT_EQ(factor.order().size(), active.size());
        check_solves(slots, factor, ridge, 1e-11);
    }
}

// 150 of them: in several blocks, on two threads.
TEST_P(Factor, KnowsTheDiagonalOfTheInverse) {
    for (const Index p : {12, 150}) {
        SCOPED_TRACE(p);
        Slots slots(2 * p, p, random_vector(2 * p * p, 6), by_gram());
        std::vector<char> active(static_cast<std::size_t>(p), 1);
        active[4] = 0;
        const std::vector<double> ridge(static_cast<std::size_t>(p), 0.3);
        linalg::Execution execution;
        execution.threads = 2;
        AppendedFactor factor(execution);
        EXPECT_TRUE(factor.update({slots.kernel(), active, ridge, 0.3}));
        std::vector<double> diagonal;
        EXPECT_TRUE(factor.inverse_diagonal(diagonal));
        ASSERT_EQ(diagonal.size(), factor.order().size());
        for (std::size_t k = 0; k<diagonal.size(); k += p> 12 ? 37 : 1) {
            std::vector<double> unit(static_cast<std::size_t>(p), 0.0);
            unit[factor.order()[k]] = 1;
            const std::vector<Real> column = solve_naively(slots, factor.order(), ridge, unit);
            EXPECT_NEAR(diagonal[k], static_cast<double>(column[k]), 1e-12);
        }
    }
}

// Duplicates, a combination of two others, a column of zeros.
TEST_P(Factor, RefusesDependentColumns) {
    const Index n = 25;
    std::vector<double> X = random_vector(n * 8, 7);
    for (Index i = 0; i < n; ++i) {
        X[5 * n + i] = -X[1 * n + i];
        X[6 * n + i] = X[2 * n + i] + 2 * X[3 * n + i];
        X[7 * n + i] = 0;
    }
    Slots slots(n, 8, X, by_gram());
    const std::vector<double> none(8, 0.0);
    {
        SCOPED_TRACE("all at once");
        AppendedFactor factor(linalg::Execution{});
        const std::vector<char> active(8, 1);
        EXPECT_TRUE(factor.update({slots.kernel(), active, none, 0}));
        EXPECT_EQ(factor.refused().size(), 3U);
        EXPECT_EQ(factor.order().size(), 5U);
        check_solves(slots, factor, none, 1e-10);
    }
    {
        SCOPED_TRACE("those that come later");
        AppendedFactor factor(linalg::Execution{});
        std::vector<char> active{1, 1, 1, 1, 0, 0, 0, 0};
        EXPECT_TRUE(factor.update({slots.kernel(), active, none, 0}));
        EXPECT_TRUE(factor.refused().empty());
        active.assign(8, 1);
        EXPECT_TRUE(factor.update({slots.kernel(), active, none, 0}));
        EXPECT_EQ(sorted(factor.refused()), (std::vector<Index>{5, 6, 7}));
        EXPECT_EQ(sorted(factor.order()), (std::vector<Index>{0, 1, 2, 3, 4}));
        check_solves(slots, factor, none, 1e-10);
    }
    {
        SCOPED_TRACE("a ridge makes them independent");
        AppendedFactor factor(linalg::Execution{});
        const std::vector<char> active(8, 1);
        const std::vector<double> ridge(8, 0.5);
        EXPECT_TRUE(factor.update({slots.kernel(), active, ridge, 0.5}));
        EXPECT_TRUE(factor.refused().empty());
        check_solves(slots, factor, ridge, 1e-10);
    }
}

// More columns than are appended behind one triangular solve, and dependent ones among them: a
// multiple of a member, of a column of the same step, of one of a step before; a combination.
TEST_P(Factor, RefusesSomeOfManyColumns) {
    const Index n = 240;
    const Index p = 180;
    const auto size = static_cast<std::size_t>(p);
    std::vector<double> X = random_vector(n * p, 11);
    const auto copy = [&](Index from, double ratio, Index to) {
        for (Index i = 0; i < n; ++i) X[to * n + i] = ratio * X[from * n + i];
    };
    copy(3, -1.5, 40);
    copy(50, 0.1, 60);
    copy(61, 7, 170);
    for (Index i = 0; i < n; ++i) X[150 * n + i] = X[5 * n + i] - 3 * X[110 * n + i];
    Slots slots(n, p, X, by_gram());
    const std::vector<double> none(size, 0.0);
    for (const Index members : {0, 30, 100}) {
        SCOPED_TRACE(members);
        AppendedFactor factor(linalg::Execution{});
        std::vector<char> active(size, 0);
        std::fill_n(active.begin(), members, 1);
        EXPECT_TRUE(factor.update({slots.kernel(), active, none, 0}));
        std::vector<Index> refused = sorted(factor.refused());
        for (const Index slot : refused) active[slot] = 0;
        for (std::size_t slot = members; slot < size; ++slot) active[slot] = 1;
        EXPECT_TRUE(factor.update({slots.kernel(), active, none, 0}));
        refused.insert(refused.end(), factor.refused().begin(), factor.refused().end());
        EXPECT_EQ(sorted(refused), (std::vector<Index>{40, 60, 150, 170}));
        EXPECT_EQ(factor.order().size(), size - 4);
        check_solves(slots, factor, none, 1e-9);
    }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Factor, testing::Bool(), [](const auto& tested) {
    return std::string(tested.param ? "gram" : "columns");
});

// Columns 1e-8 apart: their Gram matrix is singular to rounding, their QR is not.
TEST(FactorByColumns, ResolvesNearDuplicatesByQr) {
    const Index n = 30;
    for (const double l2 : {0.0, 1e-18}) {
        SCOPED_TRACE(l2);
        std::vector<double> X = random_vector(n * 5, 8);
        const std::vector<double> noise = random_vector(n, 9);
        for (Index i = 0; i < n; ++i) X[3 * n + i] = X[i] + 1e-8 * noise[i];
        Slots slots(n, 5, X, false);
        const std::vector<double> ridge(5, l2);
        SupportSystems factor(linalg::Execution{});
        std::vector<char> active{1, 1, 1, 0, 1};
        factor.update({slots.kernel(), active, ridge, l2});
        EXPECT_FALSE(factor.is_orthogonal());
        active[3] = 1;
        factor.update({slots.kernel(), active, ridge, l2});
        EXPECT_TRUE(factor.is_orthogonal());
        EXPECT_TRUE(factor.refused().empty());
        ASSERT_EQ(factor.order().size(), 5U);
        // the distance that the Gram matrix does not know
        const std::vector<double> difference{1, 0, 0, -1, 0};
        Real distance = 2 * l2;
        for (Index i = 0; i < n; ++i) {
            const Real d = static_cast<Real>(X[i]) - X[3 * n + i];
            distance += d * d;
        }
        EXPECT_NEAR(factor.quadratic(difference.data()) / static_cast<double>(distance), 1, 1e-6);
        active[3] = 0;
        factor.update({slots.kernel(), active, ridge, l2});
        EXPECT_FALSE(factor.is_orthogonal());
        check_solves(slots, factor, ridge, 1e-11);
    }
}

// No more columns than rows are independent.
TEST(FactorByColumns, StopsAtTheNumberOfRows) {
    Slots slots(6, 9, random_vector(6 * 9, 10), false);
    const std::vector<char> active(9, 1);
    const std::vector<double> none(9, 0.0);
    SupportSystems factor(linalg::Execution{});
    factor.update({slots.kernel(), active, none, 0});
    EXPECT_EQ(factor.order().size(), 6U);
    EXPECT_EQ(factor.refused().size(), 3U);
}

}  // namespace
}  // namespace sven::test
