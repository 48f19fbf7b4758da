// Predictions of the rows by the folds that test them: they have the errors that the curve says.

#include <gtest/gtest.h>

#include <cmath>

#include "sven/sven.hpp"

namespace {

using namespace sven;

// Row-major values, a response of the family, weights and an offset, all from one seed.
struct Data {
    std::vector<double> X, y, weights, offset;
    Problem problem;

    Data(Index n, Index p, Family family, std::uint64_t seed) {
        SplitMix64 random(seed);
        const auto uniform = [&] { return static_cast<double>(random.below(1 << 20)) / (1 << 20); };
        for (Index i = 0; i < n; ++i) {
            double eta = 0.3;
            for (Index j = 0; j < p; ++j) {
                X.push_back(uniform() - 0.5 + 3 * (j == 1));
                eta += j < 3 ? 2 * (X.back() - 3 * (j == 1)) : 0;
            }
            weights.push_back(0.5 + uniform());
            offset.push_back(0.4 * uniform());
            const double noise = uniform();
            if (family == Family::gaussian) y.push_back(eta + noise);
            if (family == Family::binomial) y.push_back(noise < 1 / (1 + std::exp(-eta)) ? 1 : 0);
            if (family == Family::poisson) y.push_back(std::floor(3 * std::exp(eta) * noise));
        }
        problem.X = row_major(X.data(), n, p);
        problem.y = y;
        problem.weights = weights;
        problem.offset = offset;
        problem.family = family;
    }
};

double squared_error(const Data& data, const Fold& fold, const std::vector<double>& mean) {
    double sum = 0;
    double total = 0;
    for (const Index i : fold.test) {
        sum += data.weights[i] * (data.y[i] - mean[i]) * (data.y[i] - mean[i]);
        total += data.weights[i];
    }
    return (data.problem.family == Family::binomial ? 2 : 1) * sum / total;
}

// Errors from sums keep seven digits at least.
void expect_errors_of_the_curve(const Data& data, const CvResult& result,
                                const std::vector<Fold>& folds) {
    for (const CvCurve& curve : result.curves)
        for (std::size_t k = 0; k < folds.size(); ++k) {
            EXPECT_NEAR(squared_error(data, folds[k], curve.out_of_fold.best) /
                            curve.fold_error[curve.best * folds.size() + k],
                        1, 1e-7);
            EXPECT_NEAR(squared_error(data, folds[k], curve.out_of_fold.one_standard_error) /
                            curve.fold_error[curve.one_standard_error * folds.size() + k],
                        1, 1e-7);
        }
}

TEST(OutOfFold, HasTheErrorsOfTheCurve) {
    for (const Family family : {Family::gaussian, Family::binomial, Family::poisson})
        for (const auto& [n, p] : {std::pair<Index, Index>{120, 6}, {40, 90}}) {
            SCOPED_TRACE(std::string(name(family)) + " " + std::to_string(n));
            const Data data(n, p, family, 5);
            CrossValidation plan;
            plan.folds = make_folds(n, 4);
            plan.grids = {{.alpha = 1, .count = 12}, {.alpha = 0.3, .count = 12}};
            plan.measure = Measure::mse;
            EXPECT_TRUE(cross_validate(data.problem, plan).curves[0].out_of_fold.best.empty());
            plan.keeps_predictions = true;
            expect_errors_of_the_curve(data, cross_validate(data.problem, plan), plan.folds);
            Session session(data.problem);
            expect_errors_of_the_curve(data, session.cross_validate(plan), plan.folds);
        }
}

// By plain loops from a fit in which the test rows have no weight.
TEST(OutOfFold, IsWhatAFitOfTheTrainingRowsForetells) {
    for (const Family family : {Family::gaussian, Family::binomial, Family::poisson}) {
        const Data data(50, 4, family, 9);
        CrossValidation plan{make_folds(50, 5), {{.count = 1}}};
        plan.lambdas = {0.02};
        plan.keeps_predictions = true;
        const CvResult result = cross_validate(data.problem, plan);
        for (const Fold& fold : plan.folds) {
            std::vector<double> weights = data.weights;
            for (const Index i : fold.test) weights[i] = 0;
            Problem training = data.problem;
            training.weights = weights;
            const Solution solution = fit(training, Mixing{.lambda = 0.02});
            for (const Index i : fold.test) {
                double eta = data.offset[i] + solution.intercept;
                for (const Coefficient& b : solution.coefficients)
                    eta += b.value * data.X[i * 4 + b.feature];
                const double mean = family == Family::gaussian   ? eta
                                    : family == Family::binomial ? 1 / (1 + std::exp(-eta))
                                                                 : std::exp(eta);
                EXPECT_NEAR(result.curves[0].out_of_fold.best[i], mean, 1e-5 * (1 + mean));
            }
        }
    }
}

TEST(OutOfFold, AveragesRepeatsAndLacksWhatIsNotTested) {
    const Data data(60, 5, Family::gaussian, 8);
    CrossValidation plan{make_folds(60, 5, 1, 2), {{.count = 1}}};
    plan.keeps_predictions = true;
    plan.lambdas = {0.01};
    const std::vector<double> both = cross_validate(data.problem, plan).curves[0].out_of_fold.best;
    const std::vector<Fold> all = plan.folds;
    std::vector<std::vector<double>> single;
    for (const std::size_t first : {0, 5}) {
        plan.folds.assign(all.begin() + first, all.begin() + first + 5);
        single.push_back(cross_validate(data.problem, plan).curves[0].out_of_fold.best);
    }
    for (std::size_t i = 0; i < 60; ++i)
        EXPECT_NEAR(both[i], (single[0][i] + single[1][i]) / 2, 1e-6);
    plan.folds = time_ordered_folds(60, 3);
    const std::vector<double> later = cross_validate(data.problem, plan).curves[0].out_of_fold.best;
    for (std::size_t i = 0; i < 60; ++i) EXPECT_EQ(std::isnan(later[i]), i < 15);
}

// Mean and standard error of the errors of the rows, as cv.glmnet has them with grouped = FALSE.
std::pair<double, double> ungrouped(const Data& data, Measure measure,
                                    const std::vector<double>& mean) {
    const std::size_t n = data.y.size();
    std::vector<double> error(n);
    double sum = 0, total = 0, squares = 0;
    for (std::size_t i = 0; i < n; ++i) {
        error[i] = measured(data.problem.family, measure, {&data.y[i], 1}, {&mean[i], 1});
        sum += data.weights[i] * error[i];
        total += data.weights[i];
    }
    for (std::size_t i = 0; i < n; ++i)
        squares += data.weights[i] * (error[i] - sum / total) * (error[i] - sum / total);
    return {sum / total, std::sqrt(squares / total / static_cast<double>(n - 1))};
}

TEST(OutOfFold, UngroupedErrorsAreThoseOfTheRows) {
    for (const Family family : {Family::gaussian, Family::binomial, Family::poisson})
        for (const auto& [n, p] : {std::pair<Index, Index>{120, 6}, {40, 90}})
            for (const Measure measure : {Measure::deviance, Measure::mae}) {
                SCOPED_TRACE(std::string(name(family)) + " " + std::to_string(n));
                const Data data(n, p, family, 5);
                CrossValidation plan;
                plan.folds = make_folds(n, 4);
                plan.grids = {{.alpha = 0.7, .count = 8}};
                plan.measure = measure;
                plan.keeps_predictions = true;
                plan.gammas = {0.5, 1};
                const CvCurve folds = cross_validate(data.problem, plan).curves[0];
                EXPECT_TRUE(folds.fold_variance.empty());
                plan.grouped = false;
                const CvCurve rows = cross_validate(data.problem, plan).curves[0];
                for (std::size_t s = 0; s < rows.mean.size(); ++s) {
                    EXPECT_NEAR(rows.mean[s] / folds.mean[s], 1, 1e-7);
                    EXPECT_EQ(rows.relaxed.curves[1].standard_error[s], rows.standard_error[s]);
                }
                const auto [mean, error] = ungrouped(data, measure, rows.out_of_fold.best);
                EXPECT_NEAR(rows.mean[rows.best] / mean, 1, 1e-9);
                EXPECT_NEAR(rows.standard_error[rows.best] / error, 1, 1e-8);
                const CvChoice best = rows.relaxed.best;
                const auto [blended_mean, blended_error] =
                    ungrouped(data, measure, rows.relaxed.out_of_fold.best);
                EXPECT_NEAR(rows.relaxed.curves[best.gamma].mean[best.lambda] / blended_mean, 1,
                            1e-9);
                EXPECT_NEAR(
                    rows.relaxed.curves[best.gamma].standard_error[best.lambda] / blended_error, 1,
                    1e-8);
            }
}

TEST(OutOfFold, UngroupedErrorsTakeEveryRowOnce) {
    const Data data(60, 5, Family::binomial, 8);
    CrossValidation plan{make_folds(60, 3, 1, 2)};
    plan.grouped = false;
    try {
        (void)cross_validate(data.problem, plan);
        FAIL();
    } catch (const InvalidArgument& error) {
        EXPECT_NE(std::string(error.what()).find("ungrouped standard errors take every row once"),
                  std::string::npos);
    }
    // an area is one of a fold
    plan.measure = Measure::auc;
    EXPECT_TRUE(cross_validate(data.problem, plan).curves[0].fold_variance.empty());
}

TEST(Measured, CountsTiesWeightsAndRowsWithoutPrediction) {
    const double none = std::nan("");
    const std::vector<double> y{1, 0, 1, 0, 1, 0.25};
    const std::vector<double> mean{0.9, 0.9, 0.4, 0.1, none, 0.4};
    const std::vector<double> weights{2, 1, 3, 1, 5, 4};
    // successes: 2 at 0.9, 3 + 1 at 0.4; failures: 1 at 0.9, 3 at 0.4, 1 at 0.1
    EXPECT_NEAR(measured(Family::binomial, Measure::auc, y, mean, weights),
                (2 * (0.5 + 3 + 1) + 4 * (1.5 + 1)) / (6 * 5), 1e-15);
    EXPECT_NEAR(measured(Family::binomial, Measure::classification, y, mean, weights),
                (1 + 3 + 4 * 0.25) / 11, 1e-15);
    EXPECT_NEAR(measured(Family::gaussian, Measure::mae, y, mean, weights),
                (2 * 0.1 + 0.9 + 3 * 0.6 + 0.1 + 4 * 0.15) / 11, 1e-15);
    const double certain = measured(Family::binomial, Measure::deviance, std::vector<double>{1},
                                    std::vector<double>{0});
    EXPECT_NEAR(certain, -2 * std::log(1e-5), 1e-9);
    EXPECT_THROW((void)measured(Family::poisson, Measure::auc, y, mean), InvalidArgument);
    EXPECT_THROW((void)measured(Family::binomial, Measure::auc, y, mean, {weights.data(), 2}),
                 InvalidArgument);
}

}  // namespace
