// The parts of a block by themselves: how many settings it has, which steps lead to a far one, and
// which features are looked at.

#include <gtest/gtest.h>

#include <algorithm>

#include "path/approach.hpp"
#include "path/prepared.hpp"
#include "path/screening.hpp"
#include "reduction/column_kernel.hpp"

namespace sven::test {
namespace {

using path::Block;
using path::BlockSize;

TEST(BlockSize, WeighsNewtonStepsAgainstAPass) {
    const double entries = 1e7;  // 80 MB: 2.7 ms, 5e7 operations
    EXPECT_EQ(BlockSize::from(entries, 0).limit, Block::most);
    EXPECT_EQ(BlockSize::from(entries, 5e7).limit, 6);
    EXPECT_EQ(BlockSize::from(entries, 1e9).limit, 1);
    Index before = Block::most;
    for (double operations = 1e6; operations < 1e10; operations *= 1.5) {
        const Index limit = BlockSize::from(entries, operations).limit;
        EXPECT_LE(limit, before);
        EXPECT_GE(limit, 1);
        before = limit;
    }
}

TEST(BlockSize, ScreensWiderWhereStepsCostMore) {
    EXPECT_EQ(BlockSize::from(1e7, 0).margin, 0.1);
    EXPECT_EQ(BlockSize::from(1e7, 1e12).margin, 0.5);
    EXPECT_GT(BlockSize::from(1e7, 1.5e8).margin, 0.1);
}

TEST(Approach, GoesHalfTheWayAtATime) {
    EXPECT_FALSE(path::is_far(0.5, 1, 1));
    EXPECT_TRUE(path::is_far(0.49, 1, 1));
    EXPECT_FALSE(path::is_far(0, 1e-4, 1));  // so low that the support hardly grows
    double h = 1;
    int steps = 0;
    while (path::is_far(1e-3, h, 1)) {
        const problem::Target step = path::step_towards(1e-3, 2, h);
        EXPECT_EQ(step.h(), h / 2);
        // along a path of one alpha
        EXPECT_NEAR(step.l2() / step.h(), 2 / 1e-3, 1e-9);
        h = step.h();
        ++steps;
    }
    EXPECT_EQ(steps, 9);
    EXPECT_GT(path::step_towards(0, 2, 1).l2(), 2);  // the multiplier of a budget is unknown
}

// Two items below h = 1, products and slopes as given.
class ScreenedFeatures : public testing::Test {
  protected:
    ScreenedFeatures() : X_(prepared_.scaled()), kernel_(make_kernel()), screening_(work()) {
        block_.add(problem::Target::penalty(0.9, 0), 0, 0.9);
        block_.add(problem::Target::penalty(0.6, 0), 1, 0.6);
        std::fill(screening_.products().begin(), screening_.products().end(), 0.0);
    }
    path::Workspace& work() { return prepared_.work; }
    reduction::ColumnKernel make_kernel() {
        return {X_, work().response.values(), work().columns.products, work().columns.norms, {}};
    }
    void set(Index feature, double product, double slope) {
        screening_.products()[feature] = product;
        screening_.slopes()[feature] = slope;
    }
    std::vector<Index> candidates(Index i) {
        const auto list = screening_.candidates(i);
        return {list.begin(), list.end()};
    }

    Prepared prepared_{random_regression(20, 6, 3)};
    linalg::ScaledDesign X_;
    reduction::ColumnKernel kernel_;
    path::Screening screening_;
    Block block_;
};

TEST_F(ScreenedFeatures, AreThosePredictedNearTheirBounds) {
    set(0, 0.95, 0);   // above the bound of the first
    set(1, -0.7, 0);   // and of the second only
    set(2, 0.3, 0);    // of none
    set(3, 0.3, -1);   // 0.7 at the second
    set(4, 0.885, 0);  // within the margin of the first
    screening_.select(block_, {1, true, 0.2}, kernel_);
    EXPECT_EQ(candidates(0), (std::vector<Index>{0, 4}));
    EXPECT_EQ(candidates(1), (std::vector<Index>{0, 4, 1, 3}));
    EXPECT_FALSE(screening_.was_unseen(0, 0));
    EXPECT_TRUE(screening_.was_unseen(1, 0));
    EXPECT_FALSE(screening_.was_unseen(1, 1));
    EXPECT_TRUE(screening_.was_unseen(2, 1));
    EXPECT_FALSE(screening_.is_candidate(2));
}

// Old derivatives say nothing about where the products go from here: the margin alone does.
TEST_F(ScreenedFeatures, AreThoseOfTheStrongRuleWithoutADerivative) {
    set(0, 0.65, 5);   // 2 h - 1 is 0.8 at the first
    set(1, -0.85, 9);  // and 0.2 at the second
    set(2, 0.1, -7);
    screening_.select(block_, {1, false, 1}, kernel_);
    EXPECT_EQ(candidates(0), (std::vector<Index>{1}));
    EXPECT_EQ(candidates(1), (std::vector<Index>{1, 0}));
}

TEST_F(ScreenedFeatures, HaveNoSlotYet) {
    set(0, 0.95, 0);
    set(1, 0.95, 0);
    kernel_.append(std::vector<Index>{1});
    screening_.select(block_, {1, true, 0.1}, kernel_);
    EXPECT_EQ(candidates(1), (std::vector<Index>{0}));
    EXPECT_TRUE(screening_.had_slot(1));
}

// A feature twice among the candidates would get two slots, and two coefficients.
TEST_F(ScreenedFeatures, AreListedOnceIfAViolatorIsForeseenToo) {
    set(0, 0.95, 0);
    set(1, -0.7, 0);
    screening_.select(block_, {1, true, 0.2}, kernel_);
    screening_.add(1);
    screening_.add(0);
    EXPECT_EQ(candidates(0), (std::vector<Index>{0, 1}));
    EXPECT_EQ(candidates(1), (std::vector<Index>{0, 1}));
}

TEST_F(ScreenedFeatures, AreJoinedByViolatorsUntilTheNextBlock) {
    screening_.select(block_, {1, true, 0.1}, kernel_);
    EXPECT_TRUE(candidates(1).empty());
    EXPECT_TRUE(screening_.add(5));
    EXPECT_FALSE(screening_.add(5));
    EXPECT_EQ(candidates(0), (std::vector<Index>{5}));
    screening_.select(block_, {1, true, 0.1}, kernel_);
    EXPECT_TRUE(candidates(1).empty());
    EXPECT_TRUE(screening_.add(5));
}

TEST_F(ScreenedFeatures, AreNeverExcludedOnes) {
    set(0, 5, 0);
    std::vector<problem::Exclusion> excluded(6, problem::not_excluded);
    excluded[0] = problem::is_zero;
    work().penalties.excluded = excluded;
    screening_.select(block_, {1, true, 0.1}, kernel_);
    EXPECT_TRUE(candidates(1).empty());
}

// Where coefficients must not be negative, only products above the bound count.
TEST_F(ScreenedFeatures, PressUpwardsWhereCoefficientsMustNotBeNegative) {
    set(0, -5, 0);
    set(1, 5, 0);
    const std::vector<double> lower(6, 0.0);
    work().penalties.lower = lower;
    screening_.select(block_, {1, true, 0.1}, kernel_);
    EXPECT_EQ(candidates(0), (std::vector<Index>{1}));
}

}  // namespace
}  // namespace sven::test
