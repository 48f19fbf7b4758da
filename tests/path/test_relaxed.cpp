// Relaxed fits: the refits of supports against plain least squares and the equations of a maximum
// likelihood, what lies between, and supports that have no refit.

#include <gtest/gtest.h>

#include <cmath>

#include "support/eliminate.hpp"
#include "support/outcome_data.hpp"
#include "sven/sven.hpp"

namespace sven::test {
namespace {

double weight(const Data& data, Index i) {
    return data.weights.empty() ? 1 : data.weights[i];
}

std::vector<Setting> grid_of(const Data& data, double alpha, double ratio) {
    return lambda_grid(data.problem(), {.alpha = alpha, .count = 12, .min_ratio = ratio});
}

// y - mean at the linear predictor of a solution.
std::vector<double> errors_of(const Data& data, const Solution& solution) {
    std::vector<double> errors;
    for (Index i = 0; i < data.n; ++i) {
        double eta = solution.intercept + (data.offset.empty() ? 0 : data.offset[i]);
        for (const Coefficient& b : solution.coefficients) eta += b.value * data.at(i, b.feature);
        const double mean = data.family == Family::gaussian   ? eta
                            : data.family == Family::binomial ? 1 / (1 + std::exp(-eta))
                                                              : std::exp(eta);
        errors.push_back(weight(data, i) * (data.y[i] - mean));
    }
    return errors;
}

// The slope of half the deviance along a feature, over its size; that of the intercept for -1.
double slope(const Data& data, const std::vector<double>& errors, Index j) {
    double sum = 0;
    double size = 0;
    for (Index i = 0; i < data.n; ++i) {
        const double x = j < 0 ? 1 : data.at(i, j);
        sum += errors[i] * x;
        size += weight(data, i) * std::abs(x) * (1 + std::abs(data.y[i]));
    }
    return sum / size;
}

bool selects(const Solution& solution, Index feature) {
    for (const Coefficient& b : solution.coefficients)
        if (b.feature == feature) return true;
    return false;
}

// Least squares on the support by the normal equations.
std::vector<double> least_squares(const Data& data, const Solution& solution) {
    const auto m = static_cast<Index>(solution.coefficients.size());
    const Index size = m + (data.intercept ? 1 : 0);
    std::vector<long double> A(static_cast<std::size_t>(size * size), 0);
    std::vector<long double> b(static_cast<std::size_t>(size), 0);
    const auto entry = [&](Index i, Index k) {
        return k < m ? data.at(i, solution.coefficients[k].feature) : 1.0;
    };
    for (Index i = 0; i < data.n; ++i)
        for (Index k = 0; k < size; ++k) {
            const long double wx = static_cast<long double>(weight(data, i)) * entry(i, k);
            b[k] += wx * (data.y[i] - (data.offset.empty() ? 0 : data.offset[i]));
            for (Index l = 0; l < size; ++l) A[k * size + l] += wx * entry(i, l);
        }
    const std::vector<long double> solved = eliminate(A, b);
    return {solved.begin(), solved.end()};
}

void expect_least_squares(const Data& data, const Solution& refit) {
    const std::vector<double> expected = least_squares(data, refit);
    for (std::size_t k = 0; k < refit.coefficients.size(); ++k)
        EXPECT_NEAR(refit.coefficients[k].value, expected[k], 1e-9);
    if (data.intercept) {
        EXPECT_NEAR(refit.intercept, expected.back(), 1e-9);
    }
}

TEST(Relaxed, RefitsAreLeastSquares) {
    for (const Method method : {Method::primal, Method::dual})
        for (const unsigned variant : {0u, 1u, 2u, 3u}) {
            Data data = random_regression(60, 20, 70 + variant);
            if (variant >= 1) add_weights(data, 71);
            if (variant >= 2) add_factors(data, 72);
            if (variant >= 2) data.offset = random_vector(data.n, 73);
            data.intercept = variant != 3;
            Options options;
            options.method = method;
            const auto path = solve_path(data.problem(), grid_of(data, 0.8, 0.01), options);
            const auto relaxed = relax(data.problem(), path, options);
            ASSERT_EQ(relaxed.size(), path.size());
            for (std::size_t k = 0; k < path.size(); ++k) {
                ASSERT_EQ(relaxed[k].refit, Refit::done);
                const Solution& refit = relaxed[k].solution;
                EXPECT_EQ(refit.coefficients.size(), path[k].coefficients.size());
                EXPECT_LE(refit.gap, 1e-10);
                EXPECT_LE(refit.deviance, path[k].deviance * (1 + 1e-12));
                if (!refit.coefficients.empty()) expect_least_squares(data, refit);
            }
        }
}

TEST(Relaxed, RefitsOfOtherResponsesHaveNoSlope) {
    for (const Family family : {Family::binomial, Family::poisson})
        for (const bool intercept : {true, false}) {
            Data data = outcome_data(family, 150, 12, 81);
            add_weights(data, 82);
            add_factors(data, 83);
            data.offset = random_vector(data.n, 84);
            for (double& o : data.offset) o *= 0.2;
            data.intercept = intercept;
            const auto path = solve_path(data.problem(), grid_of(data, 1, 0.05));
            const auto relaxed = relax(data.problem(), path);
            for (std::size_t k = 0; k < path.size(); ++k) {
                ASSERT_EQ(relaxed[k].refit, Refit::done);
                const Solution& refit = relaxed[k].solution;
                EXPECT_LE(refit.gap, 1e-10);
                const std::vector<double> errors = errors_of(data, refit);
                for (const Coefficient& b : path[k].coefficients) {
                    EXPECT_TRUE(selects(refit, b.feature));
                    EXPECT_NEAR(slope(data, errors, b.feature), 0, 1e-9);
                }
                if (intercept) {
                    EXPECT_NEAR(slope(data, errors, -1), 0, 1e-9);
                }
            }
        }
}

// A coefficient at its limit would be better beyond it, and one inside has no slope.
void expect_optimal_within_limits(const Data& data, const Solution& refit, Index& at_limits) {
    const std::vector<double> errors = errors_of(data, refit);
    for (const Coefficient& b : refit.coefficients) {
        EXPECT_GE(b.value, data.lower[b.feature]);
        EXPECT_LE(b.value, data.upper[b.feature]);
        const double along = slope(data, errors, b.feature);
        if (b.value == data.lower[b.feature] || b.value == data.upper[b.feature]) {
            ++at_limits;
            EXPECT_GE(b.value > 0 ? along : -along, -1e-9);
        } else {
            EXPECT_NEAR(along, 0, 1e-9);
        }
    }
    if (data.intercept) {
        EXPECT_NEAR(slope(data, errors, -1), 0, 1e-9);
    }
}

// Of every kind of limits: wide on one side, narrow, and none below zero.
TEST(Relaxed, LimitsHoldInTheRefit) {
    for (const Family family : {Family::gaussian, Family::binomial, Family::poisson}) {
        Index at_limits = 0;
        for (const unsigned seed : {91u, 92u, 93u}) {
            Data data = family == Family::gaussian ? random_regression(120, 10, seed)
                                                   : outcome_data(family, 120, 10, seed);
            data.offset = random_vector(data.n, seed + 1);
            for (double& o : data.offset) o *= 0.3;
            data.intercept = seed != 92;
            data.lower.assign(10, seed == 93 ? 0.0 : -0.1);
            data.upper.assign(10, seed == 91 ? infinity : 0.15);
            Options options;
            options.method = seed == 91 ? Method::dual : Method::primal;
            const auto path = solve_path(data.problem(), grid_of(data, 1, 0.01), options);
            for (const Relaxed& one : relax(data.problem(), path, options)) {
                ASSERT_EQ(one.refit, Refit::done);
                EXPECT_LE(one.solution.gap, 1e-10);
                EXPECT_EQ(one.solution.status, Status::optimal);
                if (one.solution.l1 > 0) continue;  // nothing was selected
                expect_optimal_within_limits(data, one.solution, at_limits);
            }
        }
        EXPECT_GT(at_limits, 3);
    }
}

// What separates the classes without limits has a best fit within them.
TEST(Relaxed, LimitsEndSeparation) {
    Data data = outcome_data(Family::binomial, 60, 5, 101);
    for (Index i = 0; i < data.n; ++i) data.at(i, 2) = data.y[i] > 0 ? 1 + 0.1 * data.at(i, 2) : 0;
    data.lower.assign(5, -3);
    data.upper.assign(5, 3);
    const auto path = solve_path(data.problem(), grid_of(data, 1, 0.01));
    Index at_limits = 0;
    for (const Relaxed& one : relax(data.problem(), path)) {
        ASSERT_EQ(one.refit, Refit::done);
        EXPECT_LE(one.solution.gap, 1e-10);
        if (one.solution.l1 == 0) expect_optimal_within_limits(data, one.solution, at_limits);
    }
    EXPECT_GT(at_limits, 3);
    data.upper[2] = infinity;
    EXPECT_EQ(relax(data.problem(), path).back().refit, Refit::separated);
}

// One feature tells the classes apart: its penalised coefficient is finite, its refit is not.
TEST(Relaxed, SeparationIsReported) {
    for (const bool quasi : {false, true}) {
        Data data = outcome_data(Family::binomial, 60, 5, 101);
        for (Index i = 0; i < data.n; ++i)
            data.at(i, 2) = data.y[i] > 0 ? 1 + 0.1 * data.at(i, 2) : 0;
        if (quasi)  // classes that meet at one value
            for (Index i = 0; i < data.n; ++i) data.at(i, 2) = i % 4 == 0 ? 0 : data.y[i];
        const auto path = solve_path(data.problem(), grid_of(data, 1, 0.1));
        const auto relaxed = relax(data.problem(), path);
        for (std::size_t k = 1; k < path.size(); ++k) {
            EXPECT_EQ(relaxed[k].refit, selects(path[k], 2) ? Refit::separated : Refit::done);
            if (relaxed[k].refit != Refit::separated) continue;
            EXPECT_EQ(relaxed[k].solution.intercept, path[k].intercept);
            EXPECT_EQ(relaxed[k].solution.l1, path[k].l1);
        }
        EXPECT_EQ(relaxed.back().refit, Refit::separated);
    }
}

// A limit of iterations is one of the settings: a refit that would need more is not taken for one
// without an optimum.
TEST(Relaxed, FewIterationsAreNoSeparation) {
    for (const Family family : {Family::binomial, Family::poisson}) {
        const Data data = outcome_data(family, 60, 5, 103);
        const auto path = solve_path(data.problem(), grid_of(data, 1, 0.1));
        Options options;
        options.max_iterations = 1;
        for (const Relaxed& one : relax(data.problem(), path, options)) {
            EXPECT_EQ(one.refit, Refit::done);
            EXPECT_LE(one.solution.gap, 1e-10);
        }
    }
}

TEST(Relaxed, MoreFeaturesThanRowsAreReported) {
    for (const Family family : {Family::gaussian, Family::binomial}) {
        const Data data = family == Family::gaussian ? random_regression(15, 60, 111)
                                                     : outcome_data(family, 15, 60, 111);
        const auto path = solve_path(data.problem(), grid_of(data, 0.05, 0.01));
        ASSERT_GT(path.back().coefficients.size(), 15u);
        const auto relaxed = relax(data.problem(), path);
        for (std::size_t k = 0; k < path.size(); ++k)
            if (path[k].coefficients.size() > 14) {
                EXPECT_EQ(relaxed[k].refit, Refit::dependent);
                EXPECT_EQ(relaxed[k].solution.coefficients.size(), path[k].coefficients.size());
            }
    }
}

// Exactly dependent, and up to the rounding of a shift: then a refit has no huge terms that cancel.
TEST(Relaxed, DependentColumnsAreReported) {
    for (const Family family : {Family::gaussian, Family::poisson})
        for (const double shift : {0.0, 3.0}) {
            Data data = family == Family::gaussian ? random_regression(50, 6, 121)
                                                   : outcome_data(family, 50, 6, 121);
            for (Index i = 0; i < data.n; ++i) data.at(i, 4) = 2 * data.at(i, 1) - shift;
            Options options;
            options.method = shift > 0 ? Method::primal : Method::dual;
            const auto path = solve_path(data.problem(), grid_of(data, 0.5, 0.01), options);
            const auto relaxed = relax(data.problem(), path, options);
            for (std::size_t k = 0; k < path.size(); ++k) {
                const bool depends = selects(path[k], 1) && selects(path[k], 4);
                if (shift == 0 || !depends) {
                    EXPECT_EQ(relaxed[k].refit, depends ? Refit::dependent : Refit::done);
                }
                for (const Coefficient& b : relaxed[k].solution.coefficients)
                    EXPECT_LT(std::abs(b.standardized), 1e6);
            }
            EXPECT_TRUE(selects(path.back(), 1) && selects(path.back(), 4));
        }
}

TEST(Relaxed, BlendsLieBetween) {
    for (const Family family : {Family::gaussian, Family::binomial, Family::poisson}) {
        const Data data = family == Family::gaussian ? random_regression(80, 10, 131)
                                                     : outcome_data(family, 80, 10, 131);
        const auto path = solve_path(data.problem(), grid_of(data, 1, 0.1));
        const Solution& penalised = path[6];
        const Solution relaxed = relax(data.problem(), path)[6].solution;
        const Solution blended = blend(data.problem(), penalised, relaxed, 0.25);
        ASSERT_EQ(blended.coefficients.size(), penalised.coefficients.size());
        for (std::size_t k = 0; k < blended.coefficients.size(); ++k)
            EXPECT_NEAR(
                blended.coefficients[k].value,
                0.25 * penalised.coefficients[k].value + 0.75 * relaxed.coefficients[k].value,
                1e-14);
        EXPECT_GT(blended.deviance, relaxed.deviance);
        EXPECT_LT(blended.deviance, penalised.deviance);
        // the difference of the two is orthogonal to the residual
        if (family == Family::gaussian) {
            EXPECT_NEAR(blended.deviance,
                        relaxed.deviance + 0.0625 * (penalised.deviance - relaxed.deviance),
                        1e-10 * penalised.deviance);
        }
    }
}

TEST(Relaxed, SessionsRefitWithoutNewMoments) {
    const Data data = random_regression(60, 20, 141);
    Session session(data.problem());
    const auto path = session.solve_path(grid_of(data, 1, 0.05));
    const auto relaxed = session.relax(path);
    const auto expected = relax(data.problem(), path);
    for (std::size_t k = 0; k < path.size(); ++k)
        for (std::size_t j = 0; j < path[k].coefficients.size(); ++j)
            EXPECT_NEAR(relaxed[k].solution.coefficients[j].value,
                        expected[k].solution.coefficients[j].value, 1e-10);
    CancelToken cancel = true;
    Options options;
    options.cancel = &cancel;
    session.set_options(options);
    EXPECT_EQ(session.relax(path).back().solution.status, Status::cancelled);
}

TEST(Relaxed, MistakesAreNamed) {
    const Data data = outcome_data(Family::binomial, 40, 4, 151);
    Solution foreign;
    foreign.coefficients = {{7, 1, 1}};
    EXPECT_THROW((void)relax(data.problem(), {&foreign, 1}), InvalidArgument);
    EXPECT_THROW((void)blend(data.problem(), {}, {}, 1.5), InvalidArgument);
    CrossValidation plan{make_folds(40, 4, 1)};
    plan.gammas = {0, -0.5};
    EXPECT_THROW((void)cross_validate(data.problem(), plan), InvalidArgument);
}

// ---- cross-validation ----

double deviance_of_row(Family family, double y, double eta) {
    if (family == Family::gaussian) return (y - eta) * (y - eta);
    if (family == Family::poisson)
        return 2 * ((y > 0 ? y * std::log(y) - y : 0) - y * eta + std::exp(eta));
    const double p = std::min(std::max(1 / (1 + std::exp(-eta)), 1e-5), 1 - 1e-5);
    return -2 * (y * std::log(p) + (1 - y) * std::log(1 - p));
}

// The error of a fold, from a fit on the rows that it does not test.
double fold_error(const Data& data, const Fold& fold, const Setting& setting, double gamma) {
    Data training = data;
    if (training.weights.empty()) training.weights.assign(static_cast<std::size_t>(data.n), 1.0);
    for (const Index i : fold.test) training.weights[i] = 0;
    const Solution penalised = fit(training.problem(), setting);
    const Solution relaxed = relax(training.problem(), {&penalised, 1})[0].solution;
    const Solution model = blend(training.problem(), penalised, relaxed, gamma);
    double sum = 0;
    double total = 0;
    for (const Index i : fold.test) {
        double eta = model.intercept;
        for (const Coefficient& b : model.coefficients) eta += b.value * data.at(i, b.feature);
        sum += weight(data, i) * deviance_of_row(data.family, data.y[i], eta);
        total += weight(data, i);
    }
    return sum / total;
}

TEST(Relaxed, FoldsAreJudgedAtEachGamma) {
    for (const Family family : {Family::gaussian, Family::binomial, Family::poisson})
        for (const Method method : {Method::primal, Method::dual}) {
            Data data = family == Family::gaussian ? random_regression(90, 8, 161)
                                                   : outcome_data(family, 90, 8, 161);
            add_weights(data, 162);
            CrossValidation plan{make_folds(data.n, 4, 3)};
            plan.grids = {{.alpha = 0.9, .count = 5, .min_ratio = 0.05}};
            plan.gammas = {1, 0, 0.5, 0};
            plan.keeps_predictions = true;
            Options options;
            options.method = method;
            const CvCurve curve = cross_validate(data.problem(), plan, options).curves[0];
            const CvRelaxed& relaxed = curve.relaxed;
            ASSERT_EQ(relaxed.curves.size(), 3u);
            EXPECT_EQ(relaxed.curves[2].mean, curve.mean);
            EXPECT_EQ(relaxed.path.size(), 5u);
            EXPECT_EQ(relaxed.out_of_fold.best.size(), 90u);
            for (const GammaCurve& one : relaxed.curves)
                for (std::size_t s = 0; s < 5; ++s)
                    for (std::size_t k = 0; k < 4; ++k) {
                        const double expected = fold_error(data, plan.folds[k],
                                                           Mixing{curve.lambda[s], 0.9}, one.gamma);
                        EXPECT_NEAR(one.fold_error[s * 4 + k], expected, 1e-6 * expected);
                        EXPECT_EQ(relaxed.fold_refit[s * 4 + k], Refit::done);
                    }
        }
}

// What is not certified to the tolerance is told.
TEST(Relaxed, FoldsThatFallShortAreCounted) {
    const Data data = random_regression(120, 6, 163);
    CrossValidation plan{make_folds(data.n, 3, 3)};
    plan.grids = {{.alpha = 1, .count = 3, .min_ratio = 0.5}};
    plan.gammas = {0, 1};
    Options options;
    options.tolerance = 1e-60;  // below every rounding
    const CvCurve curve = cross_validate(data.problem(), plan, options).curves[0];
    const auto count_short = [](const std::vector<Status>& statuses) {
        return std::count(statuses.begin(), statuses.end(), Status::iteration_limit);
    };
    EXPECT_GT(count_short(curve.relaxed.fold_status), 0);
    EXPECT_EQ(missed(curve),
              count_short(curve.fold_status) + count_short(curve.relaxed.fold_status));
    const std::vector<double>& gaps = curve.relaxed.fold_gap;
    EXPECT_GT(*std::max_element(gaps.begin(), gaps.end()), 0);
    EXPECT_GE(worst_gap(curve), *std::max_element(gaps.begin(), gaps.end()));
}

TEST(Relaxed, ChoicesAreThoseOfTheTable) {
    const Data data = random_regression(90, 30, 171);
    CrossValidation plan{make_folds(data.n, 5, 3)};
    plan.grids = {{.alpha = 1, .count = 15, .min_ratio = 0.01}};
    plan.gammas = default_gammas();
    const CvCurve curve = cross_validate(data.problem(), plan).curves[0];
    const CvRelaxed& relaxed = curve.relaxed;
    const GammaCurve& best = relaxed.curves[relaxed.best.gamma];
    const double limit = best.mean[relaxed.best.lambda] + best.standard_error[relaxed.best.lambda];
    for (const GammaCurve& one : relaxed.curves)
        for (std::size_t s = 0; s < 15; ++s) {
            EXPECT_GE(one.mean[s], best.mean[relaxed.best.lambda]);
            if (static_cast<Index>(s) < relaxed.one_standard_error.lambda) {
                EXPECT_GT(one.mean[s], limit);
            }
        }
    const CvChoice& strong = relaxed.one_standard_error;
    EXPECT_LE(relaxed.curves[strong.gamma].mean[strong.lambda], limit);
    EXPECT_LE(strong.lambda, relaxed.best.lambda);
}

}  // namespace
}  // namespace sven::test
