// The folds of cross-validation: how they are drawn, and which are refused.

#include <gtest/gtest.h>

#include <limits>
#include <utility>

#include "support/problems.hpp"
#include "sven/cross_validation.hpp"
#include "sven/error.hpp"
#include "sven/random.hpp"

namespace sven::test {
namespace {

TEST(Folds, AreDeterministicAndBalanced) {
    const std::vector<Fold> folds = make_folds(23, 5, 42);
    std::vector<int> seen(23, 0);
    for (const Fold& fold : folds) {
        EXPECT_GE(fold.test.size(), 4U);
        EXPECT_LE(fold.test.size(), 5U);
        for (const Index i : fold.test) ++seen[i];
    }
    EXPECT_EQ(seen, std::vector<int>(23, 1));
    EXPECT_EQ(make_folds(23, 5, 42)[0].test, folds[0].test);
    EXPECT_NE(make_folds(23, 5, 43)[0].test, folds[0].test);
    const std::vector<Index> names{7, 2, 7, 2, 2};
    EXPECT_EQ(folds_of(names)[1].test, (std::vector<Index>{0, 2}));
}

// Any numbers name a fold; the folds are in their order.
TEST(Folds, AreNamedByAnyNumbers) {
    constexpr Index largest = std::numeric_limits<Index>::max();
    constexpr Index least = std::numeric_limits<Index>::min();
    for (const auto& [low, high] : {std::pair<Index, Index>{-1, 2}, {least, largest}, {5, 6}}) {
        const std::vector<Index> names{high, low, high, low, low};
        const std::vector<Fold> folds = folds_of(names);
        ASSERT_EQ(folds.size(), 2U);
        EXPECT_EQ(folds[0].test, (std::vector<Index>{1, 3, 4}));
        EXPECT_EQ(folds[1].test, (std::vector<Index>{0, 2}));
    }
    EXPECT_TRUE(folds_of({}).empty());
}

// Names that lie as far apart as there are rows, most of them without one.
TEST(Folds, TakeTheMemoryOfThoseThatThereAre) {
    std::vector<Index> names(1000, 0);
    for (std::size_t i = 0; i < names.size(); i += 2) names[i] = 999;
    const std::vector<Fold> folds = folds_of(names);
    ASSERT_EQ(folds.size(), 2U);
    EXPECT_EQ(folds.capacity(), 2U);
    for (const Fold& fold : folds) EXPECT_EQ(fold.test.capacity(), 500U);
    EXPECT_EQ(folds[0].test[1], 3);
    EXPECT_EQ(folds[1].test[1], 2);
}

// The outputs that the author of splitmix64 gives for this seed; folds are the shuffle by them.
TEST(Folds, ASeedMeansTheSameEverywhere) {
    SplitMix64 random(1234567);
    for (const std::uint64_t published :
         {6457827717110365317U, 3203168211198807973U, 9817491932198370423U, 4593380528125082431U})
        EXPECT_EQ(random.bits(), published);
    // Four rows: the last changes places with 1 = 6457827717110365317 mod 4, the third with
    // 1 = 3203168211198807973 mod 3, the second with itself.
    const std::vector<Fold> folds = make_folds(4, 4, 1234567);
    const std::vector<Index> order = {0, 2, 3, 1};
    for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(folds[k].test, std::vector<Index>{order[k]});
}

TEST(Folds, BadOnesAreRefused) {
    const Data data = random_regression(10, 4, 1);
    EXPECT_THROW((void)make_folds(10, 1), InvalidArgument);
    EXPECT_THROW((void)make_folds(10, 11), InvalidArgument);
    CrossValidation plan;
    EXPECT_THROW((void)cross_validate(data.problem(), plan), InvalidArgument);
    plan.folds = make_folds(10, 5);
    plan.folds[0].test.push_back(99);
    EXPECT_THROW((void)cross_validate(data.problem(), plan), InvalidArgument);
}

}  // namespace
}  // namespace sven::test
