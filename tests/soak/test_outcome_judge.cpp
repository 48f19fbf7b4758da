// The judge of outcomes: optima known by hand, answers made wrong on purpose, optima that no
// coefficients reach.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "soak/outcome_judge.hpp"
#include "soak/run.hpp"

namespace sven::soak {
namespace {

// Two rows, x = 1 and -1, of either class: separable. Half the deviance is 2 log(1 + e^-b), and
// with h |b| the optimum is at 2 / (1 + e^b) = h.
Data two_classes() {
    Data data;
    data.n = 2;
    data.p = 1;
    data.X = {1, -1};
    data.y = {1, 0};
    data.family = sven::Family::binomial;
    data.intercept = false;
    data.standardize = false;
    return data;
}

const double null_deviance = 4 * std::log(2.0);

Solution answer(double value, double h) {
    const double deviance = 4 * std::log1p(std::exp(-value));
    Solution solution;
    if (value != 0) solution.coefficients = {{0, value, value}};
    solution.deviance = deviance;
    solution.null_deviance = null_deviance;
    solution.objective = deviance + 2 * h * std::abs(value);
    solution.gap = 1e-14;
    return solution;
}

Verdict verdict_on(const Data& data, double h, const Solution& solution) {
    return judge_outcome(ExactProblem(data), Penalty{2 * h, 0}, {}, solution);
}

// Within a budget of t the best coefficient is t, whatever the multiplier says; beyond it nothing
// counts.
TEST(OutcomeJudge, BudgetByHand) {
    const auto judged = [](double t, const Solution& solution) {
        return judge_outcome(ExactProblem(two_classes()), Budget{t, 0}, {}, solution);
    };
    for (const double t : {0.25, 3.0}) {
        Solution right = answer(t, 0);
        for (const double l1 : {0.0, 4 / (1 + std::exp(t)), 7.0}) {
            right.l1 = l1;
            const Verdict verdict = judged(t, right);
            EXPECT_LT(verdict.truth, 1e-20) << t;
            EXPECT_TRUE(verdict.reason.empty()) << verdict.reason;
        }
        Solution less = answer(t - 1e-3, 0);
        less.l1 = right.l1;
        Verdict verdict = judged(t, less);
        EXPECT_TRUE(verdict.is_silent);
        EXPECT_NEAR(verdict.truth / ((less.deviance - right.deviance) / null_deviance), 1, 1e-9);
        verdict = judged(t, answer(t + 1e-3, 0));
        EXPECT_TRUE(verdict.is_silent);
        right.status = Status::ridge;
        EXPECT_TRUE(judged(t, right).is_contradicted);
    }
}

TEST(OutcomeJudge, ByHand) {
    // a penalty of 1e-30 lets the coefficient grow to 69
    for (const double h : {0.9, 1e-3, 1e-30}) {
        const double b = std::log(2 / h - 1);
        Verdict verdict = verdict_on(two_classes(), h, answer(b, h));
        EXPECT_LT(verdict.truth, 1e-20) << h;
        EXPECT_TRUE(verdict.reason.empty()) << verdict.reason;
        // the second derivative of 2 h (...) is 4 e^b / (1 + e^b)^2
        const double curvature = 4 * std::exp(b) / std::pow(1 + std::exp(b), 2);
        Solution wrong = answer(b + 1e-3, h);
        wrong.gap = 0;
        verdict = verdict_on(two_classes(), h, wrong);
        EXPECT_TRUE(verdict.is_silent) << h;
        EXPECT_NEAR(verdict.truth / (curvature * 5e-7 / null_deviance), 1, 1e-3) << h;
    }
    // h = 1 is the smallest penalty that leaves nothing
    EXPECT_EQ(verdict_on(two_classes(), 1, answer(0, 1)).truth, 0);
    Solution proven = answer(0, 1);
    proven.proofs = {Proof::zero};
    proven.certificate = {0, 1, 0, 0};
    EXPECT_FALSE(verdict_on(two_classes(), 1, proven).is_contradicted);
    proven.proofs = {Proof::selected};
    proven.certificate = {1, 0, 0, 0};
    EXPECT_TRUE(verdict_on(two_classes(), 1, proven).is_contradicted);
}

TEST(OutcomeJudge, AnInfimumThatIsNotReached) {
    // without a penalty the deviance goes to zero with the coefficient to infinity
    Solution solution = answer(30, 0);
    const double truth = solution.deviance / null_deviance;
    solution.gap = truth * (1 + 1e-9);
    const Verdict verdict = verdict_on(two_classes(), 0, solution);
    EXPECT_NEAR(verdict.truth / truth, 1, 1e-12);
    EXPECT_FALSE(verdict.is_silent);
    solution.gap = truth * (1 - 1e-9);
    EXPECT_TRUE(verdict_on(two_classes(), 0, solution).is_silent);
}

TEST(OutcomeJudge, FindsWhatIsNotAllowed) {
    Data data = two_classes();
    data.y = {0, 1};  // the optimum is negative
    Solution solution = answer(-std::log(3.0), .5);
    solution.deviance = 4 * std::log1p(1 / 3.0);
    EXPECT_FALSE(verdict_on(data, .5, solution).is_silent);
    data.nonnegative = true;  // zero is the optimum, and the answer lies below it
    EXPECT_TRUE(verdict_on(data, .5, solution).is_silent);
    EXPECT_FALSE(verdict_on(data, .5, answer(0, .5)).is_silent);
    solution.coefficients[0].value = std::nan("");
    EXPECT_TRUE(verdict_on(data, .5, solution).is_silent);
    solution = answer(0, .5);
    solution.intercept = std::numeric_limits<double>::infinity();
    EXPECT_TRUE(verdict_on(data, .5, solution).is_silent);
}

TEST(OutcomeJudge, FindsAMisstatedDeviance) {
    Solution solution = answer(std::log(3.0), .5);
    EXPECT_FALSE(verdict_on(two_classes(), .5, solution).is_misstated);
    solution.deviance *= 1 + 1e-6;
    EXPECT_TRUE(verdict_on(two_classes(), .5, solution).is_misstated);
    solution.deviance = std::nan("");
    EXPECT_TRUE(verdict_on(two_classes(), .5, solution).is_misstated);
}

// Classes that can be told apart by one free column: Newton's steps grow without end.
TEST(OutcomeJudge, JudgesFreeSeparableColumns) {
    for (const Family& family : families()) {
        if (family.name != "separable") continue;
        for (const std::uint64_t seed : {1000178, 1000553, 1000989, 1001048}) {
            const Outcome outcome = run(family, seed);
            EXPECT_FALSE(outcome.is_unjudged || outcome.is_fault()) << outcome.reason;
            EXPECT_GT(outcome.largest_truth, 0);
        }
    }
}

}  // namespace
}  // namespace sven::soak
