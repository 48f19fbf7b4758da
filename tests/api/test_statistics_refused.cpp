// What needs the rows, and sums that do not add up, are refused in one sentence each.

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "support/summed.hpp"
#include "sven/cross_validation.hpp"
#include "sven/error.hpp"

namespace sven::test {
namespace {

template <class Call>
std::string refusal(const Call& call) {
    try {
        call();
    } catch (const InvalidArgument& error) {
        return error.what();
    }
    return "";
}

TEST(Statistics, RefuseWhatNeedsTheRows) {
    const Data data = random_regression(60, 5, 61);
    const Statistics statistics(data.problem());
    const Problem problem = without_rows(data, statistics);
    const Setting setting = Mixing{0.1};
    Problem other = problem;
    other.family = Family::poisson;
    EXPECT_EQ(refusal([&] { return fit(other, setting); }),
              "the loss of a poisson response cannot be served from sums; statistics are for "
              "gaussian ones alone");
    other = data.problem();
    other.statistics = &statistics;
    EXPECT_EQ(refusal([&] { return fit(other, setting); }),
              "a problem has rows or statistics, not both");
    for (int k = 0; k < 3; ++k) {
        Options options;
        if (k == 0) options.method = Method::primal;
        if (k == 1) options.svm = Svm::liblinear;
        if (k == 2) options.device = Device::cuda;
        EXPECT_NE(refusal([&] { return fit(problem, setting, options); }), "");
    }
    const std::vector<Setting> settings{setting};
    EXPECT_NE(refusal([&] { return solve_paths(problem, data.y, settings); }), "");
    CrossValidation plan;
    EXPECT_EQ(refusal([&] { return cross_validate(problem, plan); }),
              "the statistics have no folds: cross-validation needs two or more");
    std::vector<Index> folds(60);
    std::iota(folds.begin(), folds.end(), 0);
    for (Index& fold : folds) fold %= 4;
    const Statistics folded(data.problem(), folds);
    const Problem in_folds = without_rows(data, folded);
    plan.measure = Measure::mae;
    EXPECT_NE(refusal([&] { return cross_validate(in_folds, plan); }), "");
    plan.measure = Measure::mse;
    plan.keeps_predictions = true;
    EXPECT_NE(refusal([&] { return cross_validate(in_folds, plan); }), "");
    plan.keeps_predictions = false;
    plan.folds = make_folds(60, 3);
    EXPECT_NE(refusal([&] { return cross_validate(in_folds, plan); }), "");
    const Statistics none;
    EXPECT_EQ(refusal([&] { return fit(without_rows(data, none), setting); }),
              "the statistics are of no rows");
}

TEST(Statistics, RefuseOthers) {
    const Data data = random_regression(60, 5, 61);
    const Data wide = random_regression(60, 6, 61);
    Statistics sum(data.problem());
    EXPECT_EQ(refusal([&] { sum += Statistics(wide.problem()); }),
              "statistics of 5 columns and of 6 do not add up");
    const std::vector<Index> folds(60, 1);
    EXPECT_EQ(refusal([&] { sum += Statistics(data.problem(), folds); }),
              "statistics with folds and without do not add up");
    sum.set_names({"a", "b", "c", "d", "e"}, "y");
    Statistics named = sum;
    named.set_names({"a", "b", "c", "e", "d"}, "y");
    EXPECT_EQ(refusal([&] { sum += named; }),
              "column 3 is \"d\" in the one and \"e\" in the other: such statistics do not add up");
    named.set_names({"a", "b", "c", "d", "e"}, "z");
    EXPECT_EQ(refusal([&] { sum += named; }),
              "statistics of the target \"y\" and of \"z\" do not add up");
    EXPECT_EQ(sum.rows(), 60);
    Data broken = data;
    broken.at(3, 2) = std::nan("");
    EXPECT_EQ(refusal([&] { Statistics statistics(broken.problem()); }),
              "column 2 of X holds a value that is not finite, or too large to square");
    EXPECT_NE(refusal([&] { Statistics statistics(data.problem(), {folds.data(), 3}); }), "");
    Problem counts = data.problem();
    counts.family = Family::poisson;
    EXPECT_NE(refusal([&] { Statistics statistics(counts); }), "");
}

}  // namespace
}  // namespace sven::test
