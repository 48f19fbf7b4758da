// Every form of a setting onto a target and back, and the order that settings are solved in.

#include <gtest/gtest.h>

#include "path/forms.hpp"
#include "support/problems.hpp"
#include "sven/error.hpp"

namespace sven::test {
namespace {

using path::describe_setting;
using path::effective_factors;
using path::make_target;
using problem::Target;

// W = 12, and a standard deviation of 2: all that follows is exact.
problem::Response response_of_deviation_two() {
    problem::Response response;
    response.total_weight = 12;
    response.squares = 48;
    return response;
}

void expect_penalty(const Target& target, double h, double l2) {
    EXPECT_FALSE(target.is_budget());
    EXPECT_EQ(target.h(), h);
    EXPECT_EQ(target.l2(), l2);
}

void expect_budget(const Target& target, double t, double l2) {
    EXPECT_TRUE(target.is_budget());
    EXPECT_EQ(target.t(), t);
    EXPECT_EQ(target.l2(), l2);
}

TEST(Forms, BecomeTargets) {
    const problem::Response response = response_of_deviation_two();
    expect_penalty(make_target(Penalty{3, 4.5}, response), 1.5, 4.5);
    expect_penalty(make_target(Mixing{0.5, 0.25}, response), 1.5, 4.5);
    expect_penalty(make_target(Mixing{0.5, 1}, response), 6, 0);
    expect_penalty(make_target(Mixing{0.5, 0}, response), 0, 6);
    expect_budget(make_target(Budget{7, 4.5}, response), 7, 4.5);
    expect_budget(make_target(Budget{0, 0}, response), 0, 0);
    // no budget at all is no l1 penalty
    expect_penalty(make_target(Budget{infinity, 4.5}, response), 0, 4.5);
}

TEST(Forms, OfGlmnetDivideTheRidgeByTheDeviation) {
    problem::Response response = response_of_deviation_two();
    expect_penalty(make_target(Mixing{0.5, 0.25, Convention::glmnet}, response), 1.5, 2.25);
    expect_penalty(make_target(Mixing{0.5, 1, Convention::glmnet}, response), 6, 0);
    response.squares = 0;  // a constant response has none to divide by
    expect_penalty(make_target(Mixing{0.5, 0.25, Convention::glmnet}, response), 1.5, 4.5);
}

TEST(Forms, RefuseWhatLeavesTheNumbers) {
    const problem::Response response = response_of_deviation_two();
    EXPECT_THROW(make_target(Mixing{1e308, 1}, response), InvalidArgument);
    EXPECT_THROW(make_target(Mixing{1e308, 0}, response), InvalidArgument);
    EXPECT_NO_THROW(make_target(Mixing{1e306, 0.5}, response));
}

Solution described(const Setting& setting, double l1, double l2) {
    Solution solution;
    solution.l1 = l1;
    solution.l2 = l2;
    describe_setting(setting, response_of_deviation_two(), 240, solution);
    return solution;
}

// A multiplier of 3 beside a ridge of 4.5 is lambda = 1/2 at alpha = 1/4, whatever was asked for.
TEST(Forms, AreDescribedAsEachOther) {
    for (const Setting& setting : {Setting(Penalty{3, 4.5}), Setting(Budget{7, 4.5})}) {
        const Solution solution = described(setting, 3, 4.5);
        EXPECT_EQ(solution.lambda, 0.5);
        EXPECT_EQ(solution.alpha, 0.25);
        EXPECT_EQ(solution.objective, 240);
    }
    // in the terms that were asked for, glmnet's too, whose ridge is another number
    for (const auto& [convention, l2] :
         {std::pair{Convention::documented, 4.5}, {Convention::glmnet, 2.25}}) {
        const Solution solution = described(Mixing{0.5, 0.25, convention}, 3, l2);
        EXPECT_EQ(solution.lambda, 0.5);
        EXPECT_EQ(solution.alpha, 0.25);
        EXPECT_EQ(solution.objective, 10);  // over 2 W
    }
}

TEST(Forms, WithoutAnyPenaltyHaveNoAlpha) {
    for (const Setting& setting :
         {Setting(Penalty{}), Setting(Budget{7, 0}), Setting(Mixing{0, 0.25})}) {
        const Solution solution = described(setting, 0, 0);
        EXPECT_EQ(solution.lambda, 0);
        EXPECT_FALSE(solution.alpha.has_value());
    }
}

TEST(Forms, GoToATargetAndBack) {
    Random random(1);
    for (int k = 0; k < 100; ++k) {
        const double lambda = std::pow(10, 6 - 12 * random.uniform());
        const double alpha = random.uniform();
        const Target target = make_target(Mixing{lambda, alpha}, response_of_deviation_two());
        const Solution solution =
            described(Penalty{2 * target.h(), target.l2()}, 2 * target.h(), target.l2());
        EXPECT_NEAR(solution.lambda, lambda, 1e-15 * lambda);
        EXPECT_NEAR(*solution.alpha, alpha, 1e-15);
    }
}

// Penalties before budgets, each from strong to weak; of two that are equally strong the one of the
// larger ridge; of two that are equal the first.
TEST(Order, IsFromStrongToWeak) {
    const std::vector<Setting> settings{
        Budget{2, 1},         // 0
        Penalty{1, 0},        // 1
        Mixing{0.5, 0.25},    // 2: h = 1.5
        Budget{0.5, 0},       // 3
        Penalty{3, 9},        // 4: h = 1.5
        Budget{infinity, 3},  // 5: h = 0
        Budget{2, 5},         // 6
        Penalty{8, 0},        // 7
        Penalty{1, 0},        // 8
    };
    const path::OrderedTargets ordered = path::order_targets(settings, response_of_deviation_two());
    EXPECT_EQ(ordered.order, (std::vector<Index>{7, 4, 2, 1, 8, 5, 3, 6, 0}));
    ASSERT_EQ(ordered.targets.size(), settings.size());
    expect_penalty(ordered.targets[0], 4, 0);
    expect_penalty(ordered.targets[2], 1.5, 4.5);
    expect_penalty(ordered.targets[5], 0, 3);
    expect_budget(ordered.targets[6], 0.5, 0);
    expect_budget(ordered.targets[8], 2, 1);
}

TEST(Order, OfNothingIsEmpty) {
    const path::OrderedTargets ordered = path::order_targets({}, response_of_deviation_two());
    EXPECT_TRUE(ordered.order.empty());
    EXPECT_TRUE(ordered.targets.empty());
}

using Factors = std::vector<double>;

Factors effective(const Factors& factors, Convention convention) {
    Problem problem;
    problem.penalty_factors = factors;
    return effective_factors(problem, convention);
}

TEST(Factors, AreThoseOfTheConvention) {
    EXPECT_EQ(effective({0, 2, 4}, Convention::documented), (Factors{0, 2, 4}));
    EXPECT_EQ(effective({0, 2, 4}, Convention::glmnet), (Factors{0, 1, 2}));  // they sum to p
    // an excluded feature counts as one
    EXPECT_EQ(effective({infinity, 2, 3}, Convention::documented), (Factors{1, 2, 3}));
    EXPECT_EQ(effective({infinity, 2, 3}, Convention::glmnet), (Factors{0.5, 1, 1.5}));
    EXPECT_EQ(effective({0, 0}, Convention::glmnet), (Factors{0, 0}));
}

TEST(Factors, ThatAreAllOneAreNone) {
    for (const Convention convention : {Convention::documented, Convention::glmnet}) {
        EXPECT_TRUE(effective({}, convention).empty());
        EXPECT_TRUE(effective({1, 1, infinity}, convention).empty());
    }
    EXPECT_TRUE(effective({2, 2, 2}, Convention::glmnet).empty());
    EXPECT_EQ(effective({2, 2, 2}, Convention::documented), (Factors{2, 2, 2}));
}

TEST(Conventions, AreThatOfAMixing) {
    const std::vector<Setting> ours{Penalty{1, 1}, Mixing{1, 1}};
    const std::vector<Setting> theirs{Penalty{1, 1}, Mixing{1, 1, Convention::glmnet}};
    EXPECT_EQ(path::convention_of(ours), Convention::documented);
    EXPECT_EQ(path::convention_of(theirs), Convention::glmnet);
    EXPECT_EQ(path::convention_of({}), Convention::documented);
}

}  // namespace
}  // namespace sven::test
