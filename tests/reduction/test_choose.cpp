// Which system serves which support, by the sizes alone and after failures.

#include <gtest/gtest.h>

#include "reduction/systems/choose.hpp"

namespace sven::test {
namespace {

using reduction::choose;
using reduction::Situation;
using reduction::SystemKind;

// Dense columns: a product with K by the stored Gram matrix.
Situation dense(Index features, Index rows, double l2 = 1) {
    Situation situation;
    situation.features = features;
    situation.rows = rows;
    situation.l2 = l2;
    situation.has_ridge_everywhere = l2 > 0;
    situation.product_cost = static_cast<double>(features) * static_cast<double>(features);
    return situation;
}

Situation sparse(Index features, Index rows) {
    Situation situation = dense(features, rows);
    situation.product_cost = 20.0 * static_cast<double>(features);  // ten entries a column
    return situation;
}

TEST(ChoiceOfSystem, GoesBySize) {
    EXPECT_EQ(choose(dense(0, 100)), SystemKind::appended);
    EXPECT_EQ(choose(dense(200, 1000)), SystemKind::appended);
    EXPECT_EQ(choose(dense(300, 1000)), SystemKind::stale);
    EXPECT_EQ(choose(dense(3000, 5000)), SystemKind::stale);
    // too large for a factor in single precision
    EXPECT_EQ(choose(dense(20000, 50000)), SystemKind::diagonal);
    // entries that are few: no factor is worth its while
    EXPECT_EQ(choose(sparse(5000, 20000)), SystemKind::diagonal);
}

TEST(ChoiceOfSystem, TurnsToTheRowsWhereFeaturesOutnumberThem) {
    EXPECT_EQ(choose(dense(70, 70)), SystemKind::appended);
    EXPECT_EQ(choose(dense(200, 70)), SystemKind::rows);
    EXPECT_EQ(choose(dense(5000, 300)), SystemKind::rows);
    EXPECT_EQ(choose(dense(5000, 0)), SystemKind::stale);  // no columns, a Gram matrix
}

TEST(ChoiceOfSystem, LeavesFeaturesWithoutRidgeToAFactor) {
    EXPECT_EQ(choose(dense(3000, 5000, 0)), SystemKind::appended);
    Situation partly = dense(3000, 5000);
    partly.has_ridge_everywhere = false;
    EXPECT_EQ(choose(partly), SystemKind::appended);
    partly.is_coarse = true;
    EXPECT_EQ(choose(partly), SystemKind::orthogonal);
}

TEST(ChoiceOfSystem, AppendsToAFactorThatIsThere) {
    Situation situation = dense(3000, 5000);
    situation.has_factor = true;
    EXPECT_EQ(choose(situation), SystemKind::appended);
}

TEST(ChoiceOfSystem, TakesTheDeviceFromSomeSizeOn) {
    for (const double l2 : {0.0, 1.0}) {
        Situation situation = dense(l2 > 0 ? 127 : 255, 5000, l2);
        situation.has_device = true;
        EXPECT_NE(choose(situation), SystemKind::device);
        ++situation.features;
        EXPECT_EQ(choose(situation), SystemKind::device);
        situation.rows = 100;
        EXPECT_NE(choose(situation), SystemKind::device);
        situation.rows = 0;  // a Gram matrix, which is to be sent
        situation.features = 255;
        EXPECT_NE(choose(situation), SystemKind::device);
        ++situation.features;
        EXPECT_EQ(choose(situation), SystemKind::device);
        situation.device_from = 257;
        EXPECT_NE(choose(situation), SystemKind::device);
        ++situation.features;
        EXPECT_EQ(choose(situation), SystemKind::device);
        situation.has_device = false;
        EXPECT_NE(choose(situation), SystemKind::device);
    }
}

TEST(ChoiceOfSystem, RemembersWhatFailed) {
    Situation situation = sparse(5000, 20000);
    situation.diagonal_failed = true;
    EXPECT_EQ(choose(situation), SystemKind::stale);
    situation.supports = 20;
    EXPECT_EQ(choose(situation), SystemKind::appended);
    situation.supports = 0;
    situation.needs_factor = true;
    EXPECT_EQ(choose(situation), SystemKind::appended);
    situation.is_coarse = true;
    EXPECT_EQ(choose(situation), SystemKind::orthogonal);
}

// The model in one table, as --gtest_filter=CostModel.* prints it; what is pinned is the order.
TEST(CostModel, OrdersTheSystems) {
    for (const Index m : {100, 2000, 5000}) {
        const reduction::SystemCosts costs = model_costs(dense(m, 2 * m));
        ::testing::Test::RecordProperty("stale_" + std::to_string(m), std::to_string(costs.stale));
        EXPECT_EQ(costs.stale < costs.factor, m >= 2000) << m;
        EXPECT_GT(costs.row_factor, costs.factor) << m;
        EXPECT_GT(cost_of(SystemKind::appended, costs), 0);
    }
}

}  // namespace
}  // namespace sven::test
