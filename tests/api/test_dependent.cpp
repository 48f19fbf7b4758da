// Dependent columns, unpenalised and excluded features, weights.

#include "support/certify.hpp"
#include "support/options.hpp"
#include "support/solutions.hpp"

namespace sven::test {
namespace {

class Dependent : public EachMethod {
  protected:
    Solution certified(const Data& data, const Setting& setting) const {
        Solution solution = fit(data.problem(), setting, options());
        certify(data, setting, solution);
        return solution;
    }
};

void copy_column(Data& data, Index from, Index to, double sign = 1) {
    for (Index i = 0; i < data.n; ++i) data.at(i, to) = sign * data.at(i, from);
}

// Entries with few digits, so that sums and quarters of them are exact.
void shorten(Data& data) {
    for (double& x : data.X) x = std::round(x * 0x1p20) / 0x1p20;
}

// Every column twice, the copies last: whichever is selected could be the other.
TEST_P(Dependent, DuplicateColumnsAreNotUnique) {
    for (const Index half : {2, 30}) {
        Data data = random_regression(100, 2 * half, 21);
        for (Index j = 0; j < half; ++j) copy_column(data, j, half + j, j % 3 == 0 ? -1 : 1);
        for (const double ratio : {0.5, 0.05, 1e-3}) {
            SCOPED_TRACE(testing::Message() << half << " ratio " << ratio);
            const double lambda = ratio * largest_lambda(data);
            const Solution solution = certified(data, Mixing{lambda, 1});
            EXPECT_EQ(solution.status, Status::not_unique);
            const Solution bounded = certified(data, Budget{solution.t, 0});
            EXPECT_EQ(bounded.status, Status::not_unique);
        }
    }
}

// From a support of hundreds far down at once: hundreds more enter, and copies among them.
TEST_P(Dependent, ManyCopiesFarDownThePath) {
    const Index columns = 1100;
    Data data = random_regression(900, columns, 29);
    for (Index j = 0; j < 200; ++j)
        copy_column(data, 3 * j, columns - 200 + j, j % 3 == 0 ? -1 : 1);
    const double lambda = 1e-3 * largest_lambda(data);
    const Solution solution = certified(data, Mixing{lambda, 1});
    EXPECT_GT(solution.coefficients.size(), 700U);
    EXPECT_EQ(solution.status, Status::not_unique);
    EXPECT_EQ(certified(data, Budget{solution.t, 0}).status, Status::not_unique);
}

TEST_P(Dependent, ARidgeSharesBetweenDuplicates) {
    Data data = random_regression(40, 6, 22);
    copy_column(data, 1, 4);
    copy_column(data, 2, 5, -1);
    const Solution solution = certified(data, Mixing{0.02 * largest_lambda(data), 0.5});
    EXPECT_EQ(solution.status, Status::optimal);
    const std::vector<double> beta = standardized(solution, 6);
    EXPECT_NE(beta[1], 0);
    EXPECT_NEAR(beta[1], beta[4], 1e-10);
    EXPECT_NEAR(beta[2], -beta[5], 1e-10);
}

TEST_P(Dependent, ColumnsInGeneralPositionAreUnique) {
    const Data data = random_regression(30, 50, 23);
    for (const double ratio : {0.5, 0.05, 1e-3})
        EXPECT_EQ(certified(data, Mixing{ratio * largest_lambda(data), 1}).status, Status::optimal);
}

// With both of its parts selected in the same direction their mean sits at the bound as well.
TEST_P(Dependent, TheMeanOfTwoSelectedColumnsIsNotUnique) {
    Data data = random_regression(40, 3, 24, 0);
    data.standardize = false;
    shorten(data);
    for (Index i = 0; i < data.n; ++i) {
        data.at(i, 2) = (data.at(i, 0) + data.at(i, 1)) / 2;
        data.y[i] = 2 * data.at(i, 0) + 1.5 * data.at(i, 1) + 0.1 * data.y[i];
    }
    const Solution solution = certified(data, Mixing{0.05 * largest_lambda(data), 1});
    EXPECT_EQ(solution.status, Status::not_unique);
}

// A column that is the sum of all others is never needed, and must not break the factor.
TEST_P(Dependent, CollinearColumnsAreSolved) {
    for (const Index n : {12, 60}) {
        Data data = random_regression(n, 20, 25);
        data.standardize = false;
        for (Index i = 0; i < n; ++i) {
            data.at(i, 19) = 0;
            for (Index j = 0; j < 19; ++j) data.at(i, 19) += data.at(i, j);
        }
        for (const double ratio : {0.5, 0.1, 1e-2, 1e-4, 1e-6}) {
            SCOPED_TRACE(testing::Message() << n << " rows, ratio " << ratio);
            const double l1 = 2 * static_cast<double>(n) * ratio * largest_lambda(data);
            for (const double l2 : {0.0, 1e-12, 1.0}) {
                const Solution solution = certified(data, Penalty{l1, l2});
                certified(data, Budget{solution.t, l2});
            }
        }
    }
}

// Least squares: every product with the residual is zero.
TEST_P(Dependent, WithoutAnyPenaltyFactorItIsLeastSquares) {
    for (const Index p : {6, 40}) {
        Data data = random_regression(20, p, 26);
        data.factors.assign(static_cast<std::size_t>(p), 0.0);
        for (const Setting& setting :
             {Setting{Penalty{5, 0}}, Setting{Penalty{5, 3}}, Setting{Budget{0, 0}},
              Setting{Budget{1, 2}}, Setting{Mixing{0.7, 0.5}}}) {
            const Solution solution = certified(data, setting);
            const NaiveColumns c = standardize(data);
            std::vector<Real> r = c.y;
            for (const Coefficient& b : solution.coefficients)
                for (Index i = 0; i < data.n; ++i)
                    r[i] -= c.X[b.feature * data.n + i] * b.standardized;
            for (Index j = 0; j < p; ++j) {
                Real product = 0;
                for (Index i = 0; i < data.n; ++i) product += c.X[j * data.n + i] * r[i];
                EXPECT_NEAR(static_cast<double>(product), 0,
                            1e-9 * static_cast<double>(std::sqrt(c.squares * 20)));
            }
            EXPECT_EQ(solution.t, 0);
        }
    }
}

// A ridge does not reach them: what one gains the other may lose, at no cost.
TEST_P(Dependent, UnpenalisedColumnsThatDependAreNotUnique) {
    for (const Index p : {8, 60}) {
        Data data = random_regression(30, p, 29);
        data.factors.assign(static_cast<std::size_t>(p), 1.0);
        data.factors[1] = data.factors[3] = data.factors[6] = 0;
        const Data independent = data;
        shorten(data);
        for (Index i = 0; i < data.n; ++i)
            data.at(i, 6) = 2 * data.at(i, 1) - data.at(i, 3) / 4 + 0.5;
        for (const Setting& setting :
             {Setting{Penalty{4, 3}}, Setting{Penalty{4, 0}}, Setting{Penalty{0, 2}},
              Setting{Budget{0.5, 2}}, Setting{Mixing{0.3, 0.5}}}) {
            SCOPED_TRACE(testing::Message() << p << " columns, form " << setting.index());
            EXPECT_EQ(certified(data, setting).status, Status::not_unique);
            EXPECT_EQ(certified(independent, setting).status, Status::optimal);
        }
    }
}

// More of them than rows can hold.
TEST_P(Dependent, TooManyUnpenalisedColumnsAreNotUnique) {
    Data data = random_regression(10, 14, 30);
    data.factors.assign(14, 0.0);
    for (const Index penalised : {3, 7, 8}) data.factors[penalised] = 1;
    EXPECT_EQ(certified(data, Penalty{0.1, 1}).status, Status::not_unique);
    data.factors[5] = data.factors[6] = 1;  // nine are as many as the intercept leaves room for
    EXPECT_EQ(certified(data, Penalty{0.1, 1}).status, Status::optimal);
}

// Near-duplicates are not duplicates, also where the Gram matrix cannot tell.
TEST_P(Dependent, UnpenalisedColumnsThatNearlyDependAreUnique) {
    for (const double distance : {1e-3, 1e-6}) {
        Data data = random_regression(30, 8, 31);
        data.factors.assign(8, 1.0);
        data.factors[1] = data.factors[6] = 0;
        for (Index i = 0; i < data.n; ++i) data.at(i, 6) = data.at(i, 1) + distance * data.at(i, 6);
        Options coarse = options();
        coarse.tolerance = 1e-4;
        EXPECT_EQ(fit(data.problem(), Penalty{4, 3}, coarse).status, Status::optimal) << distance;
    }
}

TEST_P(Dependent, InfiniteFactorsLeaveEverythingOut) {
    for (const Index p : {5, 40}) {
        Data data = random_regression(20, p, 27);
        data.factors.assign(static_cast<std::size_t>(p), infinity);
        for (const Setting& setting : {Setting{Penalty{0, 0}}, Setting{Penalty{1, 1}},
                                       Setting{Budget{3, 0}}, Setting{Mixing{0, 0.5}}}) {
            const Solution solution = certified(data, setting);
            EXPECT_TRUE(solution.coefficients.empty());
            EXPECT_EQ(solution.certificate.proven_zero, p);
        }
    }
}

TEST_P(Dependent, WeightsCountRows) {
    for (const Index p : {5, 30})
        for (int bits = 0; bits < 4; ++bits) {
            Data weighted = random_regression(20, p, 28);
            weighted.intercept = (bits & 1) == 0;
            weighted.standardize = (bits & 2) == 0;
            Data repeated = weighted;
            repeated.y.clear();
            std::vector<Index> rows;
            for (Index i = 0; i < weighted.n; ++i) {
                weighted.weights.push_back(static_cast<double>((i * 7) % 4));
                for (Index k = 0; k < (i * 7) % 4; ++k) rows.push_back(i);
            }
            repeated.n = static_cast<Index>(rows.size());
            repeated.X.clear();
            for (const Index i : rows) repeated.y.push_back(weighted.y[i]);
            for (Index j = 0; j < p; ++j)
                for (const Index i : rows) repeated.X.push_back(weighted.at(i, j));
            for (const Setting& setting : {Setting{Penalty{6, 0}}, Setting{Penalty{6, 2}},
                                           Setting{Budget{1, 0.5}}, Setting{Mixing{0.2, 0.7}}}) {
                const Solution first = certified(weighted, setting);
                const Solution second = certified(repeated, setting);
                ASSERT_EQ(first.coefficients.size(), second.coefficients.size());
                for (std::size_t k = 0; k < first.coefficients.size(); ++k)
                    EXPECT_NEAR(first.coefficients[k].value, second.coefficients[k].value, 1e-10);
                EXPECT_NEAR(first.objective, second.objective, 1e-11 * second.objective);
                EXPECT_NEAR(first.lambda, second.lambda, 1e-10 * second.lambda);
            }
        }
}

INSTANTIATE_TEST_SUITE_P(Methods, Dependent, testing::ValuesIn(both_methods), method_name);

}  // namespace
}  // namespace sven::test
