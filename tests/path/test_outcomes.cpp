// Binomial and poisson responses: certificates recomputed by plain loops, forms that must agree,
// and problems at the edges.

#include <gtest/gtest.h>

#include "support/certify_outcome.hpp"
#include "support/outcome_data.hpp"
#include "sven/error.hpp"
#include "sven/predict.hpp"

namespace sven::test {
namespace {

void expect_certified(const Data& data, const Solution& solution, double tolerance = 1e-10) {
    ASSERT_EQ(name(solution.status), name(Status::optimal));
    const NaiveOutcome naive = certify_outcome(data, solution);
    EXPECT_LE(solution.gap, tolerance);
    EXPECT_LE(naive.gap, tolerance);
    EXPECT_GE(naive.gap, -1e-15);
    EXPECT_NEAR(solution.deviance, naive.deviance,
                1e-12 * static_cast<double>(naive.deviance) + 1e-13);
    EXPECT_NEAR(solution.null_deviance, naive.null_deviance,
                1e-12 * static_cast<double>(naive.null_deviance));
}

void expect_path_certified(const Data& data, double alpha, int count = 12) {
    const std::vector<Setting> grid =
        lambda_grid(data.problem(), {.alpha = alpha, .count = count, .min_ratio = 0.01});
    const std::vector<Solution> path = solve_path(data.problem(), grid);
    for (const Solution& solution : path) expect_certified(data, solution);
    EXPECT_TRUE(data.factors.empty() ? path.front().coefficients.empty() : true);
    EXPECT_FALSE(path.back().coefficients.empty());
}

class Outcomes : public ::testing::TestWithParam<Family> {};

INSTANTIATE_TEST_SUITE_P(Families, Outcomes, ::testing::Values(Family::binomial, Family::poisson),
                         [](const auto& of) { return std::string(name(of.param)); });

TEST_P(Outcomes, ManyRows) {
    for (const double alpha : {1.0, 0.5, 0.02})
        expect_path_certified(outcome_data(GetParam(), 120, 15, 1), alpha);
}

TEST_P(Outcomes, ManyFeatures) {
    for (const double alpha : {1.0, 0.5})
        expect_path_certified(outcome_data(GetParam(), 40, 150, 2), alpha);
}

TEST_P(Outcomes, WeightsFactorsAndFreeFeatures) {
    Data data = outcome_data(GetParam(), 80, 30, 3);
    add_weights(data, 4);
    data.weights[1] = 1;
    add_factors(data, 5);
    expect_path_certified(data, 0.7);
    data.standardize = false;
    expect_path_certified(data, 1);
}

TEST_P(Outcomes, WithoutIntercept) {
    Data data = outcome_data(GetParam(), 60, 20, 6);
    data.intercept = false;
    expect_path_certified(data, 0.8);
}

TEST_P(Outcomes, NonNegative) {
    Data data = outcome_data(GetParam(), 60, 20, 7);
    data.nonnegative = true;
    const std::vector<Setting> grid =
        lambda_grid(data.problem(), {.alpha = 0.9, .count = 8, .min_ratio = 0.05});
    for (const Solution& solution : solve_path(data.problem(), grid)) {
        expect_certified(data, solution);
        for (const Coefficient& b : solution.coefficients) EXPECT_GT(b.value, 0);
    }
}

TEST_P(Outcomes, Offsets) {
    Data data = outcome_data(GetParam(), 60, 25, 16);
    add_factors(data, 17);
    const std::vector<double> noise = random_vector(data.n, 18);
    for (const double value : noise) data.offset.push_back(0.5 * value);
    expect_path_certified(data, 0.6);
    data.intercept = false;
    expect_path_certified(data, 0.6);
}

TEST_P(Outcomes, Limits) {
    Data data = outcome_data(GetParam(), 60, 20, 19);
    data.lower.assign(20, -0.1);
    data.upper.assign(20, 0.05);
    const std::vector<Setting> grid =
        lambda_grid(data.problem(), {.alpha = 0.5, .count = 8, .min_ratio = 0.01});
    bool is_reached = false;
    for (const Solution& solution : solve_path(data.problem(), grid)) {
        expect_certified(data, solution);
        for (const Coefficient& b : solution.coefficients) {
            EXPECT_GE(b.value, -0.1);
            EXPECT_LE(b.value, 0.05);
            is_reached |= b.value == -0.1 || b.value == 0.05;
        }
    }
    EXPECT_TRUE(is_reached);
}

// A weight is a number of rows.
TEST_P(Outcomes, WeightsAreCopies) {
    Data data = outcome_data(GetParam(), 30, 8, 8);
    Data copies = data;
    copies.n = 60;
    copies.X.clear();
    copies.y.insert(copies.y.end(), data.y.begin(), data.y.end());
    for (Index j = 0; j < data.p; ++j)
        for (int k = 0; k < 2; ++k)
            copies.X.insert(copies.X.end(), data.X.begin() + j * 30, data.X.begin() + (j + 1) * 30);
    data.weights.assign(30, 2.0);
    const Setting setting = Penalty{6, 1};
    const Solution a = fit(data.problem(), setting);
    const Solution b = fit(copies.problem(), setting);
    EXPECT_NEAR(a.deviance, b.deviance, 1e-8 * a.deviance);
    EXPECT_NEAR(a.intercept, b.intercept, 1e-6);
}

// A single setting far from the start is that of the path.
TEST_P(Outcomes, SingleFitsAgreeWithPaths) {
    const Data data = outcome_data(GetParam(), 50, 80, 9);
    const std::vector<Setting> grid =
        lambda_grid(data.problem(), {.alpha = 0.6, .count = 30, .min_ratio = 0.01});
    const Solution last = solve_path(data.problem(), grid).back();
    const Solution alone = fit(data.problem(), grid.back());
    expect_certified(data, alone);
    EXPECT_NEAR(alone.objective, last.objective, 1e-9 * std::abs(last.objective));
    ASSERT_EQ(alone.coefficients.size(), last.coefficients.size());
    for (std::size_t k = 0; k < alone.coefficients.size(); ++k)
        EXPECT_NEAR(alone.coefficients[k].standardized, last.coefficients[k].standardized, 1e-5);
}

TEST_P(Outcomes, TheSameBits) {
    const Data data = outcome_data(GetParam(), 50, 60, 10);
    const Setting setting = Mixing{0.02, 0.5};
    const Solution a = fit(data.problem(), setting);
    const Solution b = fit(data.problem(), setting);
    ASSERT_EQ(a.coefficients.size(), b.coefficients.size());
    EXPECT_EQ(a.intercept, b.intercept);
    for (std::size_t k = 0; k < a.coefficients.size(); ++k)
        EXPECT_EQ(a.coefficients[k].value, b.coefficients[k].value);
}

TEST_P(Outcomes, SharesAndRates) {
    Data data = outcome_data(GetParam(), 60, 20, 11);
    Random random(12);
    data.weights.clear();
    for (double& y : data.y) {
        data.weights.push_back(1 + static_cast<double>(random.index(9)));
        y = GetParam() == Family::binomial
                ? static_cast<double>(random.index(static_cast<Index>(data.weights.back()) + 1)) /
                      data.weights.back()
                : y / data.weights.back();
    }
    expect_path_certified(data, 0.5);
}

// A hyperplane separates the classes: with an l1 penalty there is an optimum all the same.
TEST(Outcome, SeparableClasses) {
    Data data = outcome_data(Family::binomial, 40, 6, 13);
    for (Index i = 0; i < data.n; ++i) data.y[i] = data.at(i, 0) + data.at(i, 1) > 0 ? 1 : 0;
    const std::vector<Setting> grid =
        lambda_grid(data.problem(), {.alpha = 1, .count = 15, .min_ratio = 1e-5});
    for (const Solution& solution : solve_path(data.problem(), grid))
        expect_certified(data, solution);
}

// Every feature is then free, whatever its factor.
TEST_P(Outcomes, WithoutPenalty) {
    Data data = outcome_data(GetParam(), 120, 8, 21);
    Data free = data;
    free.factors.assign(8, 0.0);
    const Solution expected = fit(free.problem(), Penalty{1, 0});
    expect_certified(free, expected);
    const std::vector<Setting> settings{Penalty{0, 0}, Penalty{1, 1}, Penalty{0, 0}, Penalty{3, 0}};
    const std::vector<Solution> path = solve_path(data.problem(), settings);
    for (const std::size_t k : {0U, 2U}) {
        EXPECT_EQ(name(path[k].status), name(Status::optimal));
        EXPECT_LE(path[k].gap, 1e-10);
        EXPECT_NEAR(path[k].deviance, expected.deviance, 1e-9 * expected.deviance);
        ASSERT_EQ(path[k].coefficients.size(), 8U);
        for (std::size_t j = 0; j < 8; ++j)
            EXPECT_NEAR(path[k].coefficients[j].value, expected.coefficients[j].value, 1e-6);
    }
    for (const std::size_t k : {1U, 3U}) expect_certified(data, path[k]);
}

// Where no coefficients reach the infimum, which is zero, the gap tells how far it is away.
TEST(Outcome, SeparableClassesWithoutPenalty) {
    Data data = outcome_data(Family::binomial, 40, 6, 13);
    for (Index i = 0; i < data.n; ++i) data.y[i] = data.at(i, 0) + data.at(i, 1) > 0 ? 1 : 0;
    const std::vector<Setting> settings{Penalty{1, 0}, Penalty{0, 0}};
    const std::vector<Solution> path = solve_path(data.problem(), settings);
    expect_certified(data, path[0]);
    EXPECT_LE(path[1].deviance, path[1].gap * path[1].null_deviance);
}

TEST(Outcome, RefusedInOneSentence) {
    const auto refuses = [](const Data& data, const Setting& setting, const std::string& words) {
        try {
            (void)fit(data.problem(), setting);
            FAIL() << "accepted: " << words;
        } catch (const InvalidArgument& error) {
            EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
        }
    };
    const Data good = outcome_data(Family::binomial, 30, 5, 14);
    Data data = good;
    data.y[3] = 2;
    refuses(data, Penalty{1, 0}, "entry 3 of y is 2");
    data.y.assign(30, 1.0);
    refuses(data, Penalty{1, 0}, "one class");
    data.y.assign(30, 0.25);
    refuses(data, Penalty{1, 0}, "constant");
    refuses(good, Budget{-1, 0}, "budget t");
    data = good;
    data.factors.assign(5, 1.0);
    data.factors[2] = 0;
    for (Index i = 0; i < data.n; ++i) data.y[i] = data.at(i, 2) > 0 ? 1 : 0;
    refuses(data, Penalty{1, 0}, "separate");
    data = outcome_data(Family::poisson, 30, 5, 15);
    data.y[4] = -1;
    refuses(data, Penalty{1, 0}, "negative");
    data.y.assign(30, 0.0);
    refuses(data, Penalty{1, 0}, "constant");
}

}  // namespace
}  // namespace sven::test
