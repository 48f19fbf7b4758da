#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "api/calls.hpp"
#include "api/validate.hpp"
#include "linalg/execution.hpp"
#include "linalg/row_statistics.hpp"
#include "path/cross_validation.hpp"
#include "path/curve.hpp"
#include "path/measure.hpp"
#include "problem/loss.hpp"
#include "sven/error.hpp"

namespace sven {
namespace {

void refuse_classes(Family family, Measure measure) {
    const bool needs_classes = measure == Measure::classification || measure == Measure::auc;
    if (needs_classes && family != Family::binomial)
        throw InvalidArgument("a " + std::string(name(family)) +
                              " response has no classes to judge folds by");
}

// The measure that is meant.
Measure measure_of(const Problem& problem, Measure measure) {
    if (measure == Measure::automatic)
        return problem.family == Family::gaussian ? Measure::mse : Measure::deviance;
    refuse_classes(problem.family, measure);
    return measure;
}

// Whether the rows of these weights have something to tell apart.
bool varies(const Problem& problem, std::span<const double> weights) {
    double least = std::numeric_limits<double>::infinity();
    double most = -least;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        if (weights[i] == 0) continue;
        least = std::min(least, problem.y[i]);
        most = std::max(most, problem.y[i]);
    }
    return least < most;
}

[[noreturn]] void refuse_fold(std::size_t k, const std::string& what) {
    throw InvalidArgument("fold " + std::to_string(k) + what);
}

void validate_outcome_folds(const Problem& problem, std::span<const Fold> folds, Measure measure) {
    const std::string rest =
        problem.family == Family::binomial ? " rows of one class alone" : " equal counts alone";
    for (std::size_t k = 0; k < folds.size(); ++k) {
        if (!varies(problem, path::training_weights(problem, folds[k])))
            refuse_fold(k, " trains on" + rest);
        if (measure != Measure::auc) continue;
        const Fold test{{}, folds[k].test};
        if (!varies(problem, path::training_weights(problem, test)))
            refuse_fold(k, " tests rows of one class alone: it has no area under the curve");
    }
}

// The folds are those of the statistics.
void validate_plan(const Statistics& statistics, const CrossValidation& plan) {
    if (!plan.folds.empty())
        throw InvalidArgument(
            "the folds of statistics are those that they were summed by: give none");
    if (statistics.folds().size() < 2)
        throw InvalidArgument("the statistics have no folds: cross-validation needs two or more");
    for (std::size_t k = 0; k < statistics.folds().size(); ++k)
        if (!(statistics.data().groups[k].weight() > 0))
            refuse_fold(k, " has no test rows of positive weight");
    const char* what = plan.keeps_predictions         ? "out-of-fold predictions"
                       : plan.measure == Measure::mae ? "absolute errors"
                       : !plan.grouped                ? "ungrouped standard errors"
                                                      : nullptr;
    if (what != nullptr)
        throw InvalidArgument(std::string(what) +
                              " need the rows, of which statistics have the sums alone");
}

// Their standard error counts every row once.
void validate_ungrouped(std::span<const Fold> folds, Index rows) {
    std::vector<char> is_tested(static_cast<std::size_t>(rows), 0);
    for (std::size_t k = 0; k < folds.size(); ++k)
        for (const Index i : folds[k].test) {
            if (is_tested[i] != 0)
                refuse_fold(k, " tests row " + std::to_string(i) +
                                   " again: ungrouped standard errors take every row once");
            is_tested[i] = 1;
        }
}

void validate_folds(const Problem& problem, std::span<const Fold> folds) {
    const Index n = rows(problem.X);
    if (folds.size() < 2) throw InvalidArgument("cross-validation needs at least two folds");
    const auto counts = [&](Index i) { return problem.weights.empty() || problem.weights[i] > 0; };
    std::vector<std::size_t> tested(static_cast<std::size_t>(n), folds.size());  // in which fold
    for (std::size_t k = 0; k < folds.size(); ++k) {
        const std::string which = "fold " + std::to_string(k);
        bool has_test = false;
        bool has_train = false;
        for (const Index i : folds[k].test) {
            if (i < 0 || i >= n)
                throw InvalidArgument(which + " names row " + std::to_string(i) + " of " +
                                      std::to_string(n));
            if (tested[i] == k)
                throw InvalidArgument(which + " tests row " + std::to_string(i) + " twice");
            tested[i] = k;
            has_test |= counts(i);
        }
        for (const Index i : folds[k].train) {
            if (i < 0 || i >= n)
                throw InvalidArgument(which + " names row " + std::to_string(i) + " of " +
                                      std::to_string(n));
            has_train |= counts(i);
        }
        if (folds[k].train.empty())
            for (Index i = 0; i < n && !has_train; ++i) has_train = tested[i] != k && counts(i);
        if (!has_test) throw InvalidArgument(which + " has no test rows of positive weight");
        if (!has_train) throw InvalidArgument(which + " has no training rows of positive weight");
    }
}

// A session of a gaussian response has taken the offset from it.
void add_known_part(std::span<const double> offset, CvResult& result) {
    for (CvCurve& curve : result.curves)
        for (std::vector<double>* const means :
             {&curve.out_of_fold.best, &curve.out_of_fold.one_standard_error,
              &curve.relaxed.out_of_fold.best, &curve.relaxed.out_of_fold.one_standard_error})
            for (std::size_t i = 0; i < means->size() && i < offset.size(); ++i)
                (*means)[i] += offset[i];
}

// Each gamma once.
std::vector<double> ascending(std::vector<double> gammas) {
    for (const double gamma : gammas) api::validate_gamma(gamma);
    std::sort(gammas.begin(), gammas.end());
    gammas.erase(std::unique(gammas.begin(), gammas.end()), gammas.end());
    return gammas;
}

// From strong to weak.
std::vector<std::vector<Setting>> settings_of(path::Session& session, const CrossValidation& plan) {
    std::vector<std::vector<Setting>> grids;
    if (plan.lambdas.empty()) grids = api::lambda_grids(session, plan.grids);
    for (const Grid& grid : plan.grids) {
        if (plan.lambdas.empty()) break;
        grids.emplace_back();
        for (const double lambda : plan.lambdas)
            grids.back().push_back(Mixing{lambda, grid.alpha, grid.convention});
    }
    for (std::vector<Setting>& settings : grids) {
        std::stable_sort(settings.begin(), settings.end(), [](const Setting& a, const Setting& b) {
            return std::get<Mixing>(a).lambda > std::get<Mixing>(b).lambda;
        });
        api::validate(settings);
    }
    return grids;
}

}  // namespace

double measured(Family family, Measure measure, std::span<const double> y,
                std::span<const double> means, std::span<const double> weights) {
    if (means.size() != y.size() || (!weights.empty() && weights.size() != y.size()))
        throw InvalidArgument("there are " + std::to_string(y.size()) + " rows, " +
                              std::to_string(means.size()) + " predictions and " +
                              std::to_string(weights.size()) + " weights");
    refuse_classes(family, measure);
    std::vector<path::TestRow> rows;
    for (std::size_t i = 0; i < y.size(); ++i) {
        const double weight = weights.empty() ? 1 : weights[i];
        if (weight == 0 || std::isnan(means[i]) || std::isnan(y[i])) continue;
        const double eta =
            family == Family::gaussian ? means[i] : problem::Loss(family).link(means[i]);
        rows.push_back({y[i], means[i], eta, weight});
    }
    return path::measured(family, measure, rows, {}).mean;
}

Index missed(const CvCurve& curve) {
    const auto count = [](const std::vector<Status>& statuses) {
        return std::count(statuses.begin(), statuses.end(), Status::iteration_limit);
    };
    return count(curve.fold_status) + count(curve.relaxed.fold_status);
}

double worst_gap(const CvCurve& curve) {
    double worst = 0;
    for (const auto* gaps : {&curve.fold_gap, &curve.relaxed.fold_gap})
        for (const double gap : *gaps) worst = std::max(worst, gap);
    return worst;
}

path::Asked api::asked(const CrossValidation& plan) {
    std::size_t settings = plan.lambdas.size() * plan.grids.size();
    for (const Grid& grid : plan.grids)
        if (plan.lambdas.empty()) settings += static_cast<std::size_t>(std::max(0, grid.count));
    return {settings, plan.folds.size() + 1};
}

CvResult api::cross_validate(path::Session& session, const CrossValidation& plan,
                             std::span<const double> offset) {
    const Options& options = session.whole().options;
    if (options.svm != Svm::newton)
        throw InvalidArgument("cross-validation is not offered with the SVM " +
                              std::string(name(options.svm)) + "; ask for newton");
    const Problem& problem = session.whole().problem;
    std::vector<Fold> folds = plan.folds;
    if (problem.statistics != nullptr) {
        validate_plan(*problem.statistics, plan);
        folds.resize(problem.statistics->folds().size());
    } else {
        validate_folds(problem, folds);
    }
    const Measure measure = measure_of(problem, plan.measure);
    if (problem.family != Family::gaussian) validate_outcome_folds(problem, plan.folds, measure);
    if (problem.family == Family::gaussian && plan.held == Held::penalty)
        throw InvalidArgument("folds of a gaussian response have the lambda in common alone");
    if (plan.grids.empty()) throw InvalidArgument("cross-validation needs at least one grid");
    for (const Grid& grid : plan.grids)
        if (grid.convention != plan.grids.front().convention)
            throw InvalidArgument("the grids mix the documented convention with glmnet's");
    const std::vector<std::vector<Setting>> grids = settings_of(session, plan);
    const std::vector<double> gammas = ascending(plan.gammas);
    if (!gammas.empty()) validate_relax(problem, {});
    const bool grouped = plan.grouped || measure == Measure::auc;
    if (!grouped) validate_ungrouped(folds, rows(problem.X));
    const path::CrossValidationPlan asked{folds,     measure, plan.keeps_predictions,
                                          plan.held, gammas,  grouped};
    try {
        if (problem.family != Family::gaussian)
            return path::cross_validate_outcome(session, grids, asked);
        CvResult result = path::cross_validate_curves(session, grids, asked);
        add_known_part(offset, result);
        return result;
    } catch (const linalg::Cancelled&) {
        throw Interrupted("the cross-validation was cancelled");
    }
}

CvResult cross_validate(const Problem& problem, const CrossValidation& plan,
                        const Options& options) {
    api::validate(problem);
    api::validate(problem, options);
    return api::with_fallback(problem, options, [&](const Options& chosen) {
        path::Session session(problem, chosen, api::asked(plan));
        return api::cross_validate(session, plan, problem.offset);
    });
}

}  // namespace sven
