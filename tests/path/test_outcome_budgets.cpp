// Budgets sum f |b| <= t for binomial and poisson responses: the certificate of the penalty form at
// the multiplier, recomputed by plain loops, and a budget that is used up, prove the answer.

#include <gtest/gtest.h>

#include <limits>

#include "support/certify_outcome.hpp"
#include "support/outcome_data.hpp"
#include "sven/path.hpp"
#include "sven/session.hpp"

namespace sven::test {
namespace {

class OutcomeBudgets : public ::testing::TestWithParam<Family> {};

INSTANTIATE_TEST_SUITE_P(Families, OutcomeBudgets,
                         ::testing::Values(Family::binomial, Family::poisson),
                         [](const auto& of) { return std::string(name(of.param)); });

// sum f |b| on the scale of the columns that are penalised.
double used(const Data& data, const Solution& solution) {
    double sum = 0;
    for (const Coefficient& b : solution.coefficients)
        sum += (data.factors.empty() ? 1 : data.factors[b.feature]) * std::abs(b.standardized);
    return sum;
}

void expect_budget_met(const Data& data, const Solution& solution, double t, double l2) {
    ASSERT_EQ(name(solution.status), name(Status::optimal)) << t;
    EXPECT_EQ(solution.t, t);
    EXPECT_EQ(solution.l2, l2);
    EXPECT_LE(solution.gap, 1e-10);
    EXPECT_NEAR(used(data, solution), t, 1e-12 * t);
    EXPECT_GT(solution.l1, 0);
    const NaiveOutcome naive = certify_outcome(data, solution);
    EXPECT_LE(naive.gap, 1e-10);
    EXPECT_GE(naive.gap, -1e-15);
    // the objective of the budget form has no l1 term
    EXPECT_NEAR(solution.objective, static_cast<double>(naive.objective) - solution.l1 * t,
                1e-10 * solution.null_deviance);
}

void expect_budgets_met(const Data& data, std::vector<double> budgets, double l2) {
    std::vector<Setting> settings;
    settings.reserve(budgets.size());
    for (const double t : budgets) settings.emplace_back(Budget{t, l2});
    const std::vector<Solution> path = solve_path(data.problem(), settings);
    for (std::size_t k = 0; k < path.size(); ++k) expect_budget_met(data, path[k], budgets[k], l2);
    expect_budget_met(data, fit(data.problem(), settings.back()), budgets.back(), l2);
}

TEST_P(OutcomeBudgets, ManyRows) {
    const Data data = outcome_data(GetParam(), 120, 15, 1);
    expect_budgets_met(data, {0.02, 0.3, 0.1, 0.7}, 0);
    expect_budgets_met(data, {0.05, 0.4, 0.2}, 2.5);
}

TEST_P(OutcomeBudgets, ManyFeatures) {
    const Data data = outcome_data(GetParam(), 40, 150, 2);
    expect_budgets_met(data, {0.1, 0.5, 1, 1.5, 2}, 0);
    expect_budgets_met(data, {0.1, 0.5, 1}, 1);
}

TEST_P(OutcomeBudgets, WeightsFactorsOffsetsAndSigns) {
    Data data = outcome_data(GetParam(), 80, 30, 3);
    add_weights(data, 4);
    data.weights[1] = 1;
    add_factors(data, 5);
    expect_budgets_met(data, {0.1, 0.4}, 0.5);
    data.factors.clear();
    for (const double value : random_vector(data.n, 18)) data.offset.push_back(0.3 * value);
    data.standardize = false;
    expect_budgets_met(data, {0.1, 0.4}, 0);
    data.nonnegative = true;
    expect_budgets_met(data, {0.1, 0.3}, 0.5);
}

// A penalty and the budget that it uses have the same solution.
TEST_P(OutcomeBudgets, TheBudgetOfAPenalty) {
    const Data data = outcome_data(GetParam(), 60, 25, 6);
    Session session(data.problem());
    for (const Penalty& penalty : {Penalty{9, 0}, Penalty{3, 2}}) {
        const Solution first = session.fit(penalty);
        const Solution second = session.fit(Budget{first.t, penalty.l2});
        EXPECT_NEAR(second.l1, penalty.l1, 1e-5 * penalty.l1);
        ASSERT_EQ(second.coefficients.size(), first.coefficients.size());
        for (std::size_t k = 0; k < first.coefficients.size(); ++k)
            EXPECT_NEAR(second.coefficients[k].value, first.coefficients[k].value, 1e-5);
    }
}

// A budget that does not bind is that of no l1 penalty, and one of nothing lets nothing in.
TEST_P(OutcomeBudgets, SlackAndEmptyOnes) {
    const Data data = outcome_data(GetParam(), 120, 6, 7);
    for (const double l2 : {0.0, 3.0}) {
        const Solution without = fit(data.problem(), Penalty{0, l2});
        for (const double t : {1e3, std::numeric_limits<double>::infinity()}) {
            const Solution slack = fit(data.problem(), Budget{t, l2});
            EXPECT_EQ(name(slack.status), name(Status::ridge)) << t;
            EXPECT_EQ(slack.l1, 0);
            EXPECT_LE(slack.gap, 1e-10);
            EXPECT_NEAR(slack.t, used(data, slack), 1e-12 * slack.t);
            EXPECT_NEAR(slack.deviance, without.deviance, 1e-9 * without.deviance);
        }
        const Solution empty = fit(data.problem(), Budget{0, l2});
        EXPECT_EQ(name(empty.status), name(Status::optimal));
        EXPECT_TRUE(empty.coefficients.empty());
        EXPECT_NEAR(empty.deviance, empty.null_deviance, 1e-12 * empty.null_deviance);
        EXPECT_EQ(empty.t, 0);
    }
}

// The same within limits: the products of the residual with the columns, by plain loops, vanish
// inside and point outwards at the limits.
TEST_P(OutcomeBudgets, SlackOnesWithSigns) {
    Data data = outcome_data(GetParam(), 120, 6, 17);
    // every other column has a positive coefficient without them
    for (const Coefficient& b : fit(data.problem(), Penalty{0, 0}).coefficients)
        for (Index i = 0; (b.value > 0) == (b.feature % 2 == 0) && i < data.n; ++i)
            data.at(i, b.feature) *= -1;
    data.nonnegative = true;
    for (const Setting& setting : {Setting(Budget{1e3, 0}), Setting(Penalty{0, 0})}) {
        const Solution solution = fit(data.problem(), setting);
        const bool is_budget = std::holds_alternative<Budget>(setting);
        EXPECT_EQ(name(solution.status), name(is_budget ? Status::ridge : Status::optimal));
        EXPECT_LE(solution.gap, 1e-10);
        std::vector<double> beta(static_cast<std::size_t>(data.p), 0.0);
        for (const Coefficient& b : solution.coefficients) beta[b.feature] = b.value;
        Index inside = 0;
        for (Index j = 0; j < data.p; ++j) {
            double product = 0;
            double size = 0;
            for (Index i = 0; i < data.n; ++i) {
                double eta = solution.intercept;
                for (Index k = 0; k < data.p; ++k) eta += data.at(i, k) * beta[k];
                const double mean = naive_mean(GetParam(), eta);
                product += (data.y[i] - mean) * data.at(i, j);
                size += std::abs((data.y[i] - mean) * data.at(i, j));
            }
            EXPECT_GE(beta[j], 0);
            if (beta[j] > 0)
                EXPECT_NEAR(product, 0, 1e-5 * size) << j;
            else
                EXPECT_LE(product, 1e-5 * size) << j;
            inside += beta[j] > 0 ? 1 : 0;
        }
        EXPECT_GT(inside, 0);
        EXPECT_LT(inside, data.p);
        EXPECT_EQ(solution.certificate.proven_zero + solution.certificate.proven_selected, 0);
    }
}

// Classes that can be told apart have no fit without a penalty, but one within any budget.
TEST(OutcomeBudget, SeparableClasses) {
    Data data = outcome_data(Family::binomial, 40, 5, 8);
    for (Index i = 0; i < data.n; ++i) data.y[i] = data.at(i, 2) > 0 ? 1 : 0;
    expect_budgets_met(data, {0.5, 5, 20}, 0);
}

// Budgets and penalties in one call, in any order.
TEST_P(OutcomeBudgets, MixedWithPenalties) {
    const Data data = outcome_data(GetParam(), 60, 20, 9);
    const std::vector<Setting> settings{Budget{0.4, 0}, Penalty{5, 1}, Budget{0.1, 0},
                                        Penalty{0, 0}};
    const std::vector<Solution> path = solve_path(data.problem(), settings);
    expect_budget_met(data, path[0], 0.4, 0);
    expect_budget_met(data, path[2], 0.1, 0);
    EXPECT_LE(certify_outcome(data, path[1]).gap, 1e-10);
    EXPECT_NEAR(path[3].t, used(data, path[3]), 1e-12 * path[3].t);
    EXPECT_GT(path[3].t, 0);
}

TEST_P(OutcomeBudgets, TheSameBitsOnAnyNumberOfThreads) {
    const Data data = outcome_data(GetParam(), 300, 40, 10);
    Options one;
    one.threads = 1;
    Options three;
    three.threads = 3;
    const Solution a = fit(data.problem(), Budget{0.6, 0.1}, one);
    const Solution b = fit(data.problem(), Budget{0.6, 0.1}, three);
    ASSERT_EQ(a.coefficients.size(), b.coefficients.size());
    EXPECT_EQ(a.gap, b.gap);
    for (std::size_t k = 0; k < a.coefficients.size(); ++k)
        EXPECT_EQ(a.coefficients[k].value, b.coefficients[k].value);
}

}  // namespace
}  // namespace sven::test
