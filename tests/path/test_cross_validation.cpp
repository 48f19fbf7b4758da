// Cross-validation against the plain loop: take the rows out, solve, predict.

#include <algorithm>
#include <thread>

#include "support/certify.hpp"
#include "support/options.hpp"
#include "sven/cross_validation.hpp"
#include "sven/error.hpp"

namespace sven::test {
namespace {

Data rows_of(const Data& data, const Fold& fold) {
    std::vector<Index> kept = fold.train;
    if (kept.empty()) {
        std::vector<char> is_test(static_cast<std::size_t>(data.n), 0);
        for (const Index i : fold.test) is_test[i] = 1;
        for (Index i = 0; i < data.n; ++i)
            if (!is_test[i]) kept.push_back(i);
    }
    Data part = data;
    part.n = static_cast<Index>(kept.size());
    part.X.assign(static_cast<std::size_t>(part.n * data.p), 0.0);
    part.y.clear();
    part.weights.clear();
    for (Index k = 0; k < part.n; ++k) {
        part.y.push_back(data.y[kept[k]]);
        if (!data.weights.empty()) part.weights.push_back(data.weights[kept[k]]);
        for (Index j = 0; j < data.p; ++j) part.at(k, j) = data.at(kept[k], j);
    }
    return part;
}

void compare(const Data& data, const std::vector<Fold>& folds, double alpha,
             Convention convention) {
    CrossValidation plan;
    plan.folds = folds;
    plan.grids = {{.alpha = alpha, .count = 12, .min_ratio = 0.01, .convention = convention}};
    const CvCurve curve = cross_validate(data.problem(), plan).curves[0];
    std::vector<double> fold_weight;
    for (std::size_t k = 0; k < folds.size(); ++k) {
        const Data part = rows_of(data, folds[k]);
        std::vector<Setting> settings;
        for (const double lambda : curve.lambda)
            settings.push_back(Mixing{lambda, alpha, convention});
        const std::vector<Solution> path = solve_path(part.problem(), settings);
        double total = 0;
        for (std::size_t s = 0; s < settings.size(); ++s) {
            double sum = 0;
            total = 0;
            for (const Index i : folds[k].test) {
                double e = data.y[i] - path[s].intercept;
                for (const Coefficient& b : path[s].coefficients)
                    e -= b.value * data.at(i, b.feature);
                const double w = data.weights.empty() ? 1 : data.weights[i];
                sum += w * e * e;
                total += w;
            }
            const double expected = sum / total;
            EXPECT_NEAR(curve.fold_error[s * folds.size() + k], expected, 1e-7 * expected)
                << "fold " << k << " setting " << s;
        }
        fold_weight.push_back(total);
    }
    // cv.glmnet's mean, standard error and choices
    std::vector<double> mean;
    std::vector<double> error;
    for (std::size_t s = 0; s < curve.lambda.size(); ++s) {
        double m = 0;
        double v = 0;
        double W = 0;
        for (std::size_t k = 0; k < folds.size(); ++k) {
            m += fold_weight[k] * curve.fold_error[s * folds.size() + k];
            W += fold_weight[k];
        }
        m /= W;
        for (std::size_t k = 0; k < folds.size(); ++k)
            v += fold_weight[k] * std::pow(curve.fold_error[s * folds.size() + k] - m, 2) / W;
        mean.push_back(m);
        error.push_back(std::sqrt(v / static_cast<double>(folds.size() - 1)));
        EXPECT_NEAR(curve.mean[s], m, 1e-12 * m);
        EXPECT_NEAR(curve.standard_error[s], error[s], 1e-9 * m);
    }
    for (std::size_t s = 0; s < mean.size(); ++s) EXPECT_GE(mean[s], curve.mean[curve.best]);
    const double limit = mean[curve.best] + error[curve.best];
    EXPECT_LE(mean[curve.one_standard_error], limit);
    for (Index s = 0; s < curve.one_standard_error; ++s) EXPECT_GT(mean[s], limit);
    for (std::size_t s = 0; s < curve.path.size(); ++s)
        certify(data, Mixing{curve.lambda[s], alpha, Convention::documented}, curve.path[s]);
}

constexpr Method both_methods[] = {Method::primal, Method::dual};

CrossValidation lasso_plan(Index rows, int folds, double min_ratio) {
    CrossValidation plan;
    plan.folds = make_folds(rows, folds);
    plan.grids = {{.alpha = 1, .count = 10, .min_ratio = min_ratio}};
    return plan;
}

TEST(CrossValidation, WideEqualsThePlainLoop) {
    compare(random_regression(40, 120, 3), make_folds(40, 5), 0.5, Convention::documented);
    compare(random_regression(40, 120, 4), make_folds(40, 5, 2, 2), 1, Convention::documented);
}

TEST(CrossValidation, TallEqualsThePlainLoop) {
    compare(random_regression(200, 12, 5), make_folds(200, 10), 0.5, Convention::documented);
    compare(random_regression(200, 12, 6), make_folds(200, 10), 1, Convention::documented);
}

TEST(CrossValidation, WeightsAndGivenRows) {
    for (const auto& [n, p] : {std::pair<Index, Index>{60, 150}, {300, 9}}) {
        Data data = random_regression(n, p, 8);
        add_weights(data, 9);
        compare(data, make_folds(n, 4), 0.7, Convention::documented);
        // training rows that are not the complement: an expanding window
        std::vector<Fold> folds;
        for (Index k = 1; k <= 3; ++k) {
            Fold fold;
            for (Index i = 0; i < n * k / 4; ++i) fold.train.push_back(i);
            for (Index i = n * k / 4; i < n * (k + 1) / 4; ++i) fold.test.push_back(i);
            folds.push_back(fold);
        }
        compare(data, folds, 0.7, Convention::documented);
    }
}

// Training rows that are listed, as splitters do, and are those that are not tested share the Gram
// matrices all the same; a list with a row twice in place of another does not.
TEST(CrossValidation, ListedTrainingRowsAreTheRest) {
    const Data data = random_regression(300, 9, 10);
    CrossValidation plan;
    plan.folds = make_folds(300, 4);
    plan.grids = {Grid{.alpha = 0.5, .count = 10}};
    const CvResult rest = cross_validate(data.problem(), plan);
    for (Fold& fold : plan.folds)
        for (Index i = 299; i >= 0; --i)
            if (std::find(fold.test.begin(), fold.test.end(), i) == fold.test.end())
                fold.train.push_back(i);
    const CvResult listed = cross_validate(data.problem(), plan);
    EXPECT_EQ(listed.curves[0].fold_error, rest.curves[0].fold_error);
    EXPECT_EQ(listed.curves[0].path[0].method, Method::dual);
    plan.folds[1].train[0] = plan.folds[1].train[1];
    const CvResult other = cross_validate(data.problem(), plan);
    EXPECT_EQ(other.curves[0].path[0].method, Method::primal);
    EXPECT_NE(other.curves[0].fold_error, rest.curves[0].fold_error);
}

// The Gram matrix of the fold that leaves a column constant is too coarse: that fold alone is
// solved over the columns.
TEST(CrossValidation, AColumnThatIsConstantInATrainingSet) {
    Data data = random_regression(30, 3, 8);
    for (Index i = 0; i < data.n; ++i) data.at(i, 1) = i == 4 || i == 7 ? 1 : 0;
    std::vector<Index> fold_of_row(30);
    for (Index i = 0; i < data.n; ++i) fold_of_row[i] = i == 4 || i == 7 ? 0 : i % 3;
    compare(data, folds_of(fold_of_row), 0.5, Convention::documented);
    CrossValidation plan;
    plan.folds = folds_of(fold_of_row);
    const CvCurve curve = cross_validate(data.problem(), plan).curves[0];
    EXPECT_EQ(curve.path[0].method, Method::dual);
}

// Constant but for rounding once the rows that differ are tested: left out there, and told.
TEST(CrossValidation, AColumnThatAFoldLeavesOut) {
    Data data = random_regression(30, 3, 8);
    Random random(9);
    for (Index i = 0; i < data.n; ++i)
        data.at(i, 1) = i == 4 || i == 7 ? 0 : 1e12 + 0.25 * static_cast<double>(random.index(4));
    std::vector<Index> fold_of_row(30);
    for (Index i = 0; i < data.n; ++i) fold_of_row[i] = i == 4 || i == 7 ? 2 : i % 3;
    CrossValidation plan;
    plan.folds = folds_of(fold_of_row);
    for (const Method method : {Method::primal, Method::dual}) {
        Options options;
        options.method = method;
        const CvResult result = cross_validate(data.problem(), plan, options);
        EXPECT_TRUE(result.curves[0].path[0].left_out.empty());
        EXPECT_EQ(result.fold_left_out, (std::vector<std::vector<Index>>{{}, {}, {1}}));
    }
    for (std::size_t i = 0; i < data.y.size(); ++i) data.y[i] = i % 2 == 0 ? 0 : 1;
    data.family = Family::binomial;
    plan.grids = {{.alpha = 1, .count = 3}, {.alpha = 0.5, .count = 3}};
    EXPECT_EQ(cross_validate(data.problem(), plan, {}).fold_left_out,
              (std::vector<std::vector<Index>>{{}, {}, {1}}));
}

// The response is the small difference of two columns: what the Gram matrices of the folds cannot
// certify is repaired fold by fold.
TEST(CrossValidation, CoarseGramMatricesAreRepaired) {
    Data data = random_regression(200, 8, 31);
    Random random(32);
    for (Index i = 0; i < data.n; ++i) {
        data.y[i] = random.normal();
        data.at(i, 5) = data.at(i, 2) + 1e-6 * data.y[i];
    }
    const CrossValidation plan = lasso_plan(200, 5, 1e-9);
    Options options;
    options.method = Method::dual;
    const CvCurve curve = cross_validate(data.problem(), plan, options).curves[0];
    EXPECT_EQ(curve.path[0].method, Method::dual);
    EXPECT_EQ(missed(curve), 0);
    EXPECT_LE(worst_gap(curve), options.tolerance);
}

TEST(CrossValidation, TimeIsTold) {
    for (const Method method : both_methods) {
        const Data data = random_regression(60, 5, 33);
        Options options;
        options.method = method;
        const CvResult result = cross_validate(data.problem(), lasso_plan(60, 3, 0.1), options);
        for (const Solution& solution : result.curves[0].path) EXPECT_GT(solution.seconds, 0);
    }
}

TEST(CrossValidation, SameForAnyNumberOfThreads) {
    const Data data = random_regression(80, 400, 11);
    CrossValidation plan;
    plan.folds = make_folds(80, 6);
    plan.grids = {{.alpha = 0.3, .count = 15}, {.alpha = 1, .count = 15}};
    const CvResult first = cross_validate(data.problem(), plan, with_threads(1));
    for (const int threads : {2, 4}) {
        const CvResult other = cross_validate(data.problem(), plan, with_threads(threads));
        EXPECT_EQ(first.best_curve, other.best_curve);
        for (std::size_t c = 0; c < 2; ++c)
            for (std::size_t e = 0; e < first.curves[c].fold_error.size(); ++e)
                EXPECT_NEAR(first.curves[c].fold_error[e], other.curves[c].fold_error[e],
                            1e-12 * first.curves[c].fold_error[e]);
    }
}

// Over the columns and over the Gram matrix: forward only, in the caller's thread, to the end.
TEST(CrossValidation, TellsOfItsProgress) {
    for (const Index p : {300, 6}) {
        SCOPED_TRACE(p);
        const Data data = random_regression(60, p, 12);
        CrossValidation plan;
        plan.folds = make_folds(60, 5);
        plan.grids = {{.alpha = 0.3, .count = 15}, {.alpha = 1, .count = 15}};
        Options options = with_threads(1);
        std::vector<Progress> told;
        const auto caller = std::this_thread::get_id();
        options.progress = [&](const Progress& progress) {
            EXPECT_EQ(std::this_thread::get_id(), caller);
            told.push_back(progress);
        };
        const CvResult result = cross_validate(data.problem(), plan, options);
        ASSERT_GE(told.size(), 4U);
        Index before = 0;
        for (const Progress& progress : told) {
            EXPECT_GT(progress.done, before);
            EXPECT_EQ(progress.total, 2 * 15 * 6);
            EXPECT_LE(progress.gap, 1e-10);
            before = progress.done;
        }
        EXPECT_EQ(before, 2 * 15 * 6);
        EXPECT_EQ(result.curves.size(), 2U);
    }
}

// Where the Newton steps are cut short, a fold either has the error of its optimum or says that it
// has not.
TEST(CrossValidation, FoldsThatMissedTheirToleranceAreReported) {
    for (const Method method : both_methods) {
        SCOPED_TRACE(name(method));
        const Data data = random_regression(80, 40, 21, 0.9);
        const CrossValidation plan = lasso_plan(80, 4, 1e-4);
        Options options = by(method);
        const CvCurve exact = cross_validate(data.problem(), plan, options).curves[0];
        EXPECT_EQ(exact.fold_status.size(), exact.fold_error.size());
        EXPECT_EQ(missed(exact), 0);
        EXPECT_LE(worst_gap(exact), options.tolerance);
        options.max_iterations = 2;
        const CvCurve cut = cross_validate(data.problem(), plan, options).curves[0];
        ASSERT_EQ(cut.fold_status.size(), cut.fold_error.size());
        ASSERT_EQ(cut.fold_gap.size(), cut.fold_error.size());
        Index wrong = 0;
        for (std::size_t at = 0; at < cut.fold_error.size(); ++at) {
            const bool is_missed = cut.fold_status[at] == Status::iteration_limit;
            EXPECT_EQ(is_missed, cut.fold_gap[at] > options.tolerance);
            const double apart = std::abs(cut.fold_error[at] / exact.fold_error[at] - 1);
            wrong += apart > 1e-3;
            if (!is_missed) {
                EXPECT_LE(apart, 1e-3) << at;
            }
        }
        EXPECT_GT(wrong, 0);
        EXPECT_GE(missed(cut), wrong);
        EXPECT_LT(missed(cut), static_cast<Index>(cut.fold_error.size()));
        EXPECT_EQ(worst_gap(cut), *std::max_element(cut.fold_gap.begin(), cut.fold_gap.end()));
    }
}

// Without noise the errors fall to rounding of the sums of squares that a Gram matrix would give
// them from.
TEST(CrossValidation, ErrorsFarSmallerThanTheResponse) {
    Data data = random_regression(200, 6, 22);
    for (Index i = 0; i < data.n; ++i) data.y[i] = 3 * data.at(i, 1) - data.at(i, 4) + 5;
    const CrossValidation plan = lasso_plan(200, 5, 1e-7);
    const CvCurve sums = cross_validate(data.problem(), plan, by(Method::dual)).curves[0];
    const CvCurve columns = cross_validate(data.problem(), plan, by(Method::primal)).curves[0];
    EXPECT_EQ(sums.path[0].method, Method::dual);
    EXPECT_LT(columns.fold_error.back(), 1e-12);
    for (std::size_t at = 0; at < sums.fold_error.size(); ++at)
        EXPECT_NEAR(sums.fold_error[at], columns.fold_error[at], 1e-5 * columns.fold_error[at]);
}

// Two unpenalised columns that differ in the rows of the first fold alone.
TEST(CrossValidation, FreeFeaturesThatDependInOneTrainingSet) {
    for (const Method method : both_methods) {
        SCOPED_TRACE(name(method));
        Data data = random_regression(60, 5, 23);
        CrossValidation plan = lasso_plan(60, 3, 0.1);
        plan.grids[0].alpha = 0.5;  // a ridge makes all other features unique
        std::vector<double> other(60);
        for (const Index i : plan.folds[0].test) other[i] = data.at(i, 1);
        for (Index i = 0; i < data.n; ++i) data.at(i, 1) = other[i] == 0 ? data.at(i, 0) : other[i];
        data.factors = {0, 0, 1, 1, 1};
        const CvCurve curve = cross_validate(data.problem(), plan, by(method)).curves[0];
        for (std::size_t at = 0; at < curve.fold_status.size(); ++at)
            EXPECT_EQ(curve.fold_status[at], at % 3 == 0 ? Status::not_unique : Status::optimal);
        for (const Solution& solution : curve.path) EXPECT_EQ(solution.status, Status::optimal);
    }
}

// What a single fit at a choice says, the path's solution says too.
void expect_certified_alone(const Data& data, const CvCurve& curve, const Options& options) {
    for (const Index choice : {curve.best, curve.one_standard_error}) {
        const Mixing setting{curve.lambda[choice], curve.alpha};
        const Solution& chosen = curve.path[choice];
        const Solution alone = fit(data.problem(), setting, options);
        certify(data, setting, chosen);
        EXPECT_EQ(chosen.gap_source, GapSource::data);
        EXPECT_EQ(chosen.status, alone.status);
        EXPECT_GE(chosen.certificate.proven_selected, alone.certificate.proven_selected);
        EXPECT_GE(chosen.certificate.proven_zero, alone.certificate.proven_zero);
        ASSERT_EQ(chosen.coefficients.size(), alone.coefficients.size());
        for (std::size_t k = 0; k < alone.coefficients.size(); ++k)
            EXPECT_NEAR(chosen.coefficients[k].value, alone.coefficients[k].value, 1e-6);
    }
}

TEST(CrossValidation, TheChoicesAreCertifiedLikeSingleFits) {
    for (const Method method : both_methods)
        for (const double alpha : {1.0, 0.5}) {
            SCOPED_TRACE(std::string(name(method)) + " " + std::to_string(alpha));
            Data data = random_regression(120, 20, 25);
            add_weights(data, 26);
            CrossValidation plan = lasso_plan(120, 5, 1e-3);
            plan.grids[0].alpha = alpha;
            Options options;
            options.method = method;
            const CvCurve curve = cross_validate(data.problem(), plan, options).curves[0];
            EXPECT_EQ(curve.path[0].method, method);
            expect_certified_alone(data, curve, options);
        }
}

// A path proves the coefficients of so many features to be non-zero for its choices only.
TEST(CrossValidation, AChoiceOfManyFeaturesIsCertifiedLikeASingleFit) {
    Data data = random_regression(600, 300, 27);
    for (Index i = 0; i < data.n; ++i) {
        data.y[i] *= 0.1;
        for (Index j = 0; j < data.p; ++j) data.y[i] += data.at(i, j);
    }
    for (const Method method : both_methods) {
        SCOPED_TRACE(name(method));
        Options options;
        options.method = method;
        const CrossValidation plan = lasso_plan(600, 3, 1e-3);
        const CvCurve curve = cross_validate(data.problem(), plan, options).curves[0];
        EXPECT_GT(curve.path[curve.best].certificate.proven_selected, 256);
        expect_certified_alone(data, curve, options);
    }
}

TEST(CrossValidation, RefusesAnotherSvm) {
    const Data data = random_regression(30, 4, 1);
    Options options;
    options.svm = Svm::liblinear;
    EXPECT_THROW((void)cross_validate(data.problem(), lasso_plan(30, 3, 0.1), options),
                 InvalidArgument);
}

}  // namespace
}  // namespace sven::test
