// Where a setting is expected to be, against where it is: by the factor of the last setting, and
// along the line through the last two.

#include <cmath>

#include "reduction/gram_problem.hpp"

namespace sven::test {
namespace {

using Problem = GramProblem;
constexpr Index p = GramProblem::p;

double distance(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t j = 0; j < a.size(); ++j) sum = std::max(sum, std::abs(a[j] - b[j]));
    return sum;
}

// Half of the way, a quarter of what is missed.
TEST(Forecast, ByTheFactorIsOfSecondOrder) {
    int judged = 0;
    for (unsigned seed = 1; seed <= 20; ++seed) {
        std::vector<double> missed;
        bool is_same_support = true;
        for (const double step : {2e-4, 1e-4}) {
            Problem problem(seed);
            problem.run(0.5, 6);
            problem.run(0.3, 4);
            reduction::Forecast forecast;
            forecast.begin(problem.machine(), problem.state(),
                           problem.at(0.3 - step, 4 - 100 * step));
            ASSERT_EQ(forecast.by_factor().size(), problem.state().beta.size());
            const std::vector<double> before = problem.beta();
            const std::vector<double> expected = problem.moved(forecast.by_factor());
            problem.run(0.3 - step, 4 - 100 * step);
            const std::vector<double> found = problem.beta();
            for (Index j = 0; j < p; ++j) is_same_support &= (before[j] == 0) == (found[j] == 0);
            missed.push_back(distance(expected, found));
            EXPECT_LT(missed.back(), 0.1 * distance(before, found)) << seed;
        }
        if (!is_same_support) continue;
        ++judged;
        EXPECT_NEAR(missed[0] / missed[1], 4, 0.3) << seed;
    }
    EXPECT_GE(judged, 10);
}

// At the same l2 the next Newton point costs no factor; without a ridge it is exact already.
TEST(Forecast, ByTheFactorIsMadeOnlyWhereItSavesOne) {
    Problem problem(3);
    const auto expect = [&](double share, double l2) {
        reduction::Forecast forecast;
        forecast.begin(problem.machine(), problem.state(), problem.at(share, l2));
        return !forecast.by_factor().empty();
    };
    problem.run(0.5, 5);
    problem.run(0.3, 4);
    EXPECT_TRUE(expect(0.25, 3));
    EXPECT_FALSE(expect(0.25, 4));
    reduction::compact(problem.machine(), problem.state());
    problem.machine().systems.reset();  // no factor is left of it
    EXPECT_FALSE(expect(0.25, 3));
    problem.run(0.3, 0);
    EXPECT_FALSE(expect(0.25, 3));
}

// A support that a setting left as it was is expected to stay.
TEST(Forecast, ByTheFactorIsMadeOnlyWhereTheSupportChanges) {
    Problem problem(4);
    reduction::Forecast forecast;
    const auto expect = [&](double share, double l2) {
        forecast.begin(problem.machine(), problem.state(), problem.at(share, l2));
        return !forecast.by_factor().empty();
    };
    const auto support = [&] {
        problem::Support saved;
        reduction::save(problem.machine(), problem.state(), saved);
        return saved.features;
    };
    problem.run(0.5, 5);
    const std::vector<Index> first = support();
    EXPECT_TRUE(expect(0.3, 4));
    problem.run(0.3, 4);
    const std::vector<Index> second = support();
    ASSERT_NE(first, second);
    EXPECT_TRUE(expect(0.3 - 1e-6, 4 - 1e-6));
    problem.run(0.3 - 1e-6, 4 - 1e-6);
    ASSERT_EQ(second, support());
    EXPECT_FALSE(expect(0.2, 3));
}

// A path with a ridge that shrinks: two systems a setting or less, where it takes more than three
// from the support of the setting before.
TEST(Forecast, SavesSystems) {
    constexpr int settings = 30;
    Index iterations = 0;
    for (unsigned seed = 1; seed <= 10; ++seed) {
        Problem problem(seed);
        for (int k = 0; k < settings; ++k) {
            const double share = std::pow(0.85, k);
            iterations += problem.run(share, 10 * share);
        }
    }
    EXPECT_LE(iterations, static_cast<Index>(10 * settings * 1.7));
}

TEST(Forecast, OfALineKeepsSigns) {
    Problem problem(5);
    reduction::Forecast forecast;
    const auto begin = [&](double share) {
        forecast.begin(problem.machine(), problem.state(), problem.at(share, 4));
    };
    problem.run(0.5, 4);
    begin(0.4);
    const std::vector<double> first = problem.beta();
    problem.run(0.4, 4);
    begin(0.35);
    const std::vector<double> second = problem.beta();
    problem.run(0.35, 4);
    const std::vector<double> third = problem.beta();
    // back to the second setting, and on from there
    problem.run(0.4, 4);
    forecast.extrapolate(problem.machine(), problem.state());
    const std::vector<double> expected = problem.beta();
    int moved = 0;
    double missed = 0;
    double missed_before = 0;
    for (Index j = 0; j < p; ++j) {
        const bool is_on_a_line = first[j] * second[j] > 0;
        if (!is_on_a_line) {
            EXPECT_NEAR(expected[j], second[j], 1e-12) << j;
            continue;
        }
        ++moved;
        missed += std::abs(expected[j] - third[j]);
        missed_before += std::abs(second[j] - third[j]);
        const double at = second[j] + 0.5 * (second[j] - first[j]);
        EXPECT_NEAR(expected[j], at * second[j] > 0 ? at : 0, 1e-12) << j;
    }
    EXPECT_GE(moved, 3);
    EXPECT_LT(missed, 0.3 * missed_before);
}

// Not upwards, and not further than the last step went.
TEST(Forecast, OfALineNeedsTwoSettingsOnTheWay) {
    Problem problem(6);
    reduction::Forecast forecast;
    problem.run(0.5, 4);
    forecast.begin(problem.machine(), problem.state(), problem.at(0.4, 4));
    problem.run(0.4, 4);
    const std::vector<double> before = problem.beta();
    const auto expect_move = [&](double share, double ratio) {
        reduction::Forecast copy = forecast;
        copy.begin(problem.machine(), problem.state(), problem.at(share, 4));
        reduction::State state = problem.state();
        copy.extrapolate(problem.machine(), state);
        double moved = 0;
        double whole = 0;
        reduction::Forecast full = forecast;
        full.begin(problem.machine(), problem.state(), problem.at(0.3, 4));
        reduction::State there = problem.state();
        full.extrapolate(problem.machine(), there);
        for (std::size_t slot = 0; slot < state.beta.size(); ++slot) {
            moved += std::abs(state.beta[slot] - problem.state().beta[slot]);
            whole += std::abs(there.beta[slot] - problem.state().beta[slot]);
        }
        EXPECT_GT(whole, 0);
        EXPECT_NEAR(moved, ratio * whole, 1e-9 * whole) << share;
    };
    expect_move(0.3, 1);
    expect_move(0.2, 1);
    expect_move(0.4, 0);
    expect_move(0.45, 0);
}

}  // namespace
}  // namespace sven::test
