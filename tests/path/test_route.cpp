// Which way a problem is solved where nobody says: over the columns, or over the Gram matrix.

#include <gtest/gtest.h>

#include "linalg/design.hpp"
#include "path/preparation.hpp"
#include "support/options.hpp"
#include "support/problems.hpp"

namespace sven::test {
namespace {

// The choice looks at the shape alone: there are no entries behind it.
Method choice(Index n, Index p, std::size_t settings, const Options& options = {}) {
    static const double nothing = 0;
    const auto design = linalg::make_design(column_major(&nothing, n, p));
    return path::choose_method(*design, settings, options);
}

// `each` entries in every row, spread over the columns.
class SparseRows {
  public:
    SparseRows(Index n, Index p, Index each)
        : values_(static_cast<std::size_t>(n * each), 1.0), n_(n), p_(p) {
        offsets_.push_back(0);
        for (Index i = 0; i < n; ++i) {
            for (Index k = 0; k < each; ++k)
                indices_.push_back(static_cast<std::int32_t>((i % (p / each)) + k * (p / each)));
            offsets_.push_back(static_cast<std::int32_t>(indices_.size()));
        }
    }
    Method choice(std::size_t settings) const {
        SparseView X;
        X.values = values_.data();
        X.indices = indices_.data();
        X.offsets = offsets_.data();
        X.compression = Compression::rows;
        X.rows = n_;
        X.cols = p_;
        return path::choose_method(*linalg::make_design(X), settings, {});
    }

  private:
    std::vector<double> values_;
    std::vector<std::int32_t> indices_, offsets_;
    Index n_, p_;
};

constexpr std::size_t whole_path = 100;

TEST(Route, IsTheOneAskedFor) {
    for (const Method method : both_methods) {
        EXPECT_EQ(choice(10, 100000, 1, by(method)), method);
        EXPECT_EQ(choice(100000, 10, whole_path, by(method)), method);
    }
}

TEST(Route, IsOverTheColumnsWhereTheyOutnumberTheRows) {
    for (const std::size_t settings : {std::size_t{1}, whole_path}) {
        EXPECT_EQ(choice(99, 100, settings), Method::primal);
        EXPECT_EQ(choice(20, 50000, settings), Method::primal);
    }
}

TEST(Route, IsOverTheGramMatrixForTallDataAndWholePaths) {
    for (const Index p : {1, 20, 100, 1000, 4000})
        EXPECT_EQ(choice(500000, p, whole_path), Method::dual) << p;
    EXPECT_EQ(choice(100, 100, whole_path), Method::dual);
}

// It has p^2 entries, which must fit.
TEST(Route, IsOverTheColumnsWhereTheGramMatrixIsLarge) {
    EXPECT_EQ(choice(500000, 4001, whole_path), Method::primal);
    EXPECT_EQ(choice(10000000, 20000, whole_path), Method::primal);
}

// One setting takes a few passes over X, and the Gram matrix p / 2 products of it.
TEST(Route, OfASingleFitDependsOnTheColumns) {
    EXPECT_EQ(choice(500000, 20, 1), Method::dual);
    EXPECT_EQ(choice(500000, 2000, 1), Method::primal);
}

// Made once, it serves every setting: more of them never speak against it, nor do fewer columns.
TEST(Route, TurnsToTheGramMatrixOnce) {
    for (const Index n : {200, 5000, 1000000}) {
        std::size_t fewest = 0;  // settings that it pays for
        for (Index p = 10; p <= n; p += 10 + p / 3) {
            std::size_t here = 1;
            while (here < 200 && choice(n, p, here) == Method::primal) ++here;
            EXPECT_GE(here, fewest) << n << "x" << p;
            for (std::size_t more = here; more < 200; ++more)
                ASSERT_EQ(choice(n, p, more), choice(n, p, here)) << n << "x" << p << " " << more;
            fewest = here;
        }
    }
}

// Few entries are iterated on at far less than the price of a large matrix.
TEST(Route, OfSparseDataDependsOnTheirEntries) {
    EXPECT_EQ(SparseRows(20000, 1500, 3).choice(whole_path), Method::primal);
    EXPECT_EQ(SparseRows(20000, 1500, 300).choice(whole_path), Method::dual);
    EXPECT_EQ(SparseRows(20000, 900, 3).choice(whole_path), Method::dual);
    EXPECT_EQ(SparseRows(800, 900, 3).choice(whole_path), Method::primal);
}

// A solution says which way it went.
TEST(Route, IsTakenByAFit) {
    for (const auto& [n, p] : {std::pair<Index, Index>{30, 60}, {60, 30}, {400, 200}}) {
        const Data data = random_regression(n, p, 3);
        EXPECT_EQ(fit(data.problem(), Mixing{0.1, 0.5}).method, choice(n, p, 1));
        const std::vector<Setting> two{Mixing{0.1, 0.5}, Mixing{0.05, 0.5}};
        for (const Solution& solution : solve_path(data.problem(), two))
            EXPECT_EQ(solution.method, choice(n, p, 2));
    }
    EXPECT_NE(choice(400, 200, 1), choice(400, 200, 2));
}

}  // namespace
}  // namespace sven::test
