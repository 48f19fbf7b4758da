// The special cases of the method, each of which needs a treatment of its own, by both methods.

#include "support/certify.hpp"
#include "support/options.hpp"
#include "sven/error.hpp"

namespace sven::test {
namespace {

class Special : public EachMethod {
  protected:
    Solution solve(const Data& data, const Setting& setting) const {
        return fit(data.problem(), setting, options());
    }
    // Solves and certifies.
    Solution certified(const Data& data, const Setting& setting) const {
        Solution solution = solve(data, setting);
        certify(data, setting, solution);
        EXPECT_TRUE(std::isfinite(solution.intercept));
        EXPECT_TRUE(std::isfinite(solution.lambda));
        return solution;
    }
};

std::vector<Setting> every_form() {
    return {Budget{0, 0},  Budget{0, 2},   Budget{1.5, 0},  Budget{1.5, 2},
            Penalty{3, 0}, Penalty{3, 2},  Penalty{0, 2},   Budget{infinity, 2},
            Mixing{0.5},   Mixing{0.5, 0}, Mixing{0.5, 0.5}};
}

TEST_P(Special, AnEmptyBudgetGivesZeros) {
    for (const Index p : {5, 60}) {
        Data data = random_regression(20, p, 1);
        for (const double l2 : {0.0, 2.0}) {
            const Solution solution = certified(data, Budget{0, l2});
            EXPECT_EQ(solution.status, Status::optimal);
            EXPECT_TRUE(solution.coefficients.empty());
            EXPECT_EQ(solution.t, 0);
            EXPECT_NEAR(solution.l1, 2 * 20 * largest_lambda(data), 1e-9 * solution.l1);
        }
        // of the unpenalised feature it says nothing
        data.factors.assign(static_cast<std::size_t>(p), 1.0);
        data.factors[2] = 0;
        const Solution solution = certified(data, Budget{0, 2});
        ASSERT_EQ(solution.coefficients.size(), 1U);
        EXPECT_EQ(solution.coefficients[0].feature, 2);
    }
}

TEST_P(Special, WithoutSignalEverythingIsZero) {
    for (const bool intercept : {false, true})
        for (const Index p : {3, 40}) {
            Data data = random_regression(12, p, 2);
            data.intercept = intercept;
            for (double& y : data.y) y = intercept ? -2.5 : 0;
            for (const Setting& setting : every_form()) {
                const Solution solution = certified(data, setting);
                EXPECT_TRUE(solution.coefficients.empty());
                EXPECT_EQ(solution.objective, 0);
                EXPECT_EQ(solution.gap, 0);
                EXPECT_EQ(solution.intercept, intercept ? -2.5 : 0);
            }
        }
}

// 0.1 is not exact, so that the mean is not either; the column must be left out all the same.
TEST_P(Special, AConstantColumnIsLeftOut) {
    for (const bool standardize : {false, true})
        for (const bool is_weighted : {false, true}) {
            Data data = random_regression(37, 6, 3);
            data.standardize = standardize;
            if (is_weighted) add_weights(data, 4);
            Data without = data;
            without.p = 5;
            without.X.clear();
            for (Index j = 1; j < data.p; ++j)
                for (Index i = 0; i < data.n; ++i) without.X.push_back(data.at(i, j));
            for (Index i = 0; i < data.n; ++i) data.at(i, 0) = 0.1;
            for (Index i = 1; is_weighted && i < data.n; ++i)
                if (data.weights[i] == 0) data.at(i, 0) = 7;  // not seen
            for (const Setting& setting : every_form()) {
                const Solution solution = certified(data, setting);
                const Solution expected = certified(without, setting);
                ASSERT_EQ(solution.coefficients.size(), expected.coefficients.size());
                for (std::size_t k = 0; k < solution.coefficients.size(); ++k) {
                    EXPECT_EQ(solution.coefficients[k].feature,
                              expected.coefficients[k].feature + 1);
                    EXPECT_NEAR(solution.coefficients[k].value, expected.coefficients[k].value,
                                1e-10);
                }
            }
        }
}

// Neither centred nor scaled it is a feature like any other.
TEST_P(Special, AConstantColumnAsItIsCanBeSelected) {
    Data data = random_regression(30, 4, 5);
    data.intercept = data.standardize = false;
    for (Index i = 0; i < data.n; ++i) {
        data.at(i, 0) = 2;
        data.y[i] += 10;
    }
    for (const double l2 : {0.0, 1.0}) {
        const Solution solution = certified(data, Penalty{5, l2});
        ASSERT_FALSE(solution.coefficients.empty());
        EXPECT_EQ(solution.coefficients[0].feature, 0);
    }
}

TEST_P(Special, NoColumnsLeaveTheMean) {
    Data data = random_regression(9, 0, 6);
    double mean = 0;
    for (const double y : data.y) mean += y / 9;
    for (const Setting& setting : every_form()) {
        const Solution solution = certified(data, setting);
        EXPECT_TRUE(solution.coefficients.empty());
        EXPECT_NEAR(solution.intercept, mean, 1e-14);
    }
}

TEST_P(Special, OneRow) {
    for (const Index p : {1, 4})
        for (int bits = 0; bits < 4; ++bits) {
            Data data = random_regression(1, p, 7);
            data.intercept = (bits & 1) != 0;
            data.standardize = (bits & 2) != 0;
            for (const Setting& setting : every_form()) {
                const Solution solution = certified(data, setting);
                // centred, the only row of every column is zero
                if (bits != 0) {
                    EXPECT_TRUE(solution.coefficients.empty());
                }
            }
        }
}

TEST_P(Special, OneColumnIsASoftThreshold) {
    for (const Index n : {1, 2, 30}) {
        Data data = random_regression(n, 1, 8);
        data.intercept = data.standardize = false;
        double square = 0;
        double product = 0;
        for (Index i = 0; i < n; ++i) {
            square += data.X[i] * data.X[i];
            product += data.X[i] * data.y[i];
        }
        for (const double l2 : {0.0, 1.5})
            for (const double share : {0.0, 0.3, 0.99, 1.5}) {
                SCOPED_TRACE(testing::Message() << n << " rows, l2 " << l2 << " share " << share);
                const double left = std::max(0.0, std::abs(product) * (1 - share));
                const double expected = std::copysign(left / (square + l2), product);
                const Setting setting = Penalty{2 * share * std::abs(product), l2};
                const Solution solution = certified(data, setting);
                const double value =
                    solution.coefficients.empty() ? 0 : solution.coefficients[0].value;
                EXPECT_NEAR(value, expected, 1e-13 * std::abs(product / square));
                const double most = std::abs(product) / (square + l2);
                const Solution bounded = certified(data, Budget{share * most, l2});
                EXPECT_NEAR(bounded.coefficients.empty() ? 0 : bounded.coefficients[0].value,
                            std::copysign(std::min(share, 1.0) * most, product), 1e-13 * most);
                if (share > 1) {
                    EXPECT_EQ(bounded.status, Status::ridge);
                }
            }
    }
}

// With a ridge the n x n system is the smaller one.
TEST_P(Special, MoreFeaturesThanRowsCanBeSelected) {
    const Data data = random_regression(10, 80, 9);
    for (const double ratio : {0.3, 0.03, 1e-3, 1e-6}) {
        const Setting setting = Mixing{ratio * largest_lambda(data), 0.05};
        const Solution solution = certified(data, setting);
        if (ratio < 0.1) {
            EXPECT_GT(solution.coefficients.size(), 10U);
        }
        certified(data, Budget{solution.t, solution.l2});
    }
}

// Without one, K would be singular with one more; the interpolating end of the path included.
TEST_P(Special, TheLassoSelectsNoMoreFeaturesThanRows) {
    for (const bool intercept : {false, true}) {
        Data data = random_regression(10, 80, 10);
        data.intercept = intercept;
        std::size_t most = 0;
        for (const double ratio : {0.1, 1e-2, 1e-4, 1e-6, 1e-8}) {
            const Solution solution = certified(data, Mixing{ratio * largest_lambda(data), 1});
            EXPECT_LE(solution.coefficients.size(), intercept ? 9U : 10U);
            most = std::max(most, solution.coefficients.size());
            certified(data, Budget{solution.t, 0});
        }
        EXPECT_EQ(most, intercept ? 9U : 10U);
    }
}

// As a fit of the Lasso, whose solution it is to rounding.
TEST_P(Special, ATinyRidgeIsNoNoise) {
    for (const Index p : {8, 60}) {
        const Data data = random_regression(20, p, 11);
        for (const double ratio : {0.5, 0.05, 0.005}) {
            const double l1 = 2 * 20 * ratio * largest_lambda(data);
            const Solution lasso = certified(data, Penalty{l1, 0});
            for (const double l2 : {1e-300, 1e-100, 1e-30, 1e-14}) {
                SCOPED_TRACE(testing::Message()
                             << p << " columns, ratio " << ratio << " l2 " << l2);
                const Solution solution = certified(data, Penalty{l1, l2});
                EXPECT_NEAR(solution.objective, lasso.objective, 1e-9 * lasso.objective);
                certified(data, Budget{lasso.t, l2});
            }
        }
    }
}

TEST_P(Special, ATinyRidgeAloneIsLeastSquares) {
    for (const Index p : {8, 60})
        for (const double l2 : {1e-300, 1e-100, 1e-30, 1e-14, 1e-9}) {
            SCOPED_TRACE(testing::Message() << p << " columns, l2 " << l2);
            const Data data = random_regression(20, p, 12);
            const Solution least = certified(data, Penalty{0, 0});
            for (const Setting& setting : {Setting{Penalty{0, l2}}, Setting{Budget{infinity, l2}},
                                           Setting{Budget{1e3, l2}}}) {
                const Solution solution = certified(data, setting);
                EXPECT_NEAR(solution.objective, least.objective,
                            1e-9 * least.objective + 10 * l2 + 1e-20);
            }
        }
}

TEST_P(Special, HugePenaltiesGiveZeros) {
    const Data data = random_regression(20, 8, 13);
    for (const double lambda : {1e10, 1e100, 1e300})
        for (const double alpha : {1.0, 0.5, 1e-3}) {
            SCOPED_TRACE(testing::Message() << lambda << " alpha " << alpha);
            const Solution solution = solve(data, Mixing{lambda, alpha});
            EXPECT_TRUE(solution.coefficients.empty());
            EXPECT_EQ(solution.status, Status::optimal);
            EXPECT_LE(solution.gap, 1e-10);
            EXPECT_TRUE(std::isfinite(solution.objective)) << solution.objective;
            EXPECT_EQ(solution.lambda, lambda);
        }
    EXPECT_THROW(solve(data, Mixing{1e308, 1}), InvalidArgument);
    EXPECT_THROW(solve(data, Mixing{1e308, 0}), InvalidArgument);
}

TEST_P(Special, HugeRidgesShrinkEverything) {
    const Data data = random_regression(20, 8, 13);
    for (const double l2 : {1e10, 1e100, 1e300}) {
        SCOPED_TRACE(l2);
        const Solution solution = certified(data, Penalty{0, l2});
        for (const Coefficient& b : solution.coefficients) EXPECT_LT(std::abs(b.value), 1e4 / l2);
        certified(data, Penalty{1, l2});
        certified(data, Budget{1, l2});
    }
}

TEST_P(Special, TinyPenaltiesAreLeastSquares) {
    const Data data = random_regression(30, 8, 14);
    const Solution least = certified(data, Penalty{0, 0});
    EXPECT_EQ(least.coefficients.size(), 8U);
    for (const double lambda : {0.0, 1e-300, 1e-100, 1e-20})
        for (const double alpha : {1.0, 0.5, 0.0}) {
            SCOPED_TRACE(testing::Message() << lambda << " alpha " << alpha);
            const Solution solution = certified(data, Mixing{lambda, alpha});
            EXPECT_NEAR(solution.objective, least.objective / 60, 1e-10 * least.objective);
        }
}

INSTANTIATE_TEST_SUITE_P(Methods, Special, testing::ValuesIn(both_methods), method_name);

// The budget of such a penalty is searched between two of which one uses 1e-16 of the other.
TEST(ExplicitSamples, TakeAPenaltyThatIsNextToNone) {
    const Data data = random_regression(30, 10, 5);
    for (const Svm svm : {Svm::newton, Svm::liblinear}) {
        if (svm == Svm::liblinear && !has_liblinear()) continue;
        Options options;
        options.svm = svm;
        for (const double l1 : {1e-14, 1e-16, 1e-20}) {
            const Solution solution = fit(data.problem(), Penalty{l1, 0.5}, options);
            EXPECT_EQ(solution.coefficients.size(), 10U) << l1;
            EXPECT_LT(solution.gap, 1e-8) << l1;
        }
    }
}

}  // namespace
}  // namespace sven::test
