// Binomial and poisson responses through the other calls: cross-validation, sessions, predictions,
// kinds of storage.

#include <gtest/gtest.h>

#include <algorithm>

#include "support/matrix_kinds.hpp"
#include "support/outcome_data.hpp"
#include "sven/error.hpp"
#include "sven/predict.hpp"
#include "sven/session.hpp"

namespace sven::test {
namespace {

double mean_of(Family family, double eta) {
    return family == Family::binomial ? 1 / (1 + std::exp(-eta)) : std::exp(eta);
}

// cv.glmnet's measures, as its source has them.
double plain_error(Family family, Measure measure, double y, double eta) {
    double mean = mean_of(family, eta);
    const bool is_binomial = family == Family::binomial;
    if (measure == Measure::mse)
        return is_binomial ? std::pow((1 - y) - (1 - mean), 2) + std::pow(y - mean, 2)
                           : std::pow(y - mean, 2);
    if (measure == Measure::mae) return (is_binomial ? 2 : 1) * std::abs(y - mean);
    if (measure == Measure::classification) return (mean > 0.5) == (y == 1) ? 0 : 1;
    if (!is_binomial) return 2 * ((y > 0 ? y * std::log(y) : 0) - y - (y * eta - mean));
    mean = std::clamp(mean, 1e-5, 1 - 1e-5);
    return -2 * (y * std::log(mean) + (1 - y) * std::log(1 - mean));
}

double plain_area(const std::vector<double>& y, const std::vector<double>& eta) {
    double won = 0;
    double pairs = 0;
    for (std::size_t a = 0; a < y.size(); ++a)
        for (std::size_t b = 0; b < y.size(); ++b) {
            if (y[a] != 1 || y[b] != 0) continue;
            pairs += 1;
            won += eta[a] > eta[b] ? 1 : (eta[a] == eta[b] ? 0.5 : 0);
        }
    return won / pairs;
}

Data rows_of(const Data& data, const std::vector<char>& is_in) {
    Data part = data;
    part.X.clear();
    part.y.clear();
    for (Index j = 0; j < data.p; ++j)
        for (Index i = 0; i < data.n; ++i)
            if (is_in[i]) part.X.push_back(data.at(i, j));
    for (Index i = 0; i < data.n; ++i)
        if (is_in[i]) part.y.push_back(data.y[i]);
    part.n = static_cast<Index>(part.y.size());
    return part;
}

void expect_fold_errors(Family family, Measure measure, Held held = Held::lambda) {
    const Data data = outcome_data(family, 60, 12, 21);
    CrossValidation plan;
    plan.folds = make_folds(data.n, 3, 5);
    plan.grids = {{.alpha = 0.5, .count = 5, .min_ratio = 0.05}};
    plan.measure = measure;
    plan.held = held;
    const CvCurve curve = cross_validate(data.problem(), plan).curves.front();
    for (std::size_t k = 0; k < plan.folds.size(); ++k) {
        std::vector<char> is_training(60, 1);
        for (const Index i : plan.folds[k].test) is_training[i] = 0;
        const Data training = rows_of(data, is_training);
        const double lambda = curve.lambda[3];
        const Solution solution =
            fit(training.problem(), held == Held::lambda ? Setting(Mixing{lambda, 0.5})
                                                         : Penalty{60 * lambda, 30 * lambda});
        const std::vector<double> eta = predict(data.problem().X, solution);
        double error = 0;
        std::vector<double> y;
        std::vector<double> at;
        for (const Index i : plan.folds[k].test) {
            error += plain_error(family, measure, data.y[i], eta[i]) /
                     static_cast<double>(plan.folds[k].test.size());
            y.push_back(data.y[i]);
            at.push_back(eta[i]);
        }
        if (measure == Measure::auc) error = plain_area(y, at);
        EXPECT_NEAR(curve.fold_error[3 * 3 + k], error, 1e-6) << "fold " << k;
    }
    const auto best = measure == Measure::auc
                          ? std::max_element(curve.mean.begin(), curve.mean.end())
                          : std::min_element(curve.mean.begin(), curve.mean.end());
    EXPECT_EQ(curve.best, best - curve.mean.begin());
    EXPECT_LE(curve.one_standard_error, curve.best);
    EXPECT_EQ(missed(curve), 0);
}

TEST(OutcomeCalls, FoldsAreJudgedAsInGlmnet) {
    for (const Measure measure :
         {Measure::deviance, Measure::mse, Measure::mae, Measure::classification, Measure::auc})
        expect_fold_errors(Family::binomial, measure);
    for (const Measure measure : {Measure::deviance, Measure::mse, Measure::mae})
        expect_fold_errors(Family::poisson, measure);
}

TEST(OutcomeCalls, FoldsMayHaveThePenaltyInCommon) {
    for (const Family family : {Family::binomial, Family::poisson})
        expect_fold_errors(family, Measure::deviance, Held::penalty);
    const Data data = random_regression(40, 5, 24);
    CrossValidation plan;
    plan.folds = make_folds(data.n, 3);
    plan.held = Held::penalty;
    EXPECT_THROW((void)cross_validate(data.problem(), plan), InvalidArgument);
}

TEST(OutcomeCalls, FoldsOfOneClassAreRefused) {
    const Data data = outcome_data(Family::binomial, 30, 5, 22);
    CrossValidation plan;
    plan.folds = make_folds(data.n, 3);
    plan.folds[1].train.clear();
    for (Index i = 0; i < data.n; ++i)
        if (data.y[i] == 1) plan.folds[1].train.push_back(i);
    try {
        (void)cross_validate(data.problem(), plan);
        FAIL();
    } catch (const InvalidArgument& error) {
        EXPECT_STREQ(error.what(), "fold 1 trains on rows of one class alone");
    }
    plan.folds = make_folds(data.n, 3);
    Data counts = outcome_data(Family::poisson, 30, 5, 23);
    plan.measure = Measure::auc;
    EXPECT_THROW((void)cross_validate(counts.problem(), plan), InvalidArgument);
}

TEST(OutcomeCalls, SessionsTakeOffsetsWeightsAndResponses) {
    Data data = outcome_data(Family::poisson, 50, 10, 24);
    const Setting setting = Penalty{4, 0.5};
    Session session(data.problem());
    EXPECT_NEAR(session.fit(setting).deviance, fit(data.problem(), setting).deviance, 1e-8);
    data.offset = random_vector(50, 25);
    session.set_offset(data.offset);
    EXPECT_NEAR(session.fit(setting).deviance, fit(data.problem(), setting).deviance, 1e-8);
    add_weights(data, 26);
    data.weights[1] = 1;
    session.set_weights(data.weights);
    EXPECT_NEAR(session.fit(setting).deviance, fit(data.problem(), setting).deviance, 1e-8);
    std::vector<double> bad = data.y;
    bad[5] = -2;
    EXPECT_THROW(session.set_response(bad), InvalidArgument);
    EXPECT_NEAR(session.fit(setting).deviance, fit(data.problem(), setting).deviance, 1e-8);
    EXPECT_NEAR(session.fit(Budget{0.1, 0}).deviance, fit(data.problem(), Budget{0.1, 0}).deviance,
                1e-8);
}

TEST(OutcomeCalls, Predictions) {
    std::vector<double> eta{-1, 0, 2};
    transform_predictions(Family::binomial, Prediction::link, eta);
    EXPECT_EQ(eta, (std::vector<double>{-1, 0, 2}));
    std::vector<double> mean = eta;
    transform_predictions(Family::binomial, Prediction::response, mean);
    EXPECT_NEAR(mean[2], 1 / (1 + std::exp(-2.0)), 1e-15);
    std::vector<double> label = eta;
    transform_predictions(Family::binomial, Prediction::label, label);
    EXPECT_EQ(label, (std::vector<double>{0, 0, 1}));
    transform_predictions(Family::poisson, Prediction::response, eta);
    EXPECT_NEAR(eta[0], std::exp(-1.0), 1e-15);
    EXPECT_THROW(transform_predictions(Family::poisson, Prediction::label, eta), InvalidArgument);
}

TEST(OutcomeCalls, AnyStorage) {
    Data data = outcome_data(Family::binomial, 40, 30, 27);
    for (double& value : data.X)
        if (value < 0.5) value = 0;
    for (double& value : data.X) value = static_cast<float>(value);
    const Setting setting = Mixing{0.02, 0.7};
    const Solution plain = fit(data.problem(), setting);
    for (const Kind& kind : all_kinds()) {
        const StoredMatrix X(kind, data.n, data.p, data.X);
        Problem problem = data.problem();
        problem.X = X.view();
        const Solution solution = fit(problem, setting);
        EXPECT_EQ(solution.status, Status::optimal);
        EXPECT_NEAR(solution.objective, plain.objective, 1e-10 * plain.objective);
        EXPECT_EQ(solution.coefficients.size(), plain.coefficients.size());
    }
}

TEST(OutcomeCalls, CancelKeepsWhatIsDone) {
    const Data data = outcome_data(Family::binomial, 40, 200, 28);
    CancelToken cancel{false};
    Options options;
    options.cancel = &cancel;
    Index seen = 0;
    options.progress = [&](const Progress& progress) {
        seen = progress.done;
        if (progress.done >= 3) cancel = true;
    };
    const auto grid = lambda_grid(data.problem(), {.alpha = 0.5, .count = 60, .min_ratio = 0.01});
    const std::vector<Solution> path = solve_path(data.problem(), grid, options);
    EXPECT_EQ(path.front().status, Status::optimal);
    EXPECT_EQ(path.back().status, Status::cancelled);
    EXPECT_LT(seen, 60);
}

}  // namespace
}  // namespace sven::test
