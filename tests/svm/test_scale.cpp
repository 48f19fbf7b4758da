// X in any unit, costs of any size.

#include <gtest/gtest.h>

#include "support/options.hpp"
#include "support/two_class.hpp"

namespace sven::svm {
namespace {

using test::by;
using test::TwoClass;

// A unit of X is a unit of w, to the last digit.
TEST(Scale, TheUnitOfXIsTakenOut) {
    const TwoClass data = test::random_two_class(50, 7, 5);
    const double cost = 2;
    const Classifier expected = train(data.problem(cost));
    for (const int unit : {-240, -100, -7, 30, 240}) {
        TwoClass scaled = data;
        for (double& entry : scaled.X) entry = std::ldexp(entry, unit);
        const std::vector<double> start(7, std::ldexp(0.1, -unit));
        const Classifier result = train(scaled.problem(std::ldexp(cost, -2 * unit)));
        EXPECT_EQ(result.gap, expected.gap);
        EXPECT_EQ(result.iterations, expected.iterations);
        for (std::size_t j = 0; j < 7; ++j)
            EXPECT_EQ(result.w[j], std::ldexp(expected.w[j], -unit));
        for (std::size_t i = 0; i < 50; ++i)
            EXPECT_EQ(result.alpha[i], std::ldexp(expected.alpha[i], -2 * unit));
        EXPECT_EQ(result.objective, std::ldexp(expected.objective, -2 * unit));
        EXPECT_EQ(train(scaled.problem(std::ldexp(cost, -2 * unit)), {}, start).status,
                  Status::optimal);
    }
}

TEST(Scale, EveryUnitHasAnAnswer) {
    const TwoClass data = test::random_two_class(25, 3, 6);
    for (int decade = -74; decade <= 74; decade += 4) {
        TwoClass scaled = data;
        for (double& entry : scaled.X) entry *= std::pow(10.0, decade);
        const Classifier result = train(scaled.problem());
        EXPECT_EQ(result.status, Status::optimal) << decade;
        EXPECT_GT(result.gap, 0);
        for (const double entry : result.w) EXPECT_TRUE(std::isfinite(entry));
    }
}

// A start that no product can hold is no start.
TEST(Scale, AnAbsurdStartDoesNoHarm) {
    const TwoClass data = test::random_two_class(25, 3, 6);
    const std::vector<double> start(3, 1e300);
    const Classifier result = train(data.problem(), {}, start);
    EXPECT_EQ(result.status, Status::optimal);
    EXPECT_LE(test::largest_difference(result.w, train(data.problem()).w), 1e-10);
}

// Costs of samples may be as small as they like beside the largest.
TEST(Scale, TinyCosts) {
    const TwoClass data = test::random_two_class(25, 3, 6);
    std::vector<double> costs(25, 1.0);
    costs[4] = 1e-310;
    costs[7] = 1e-200;
    Classification problem = data.problem();
    problem.costs = costs;
    for (const Method method : {Method::primal, Method::dual}) {
        const Classifier result = train(problem, by(method));
        EXPECT_EQ(result.status, Status::optimal);
        for (const double entry : result.w) EXPECT_TRUE(std::isfinite(entry));
        EXPECT_LE(result.alpha[4], 1e-298);
    }
}

}  // namespace
}  // namespace sven::svm
