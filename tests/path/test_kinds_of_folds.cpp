#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "sven/sven.hpp"

namespace {

using namespace sven;

// How often each row is tested.
std::vector<int> times_tested(const std::vector<Fold>& folds, Index rows) {
    std::vector<int> times(static_cast<std::size_t>(rows), 0);
    for (const Fold& fold : folds)
        for (const Index i : fold.test) ++times[static_cast<std::size_t>(i)];
    return times;
}

std::vector<Index> sizes(std::span<const Fold> folds) {
    std::vector<Index> counts;
    for (const Fold& fold : folds) counts.push_back(static_cast<Index>(fold.test.size()));
    return counts;
}

bool are_equal(const std::vector<Fold>& a, const std::vector<Fold>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Fold& one, const Fold& two) {
        return one.test == two.test && one.train == two.train;
    });
}

TEST(KindsOfFolds, StratifiedSpreadTheClasses) {
    std::vector<double> y(103, 0);
    for (std::size_t i = 0; i < 23; ++i) y[(i * 17) % 103] = 1;
    for (const int repeats : {1, 3}) {
        const std::vector<Fold> folds = stratified_folds(y, 5, 7, repeats);
        ASSERT_EQ(folds.size(), static_cast<std::size_t>(5 * repeats));
        EXPECT_EQ(times_tested(folds, 103), std::vector<int>(103, repeats));
        for (const Fold& fold : folds) {
            const auto ones = std::count_if(fold.test.begin(), fold.test.end(),
                                            [&](Index i) { return y[i] == 1; });
            EXPECT_TRUE(ones == 4 || ones == 5) << ones;
            EXPECT_TRUE(fold.test.size() == 20 || fold.test.size() == 21);
        }
    }
    EXPECT_TRUE(are_equal(stratified_folds(y, 5, 7), stratified_folds(y, 5, 7)));
    EXPECT_FALSE(are_equal(stratified_folds(y, 5, 7), stratified_folds(y, 5, 8)));
}

TEST(KindsOfFolds, StratifiedSpreadNumbersToo) {
    std::vector<double> y(100);
    std::iota(y.begin(), y.end(), 0.0);
    for (const Fold& fold : stratified_folds(y, 10, 3)) {
        ASSERT_EQ(fold.test.size(), 10U);
        for (std::size_t k = 0; k < 10; ++k)  // one of each ten neighbours
            EXPECT_EQ(fold.test[k] / 10, static_cast<Index>(k));
    }
}

TEST(KindsOfFolds, GroupsStayTogether) {
    std::vector<Index> groups;
    for (Index g = 0; g < 12; ++g)
        groups.insert(groups.end(), static_cast<std::size_t>(g + 1), 90 - g);
    const auto n = static_cast<Index>(groups.size());
    const std::vector<Fold> folds = grouped_folds(groups, 3, 11, 2);
    ASSERT_EQ(folds.size(), 6U);
    EXPECT_EQ(times_tested(folds, n), std::vector<int>(groups.size(), 2));
    for (int repeat = 0; repeat < 2; ++repeat) {
        std::set<Index> seen;
        for (int k = 0; k < 3; ++k) {
            std::set<Index> here;
            for (const Index i : folds[3 * repeat + k].test) here.insert(groups[i]);
            for (const Index g : here) EXPECT_TRUE(seen.insert(g).second) << g;
        }
        const std::vector<Index> counts = sizes(std::span(folds).subspan(3 * repeat, 3));
        EXPECT_EQ(counts, (std::vector<Index>{26, 26, 26}));  // 78 rows, the largest groups first
    }
}

TEST(KindsOfFolds, TimeOrderedTestWhatFollows) {
    const std::vector<Fold> folds = time_ordered_folds(11, 3);
    ASSERT_EQ(folds.size(), 3U);
    EXPECT_EQ(folds[0].train, (std::vector<Index>{0, 1, 2, 3, 4}));
    EXPECT_EQ(folds[0].test, (std::vector<Index>{5, 6}));
    EXPECT_EQ(folds[2].train.size(), 9U);
    EXPECT_EQ(folds[2].test, (std::vector<Index>{9, 10}));
}

TEST(KindsOfFolds, AreRefusedWhereTheyCannotBe) {
    const std::vector<double> y(4, 1);
    const std::vector<Index> groups{1, 1, 2, 2};
    EXPECT_THROW((void)make_folds(4, 5), InvalidArgument);
    EXPECT_THROW((void)make_folds(4, 2, 1, 0), InvalidArgument);
    EXPECT_THROW((void)stratified_folds(y, 1), InvalidArgument);
    EXPECT_THROW((void)grouped_folds(groups, 3), InvalidArgument);
    EXPECT_THROW((void)time_ordered_folds(4, 4), InvalidArgument);
}

}  // namespace
