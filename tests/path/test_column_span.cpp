// The span of some columns in twofold precision: against normal equations in long double, and on
// columns that are dependent, or nearly, where those have no digit left.

#include <numeric>

#include "path/column_span.hpp"
#include "path/prepared.hpp"
#include "support/certify.hpp"
#include "support/eliminate.hpp"

namespace sven::test {
namespace {

using linalg::Twofold;
using linalg::TwofoldVector;
using path::ColumnSpan;

// Entries of a few binary digits, so that sums and multiples of columns are exact.
Data short_numbers(Index n, Index p, unsigned seed) {
    Data data = random_regression(n, p, seed);
    for (double& x : data.X) x = std::round(x * 256) / 256;
    return data;
}

// Column `to` = sum of factors times columns, and a constant.
void set_column(Data& data, Index to, const std::vector<std::pair<Index, double>>& terms,
                double constant = 0) {
    for (Index i = 0; i < data.n; ++i) {
        double sum = constant;
        for (const auto& [from, factor] : terms) sum += factor * data.at(i, from);
        data.at(i, to) = sum;
    }
}

class Columns : public testing::TestWithParam<int> {
  protected:
    // All that can be switched.
    Data data(unsigned seed) const {
        Data data = random_regression(25, 6, seed);
        data.intercept = (GetParam() & 1) == 0;
        data.standardize = (GetParam() & 2) == 0;
        if (GetParam() & 4) add_weights(data, seed + 1);
        data.factors = {1, 0.5, 1, 2, 1, 3};
        return data;
    }
};

const std::vector<Index> some{4, 0, 3};
const std::vector<double> slopes{1, -0.5, 2};

// (X'X + l2 F) b = X'y - h slopes over `some`.
std::vector<double> normal_equations(const Data& data, double l2, double h) {
    const NaiveColumns c = standardize(data);
    const auto dot = [&](const Real* a, const Real* b) {
        return std::inner_product(a, a + data.n, b, Real{0});
    };
    std::vector<Real> K;
    std::vector<Real> right;
    for (std::size_t k = 0; k < some.size(); ++k) {
        const Real* x = c.X.data() + some[k] * data.n;
        for (const Index j : some)
            K.push_back(dot(x, c.X.data() + j * data.n) +
                        (some[k] == j ? l2 * data.factors[j] : 0));
        right.push_back(dot(x, c.y.data()) - static_cast<Real>(h) * slopes[k]);
    }
    const std::vector<Real> solved = eliminate(K, right);
    return {solved.begin(), solved.end()};
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected) {
    ASSERT_EQ(found.size(), expected.size());
    double largest = 0;
    for (const double value : expected) largest = std::max(largest, std::abs(value));
    for (std::size_t k = 0; k < found.size(); ++k)
        EXPECT_NEAR(found[k], expected[k], 1e-13 * largest) << k;
}

TEST_P(Columns, AreFittedAsTheNormalEquationsSay) {
    const Prepared prepared(data(41));
    for (const double l2 : {0.0, 3.0})
        for (const double h : {0.0, 0.8}) {
            SCOPED_TRACE(testing::Message() << "l2 " << l2 << " h " << h);
            ColumnSpan span(prepared.work, l2, static_cast<Index>(some.size()));
            for (const Index j : some) ASSERT_TRUE(span.add(j));
            const ColumnSpan::Fit fit = span.minimise(h, slopes);
            EXPECT_EQ(fit.h, h);
            expect_near(fit.beta, normal_equations(prepared.data, l2, h));
        }
}

TEST_P(Columns, AreFittedWithinABudget) {
    const Prepared prepared(data(42));
    for (const double l2 : {0.0, 3.0}) {
        SCOPED_TRACE(l2);
        ColumnSpan span(prepared.work, l2, static_cast<Index>(some.size()));
        for (const Index j : some) ASSERT_TRUE(span.add(j));
        const std::vector<double> free = normal_equations(prepared.data, l2, 0);
        const double wanted = std::inner_product(free.begin(), free.end(), slopes.begin(), 0.0);
        const ColumnSpan::Fit bound = span.minimise_within(wanted - 0.4, slopes);
        EXPECT_GT(bound.h, 0);
        EXPECT_NEAR(std::inner_product(bound.beta.begin(), bound.beta.end(), slopes.begin(), 0.0),
                    wanted - 0.4, 1e-12);
        expect_near(bound.beta, normal_equations(prepared.data, l2, bound.h));
        const ColumnSpan::Fit slack = span.minimise_within(wanted + 0.4, slopes);
        EXPECT_EQ(slack.h, 0);
        expect_near(slack.beta, free);
    }
}

TEST_P(Columns, MoveAVectorToGivenProducts) {
    const Prepared prepared(data(43));
    ColumnSpan span(prepared.work);
    for (const Index j : some) ASSERT_TRUE(span.add(j));
    const std::vector<double> start = random_vector(25, 44);
    TwofoldVector v;
    for (const double value : start) v.push_back({value});
    const double moved = span.move(slopes, v);
    const NaiveColumns c = standardize(prepared.data);
    Real squares = 0;
    Real along_the_weights = 0;
    std::vector<Real> products(some.size());
    for (Index i = 0; i < 25; ++i) {
        squares += std::pow(static_cast<Real>(v[i].value()) - start[i], 2);
        along_the_weights += static_cast<Real>(v[i].value()) * prepared.work.root_weight(i);
        for (std::size_t k = 0; k < some.size(); ++k)
            products[k] += c.X[some[k] * 25 + i] * v[i].value();
    }
    EXPECT_NEAR(moved, static_cast<double>(std::sqrt(squares)), 1e-14 * moved);
    for (std::size_t k = 0; k < some.size(); ++k)
        EXPECT_NEAR(static_cast<double>(products[k]), slopes[k], 1e-13);
    if (prepared.data.intercept) {
        EXPECT_NEAR(static_cast<double>(along_the_weights), 0, 1e-13);
    }
    EXPECT_LE(span.move(slopes, v), 1e-27);  // it is there
}

TEST_P(Columns, AreCombinedIntoAFeatureOfTheSpan) {
    Data given = data(45);
    for (double& x : given.X) x = std::round(x * 256) / 256;
    set_column(given, 1, {{4, 2}, {0, -0.5}}, given.intercept ? 3 : 0);
    const Prepared prepared(given);
    ColumnSpan span(prepared.work);
    for (const Index j : some) ASSERT_TRUE(span.add(j));
    const TwofoldVector combination = span.combination_of(1);
    ASSERT_EQ(combination.size(), some.size());
    const NaiveColumns c = standardize(given);
    const Real expected[] = {2 * c.scale[4] / c.scale[1], -0.5L * c.scale[0] / c.scale[1], 0};
    for (std::size_t k = 0; k < some.size(); ++k)
        EXPECT_NEAR(combination[k].value(), static_cast<double>(expected[k]), 1e-15) << k;
    EXPECT_TRUE(span.combination_of(5).empty());
}

INSTANTIATE_TEST_SUITE_P(Variants, Columns, testing::Range(0, 8));

TEST(ColumnSpan, HoldsTheInterceptFirst) {
    Data data = short_numbers(20, 4, 46);
    set_column(data, 2, {{0, 2}}, 1.5);
    set_column(data, 3, {{0, -1}});
    const Prepared prepared(data);
    ColumnSpan span(prepared.work);
    EXPECT_EQ(span.size(), 1);
    EXPECT_TRUE(span.add(0));
    EXPECT_TRUE(span.add(1));
    EXPECT_FALSE(span.add(2));
    EXPECT_FALSE(span.add(3));
    EXPECT_EQ(span.size(), 3);
    EXPECT_EQ((std::vector<Index>{span.features().begin(), span.features().end()}),
              (std::vector<Index>{0, 1}));
    data.intercept = false;  // and then 2 x_0 + 1.5 is another direction
    const Prepared plain(data);
    ColumnSpan through_zero(plain.work);
    EXPECT_EQ(through_zero.size(), 0);
    EXPECT_TRUE(through_zero.add(0));
    EXPECT_TRUE(through_zero.add(2));
    EXPECT_FALSE(through_zero.add(3));
}

// Columns 2^-30 apart: the normal equations know nothing of their difference.
TEST(ColumnSpan, FitsColumnsThatAreNearlyCopies) {
    Data data = short_numbers(20, 2, 47);
    for (Index i = 0; i < data.n; ++i) {
        data.at(i, 1) = data.at(i, 0) + 0x1p-30 * data.at(i, 1);
        data.y[i] = data.at(i, 0) + 2 * data.at(i, 1);
    }
    data.standardize = false;
    const Prepared prepared(data);
    ColumnSpan span(prepared.work);
    ASSERT_TRUE(span.add(0) && span.add(1));
    const std::vector<double> none(2, 0.0);
    const std::vector<double> beta = span.minimise(0, none).beta;
    EXPECT_NEAR(beta[0], 1, 1e-12);
    EXPECT_NEAR(beta[1], 2, 1e-12);
}

// A second's work or so, by the rows, those of the ridges among them, and the columns.
TEST(ColumnSpan, IsAffordableWhileItIsSmall) {
    Data data = short_numbers(10, 2, 48);
    data.intercept = false;
    const Prepared prepared(data);
    EXPECT_TRUE(ColumnSpan(prepared.work).is_affordable());
    EXPECT_FALSE(ColumnSpan(prepared.work, 1, 1000000000).is_affordable());
}

class Exchange : public testing::Test {
  protected:
    // Feature 3 is `terms`; the support is features 0 and 1 with these signs.
    bool admits(const std::vector<std::pair<Index, double>>& terms,
                const std::vector<double>& signs = {1, 1}) {
        set_column(data_, 3, terms, 0.5);
        const Prepared prepared(data_);
        const auto given = [&](const std::vector<Index>& carriers) {
            return path::admits_exchange(prepared.work, {{0, 1}, signs, signs}, 3, carriers);
        };
        // whichever columns are tried first
        const bool found = given({});
        EXPECT_EQ(given({0}), found);
        EXPECT_EQ(given({1}), found);
        EXPECT_EQ(given({0, 1}), found);
        return found;
    }

    Data data_ = short_numbers(20, 4, 50);
};

TEST_F(Exchange, IsForACopyAtTheSamePrice) {
    EXPECT_TRUE(admits({{0, 1}}));
    EXPECT_TRUE(admits({{1, 4}}));   // the same once it is scaled
    EXPECT_FALSE(admits({{2, 1}}));  // not of the support
    EXPECT_FALSE(admits({{0, 1}, {2, 0x1p-30}}));
    data_.factors = {1, 1, 1, 2};
    EXPECT_FALSE(admits({{0, 1}}));
    data_.factors = {2, 1, 1, 2};
    EXPECT_TRUE(admits({{0, 1}}));
}

TEST_F(Exchange, MayTurnTheSignUnlessThatIsForbidden) {
    EXPECT_TRUE(admits({{0, -1}}));
    EXPECT_TRUE(admits({{0, 1}}, {-1, 1}));
    data_.nonnegative = true;
    EXPECT_TRUE(admits({{0, 1}}));
    EXPECT_FALSE(admits({{0, -1}}));
}

// Without scaling x_3 = q_0 x_0 + q_1 x_1 costs what they do if q_0 s_0 + q_1 s_1 = 1.
TEST_F(Exchange, IsForCombinationsThatCostTheSame) {
    data_.standardize = false;
    EXPECT_TRUE(admits({{0, 0.25}, {1, 0.75}}));
    EXPECT_FALSE(admits({{0, 0.5}, {1, 0.75}}));
    EXPECT_TRUE(admits({{0, 1.5}, {1, 0.5}}, {1, -1}));
    EXPECT_FALSE(admits({{0, 0.25}, {1, 0.75}}, {1, -1}));
}

}  // namespace
}  // namespace sven::test
