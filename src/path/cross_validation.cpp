#include "path/cross_validation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "linalg/blas.hpp"
#include "linalg/devices.hpp"
#include "path/data_certificate.hpp"
#include "path/forms.hpp"
#include "path/free_features.hpp"
#include "path/gram_solution.hpp"
#include "path/preparation.hpp"
#include "path/together.hpp"

namespace sven::path {
namespace {

// One curve: settings along one alpha, and what becomes of them.
struct Curve {
    std::span<const Setting> settings;
    CvCurve result;
};

// What the curves share.
struct Validation {
    const Problem& problem;
    std::span<const Fold> folds;
    linalg::Execution execution;
    // One a fold, whose weights are zero on every other row, and all rows last.
    std::vector<Member> trainings = std::vector<Member>(folds.size() + 1);

    Workspace& whole() { return trainings.back().work; }
    bool is_fold(Index training) const { return training < static_cast<Index>(folds.size()); }
    void store(std::size_t setting, Index fold, double error, CvCurve& curve) const {
        const std::size_t at = setting * folds.size() + static_cast<std::size_t>(fold);
        const Solved& solved = trainings[static_cast<std::size_t>(fold)].solved[setting];
        curve.fold_error[at] = error;
        curve.fold_gap[at] = solved.gap.relative;
        const bool is_reached =
            solved.gap.relative <= trainings[static_cast<std::size_t>(fold)].options.tolerance;
        curve.fold_status[at] = is_reached ? solved.status : Status::iteration_limit;
    }
};

std::vector<double> training_weights(const Problem& problem, const Fold& fold) {
    const auto n = static_cast<std::size_t>(rows(problem.X));
    std::vector<double> weights(n, fold.train.empty() ? 1.0 : 0.0);
    for (const Index i : fold.train) weights[i] += 1;
    if (fold.train.empty())
        for (const Index i : fold.test) weights[i] = 0;
    if (!problem.weights.empty())
        for (std::size_t i = 0; i < n; ++i) weights[i] *= problem.weights[i];
    return weights;
}

void make_targets(std::span<const Setting> settings, Member& training) {
    training.targets.clear();
    for (const Setting& setting : settings)
        training.targets.push_back(make_target(setting, training.work.response));
}

void take_training_rows(const Validation& validation, Member& training, Index k) {
    if (!validation.is_fold(k)) return;
    training.weights = training_weights(validation.problem, validation.folds[k]);
    training.problem.weights = training.weights;
}

// Intercept about the shifted columns, and values on the user's scale.
struct RawModel {
    double intercept = 0;
    std::vector<double> values;
};

RawModel raw_model(const Workspace& work, const Solved& solved, std::span<const double> origin) {
    RawModel model;
    model.intercept = work.response.mean;
    for (std::size_t k = 0; k < solved.support.features.size(); ++k) {
        const Index j = solved.support.features[k];
        const double value = solved.support.beta[k] / work.columns.scale[j];
        model.values.push_back(value);
        const double shift = origin.empty() ? 0 : origin[j];
        if (work.problem->intercept)
            model.intercept -= (work.columns.mean[j] - shift) * value;
        else
            model.intercept += shift * value;
    }
    return model;
}

// ---- over the columns ----

// Whether coefficients are so large that predictions by them cancel to few digits.
bool cancels(const Workspace& work, const problem::Support& support) {
    return reach_of(work, support) > (1 + 1e6) * std::sqrt(work.response.squares);
}

// Mean squared error on the test rows.
double test_error(const Problem& problem, const Member& training, const Fold& fold,
                  const Solved& solved, std::vector<double>& fitted) {
    const linalg::Design& design = *training.work.design;
    linalg::TwofoldVector errors;
    RawModel model;
    if (cancels(training.work, solved.support)) {
        errors = errors_of(training.work, solved.support);
    } else {
        model = raw_model(training.work, solved, design.shift());
        fitted.resize(static_cast<std::size_t>(design.rows()));
        design.multiply(solved.support.features, model.values, training.work.execution,
                        fitted.data());
    }
    double sum = 0;
    double total = 0;
    for (const Index i : fold.test) {
        const double w = problem.weights.empty() ? 1 : problem.weights[i];
        const double e =
            errors.empty() ? problem.y[i] - model.intercept - fitted[i] : errors[i].value();
        sum += w * e * e;
        total += w;
    }
    return sum / total;
}

// Moments, scales and penalties of every training set, once for all curves.
void prepare_columns(Validation& validation) {
    std::vector<Member>& trainings = validation.trainings;
    Workspace& whole = validation.whole();
    const linalg::Design& design = *whole.design;
    // the shift comes from all rows and serves every fold
    whole.execution = validation.execution;
    // where the Gram matrices were tried first, the response is that of their sums alone
    whole.response = problem::make_response(trainings.back().problem, whole.execution);
    prepare_from_columns(whole);
    whole.execution.threads = 1;
    for_each(trainings, validation.execution.threads, [&](Member& training, Index k) {
        if (!validation.is_fold(k)) return;
        take_training_rows(validation, training, k);
        Workspace& work = training.work;
        work.response = problem::make_response(training.problem, work.execution);
        work.moments =
            design.moments(training.problem.weights,
                           weighted_response(training.problem, work.response), work.execution);
        finish_preparation(work);
        work.free = survey_free_features(work);
    });
}

void solve_from_columns(Validation& validation, Curve& curve, Meter& meter) {
    std::vector<Member>& trainings = validation.trainings;
    for (Member& training : trainings) make_targets(curve.settings, training);
    solve_together(trainings, validation.execution, meter);
    for_each(trainings, validation.execution.threads, [&](Member& training, Index k) {
        if (free_features_depend(training.work)) mark_not_unique(training.solved);
        if (!validation.is_fold(k)) return;
        std::vector<double> fitted;
        for (std::size_t s = 0; s < curve.settings.size(); ++s) {
            const double error = test_error(validation.problem, training, validation.folds[k],
                                            training.solved[s], fitted);
            validation.store(s, k, error, curve.result);
        }
    });
}

// ---- over Gram matrices ----

// Whether the training rows are those that are not tested: none given, or each of them once.
bool trains_on_the_rest(const Fold& fold, Index rows) {
    if (fold.train.empty()) return true;
    if (static_cast<Index>(fold.train.size() + fold.test.size()) != rows) return false;
    std::vector<char> is_seen(static_cast<std::size_t>(rows), 0);
    for (const auto* list : {&fold.test, &fold.train})
        for (const Index i : *list) {
            if (is_seen[i]) return false;
            is_seen[i] = 1;
        }
    return true;
}

// The test group of each row; empty where the folds do not partition the rows.
std::vector<std::int32_t> partition(std::span<const Fold> folds, Index rows) {
    std::vector<std::int32_t> group(static_cast<std::size_t>(rows), -1);
    for (std::size_t k = 0; k < folds.size(); ++k) {
        if (!trains_on_the_rest(folds[k], rows)) return {};
        for (const Index i : folds[k].test) {
            if (group[i] >= 0) return {};
            group[i] = static_cast<std::int32_t>(k);
        }
    }
    if (std::find(group.begin(), group.end(), -1) != group.end()) return {};
    return group;
}

linalg::GramSums add(std::span<const linalg::GramSums> groups, std::size_t left_out,
                     const linalg::Execution& execution) {
    linalg::GramSums sums;
    const linalg::GramSums& first = groups.front();
    sums.cols = first.cols;
    sums.stride = first.stride;
    sums.centre = first.centre;
    const Index size = sums.stride * sums.stride;
    sums.values.reserve(size);
    const double work = static_cast<double>(groups.size()) * static_cast<double>(size);
    linalg::parallel_pieces(execution, work, size, 512, [&](Index begin, Index end) {
        std::fill(sums.values.data() + begin, sums.values.data() + end, 0.0);
        for (std::size_t k = 0; k < groups.size(); ++k)
            for (Index at = begin; at < end && k != left_out; ++at)
                sums.values[at] += groups[k].values[at];
    });
    return sums;
}

// The sums of each fold's test rows, taken in one pass; y about y_shift.
struct FoldedGram {
    std::vector<linalg::GramSums> groups;
    double y_shift = 0;
};

// sum w (y - b0 - x'b)^2 over the rows of the sums; y about y_shift.
double squared_error(const linalg::GramSums& sums, const Solved& solved, const RawModel& model,
                     double y_shift) {
    const Index p = sums.cols;
    const double b0 = model.intercept - y_shift;
    const double W = sums(p + 1, p + 1);
    double error = sums(p, p) - 2 * b0 * sums(p + 1, p) + b0 * b0 * W;
    for (std::size_t a = 0; a < model.values.size(); ++a) {
        const Index j = solved.support.features[a];
        double along = -2 * sums(p, j) + 2 * b0 * sums(p + 1, j);
        for (std::size_t b = 0; b < model.values.size(); ++b)
            along += sums(solved.support.features[b], j) * model.values[b];
        error += model.values[a] * along;
    }
    return std::max(0.0, error) / W;
}

// Whether the terms of that sum cancel to less than rounding leaves seven digits of: the model fits
// the test rows far better than its terms are large.
bool has_lost_digits(const linalg::GramSums& sums, const Solved& solved, const RawModel& model,
                     double y_shift, double error) {
    constexpr double least_share = 1e-8;
    const Index p = sums.cols;
    const double W = sums(p + 1, p + 1);
    double reach = std::sqrt(sums(p, p)) + std::abs(model.intercept - y_shift) * std::sqrt(W);
    for (std::size_t a = 0; a < model.values.size(); ++a) {
        const Index j = solved.support.features[a];
        reach += std::abs(model.values[a]) * std::sqrt(sums(j, j));
    }
    return !(error * W > least_share * reach * reach);
}

void store_errors(const Validation& validation, const Member& training, Index k,
                  const FoldedGram& folded, CvCurve& curve) {
    std::vector<double> fitted;
    const linalg::GramSums& tested = folded.groups[static_cast<std::size_t>(k)];
    for (std::size_t s = 0; s < training.solved.size(); ++s) {
        training.work.execution.check();
        const Solved& solved = training.solved[s];
        const RawModel model = raw_model(training.work, solved, tested.centre);
        double error = squared_error(tested, solved, model, folded.y_shift);
        if (has_lost_digits(tested, solved, model, folded.y_shift, error))
            error = test_error(validation.problem, training, validation.folds[k], solved, fitted);
        validation.store(s, k, error, curve);
    }
}

// Dependence is seen in the rows, which the sums do without.
void mark_dependent(const Validation& validation, Member& training, Index k) {
    const std::span<const double> factors = validation.problem.penalty_factors;
    if (std::find(factors.begin(), factors.end(), 0.0) == factors.end()) return;
    take_training_rows(validation, training, k);
    training.work.response = problem::make_response(training.problem, training.work.execution);
    if (free_features_depend(training.work)) mark_not_unique(training.solved);
}

// False where the sums are too coarse for some fold: then the columns are asked.
bool solve_by_folded_gram(Validation& validation, const FoldedGram& folded, Curve& curve,
                          Meter& meter) {
    const Problem& problem = validation.problem;
    std::vector<char> is_coarse(validation.trainings.size(), 0);
    for_each(validation.trainings, validation.execution.threads, [&](Member& training, Index k) {
        Workspace& work = training.work;
        const linalg::GramSums sums =
            add(folded.groups, static_cast<std::size_t>(k), work.execution);
        bool needs_care = false;
        work.response = problem::response_of(sums, folded.y_shift, problem.intercept);
        work.moments = problem::moments_of(sums, needs_care);
        if (needs_care) {
            is_coarse[k] = 1;
            return;
        }
        finish_preparation(work);
        work.columns.scale_error *= problem::moment_loss(sums, work.moments);
        make_targets(curve.settings, training);
        const problem::ScaledGram gram = problem::scale_gram(sums, training.problem, work.response,
                                                             work.columns, work.execution);
        work.free = survey_free_features(gram, work);
        training.solved = solve_by_gram(work, gram, training.targets, [](Index, double) {});
        work.execution.check();
        meter.add(static_cast<Index>(curve.settings.size()), largest_gap(training.solved));
        for (const Solved& solved : training.solved)
            is_coarse[k] |= !(solved.gap.relative <= work.options->tolerance);
        if (is_coarse[k]) return;
        mark_dependent(validation, training, k);
        if (validation.is_fold(k)) store_errors(validation, training, k, folded, curve.result);
    });
    return std::find(is_coarse.begin(), is_coarse.end(), 1) == is_coarse.end();
}

// ---- cv.glmnet's summary ----

void summarize(const Problem& problem, std::span<const Fold> folds, CvCurve& curve) {
    const std::size_t K = folds.size();
    std::vector<double> weight(K, 0.0);
    for (std::size_t k = 0; k < K; ++k)
        for (const Index i : folds[k].test)
            weight[k] += problem.weights.empty() ? 1 : problem.weights[i];
    const double total = std::accumulate(weight.begin(), weight.end(), 0.0);
    for (std::size_t s = 0; s < curve.lambda.size(); ++s) {
        const double* error = curve.fold_error.data() + s * K;
        const double mean = std::inner_product(error, error + K, weight.begin(), 0.0) / total;
        double variance = 0;
        for (std::size_t k = 0; k < K; ++k)
            variance += weight[k] * (error[k] - mean) * (error[k] - mean) / total;
        curve.mean.push_back(mean);
        curve.standard_error.push_back(K > 1 ? std::sqrt(variance / static_cast<double>(K - 1))
                                             : 0);
    }
    const auto least = std::min_element(curve.mean.begin(), curve.mean.end());
    curve.best = least - curve.mean.begin();
    const double limit = *least + curve.standard_error[curve.best];
    curve.one_standard_error =
        std::find_if(curve.mean.begin(), curve.mean.end(), [&](double m) { return m <= limit; }) -
        curve.mean.begin();
}

}  // namespace

namespace {

Curve make_curve(std::span<const Setting> settings, std::size_t folds) {
    Curve curve{settings, {}};
    for (const Setting& setting : settings) {
        curve.result.alpha = std::get<Mixing>(setting).alpha;
        curve.result.lambda.push_back(std::get<Mixing>(setting).lambda);
    }
    curve.result.fold_error.resize(settings.size() * folds);
    curve.result.fold_gap.resize(settings.size() * folds);
    curve.result.fold_status.resize(settings.size() * folds);
    return curve;
}

// A choice becomes somebody's model: it is certified like a single fit.
void certify_choices(Validation& validation, const CvCurve& curve) {
    Member& whole = validation.trainings.back();
    Workspace& work = whole.work;
    const linalg::Execution of_a_member = work.execution;
    work.execution = validation.execution;
    // that of the Gram sums has no values
    if (work.response.values.empty())
        work.response = problem::make_response(whole.problem, work.execution);
    for (const Index choice : {curve.best, curve.one_standard_error}) {
        Solved& solved = whole.solved[choice];
        certify_alone(work, whole.targets[choice], solved);
        if (free_features_depend(work)) mark_not_unique({&solved, 1});
    }
    work.execution = of_a_member;
}

void take_path(Validation& validation, Method method, Curve& curve) {
    summarize(validation.problem, validation.folds, curve.result);
    certify_choices(validation, curve.result);
    for (std::size_t s = 0; s < curve.settings.size(); ++s) {
        const Solved& solved = validation.trainings.back().solved[s];
        curve.result.path.push_back(make_solution(validation.whole(), curve.settings[s], solved));
        curve.result.path.back().method = method;
    }
}

// The curves are told of as one piece of work: each is counted like the present one.
Options part_of(const Options& options, Index before, std::size_t curves) {
    Options part = options;
    if (options.progress)
        part.progress = [&options, before, curves](const Progress& now) {
            options.progress(
                {before * now.total + now.done, static_cast<Index>(curves) * now.total, now.gap});
        };
    return part;
}

}  // namespace

std::vector<CvCurve> cross_validate_curves(const Problem& problem,
                                           std::span<const std::vector<Setting>> grids,
                                           std::span<const Fold> folds, const Options& options) {
    const linalg::SingleThreadedBlas blas;
    const linalg::Execution execution{linalg::resolve_threads(options.threads), options.cancel};
    Validation validation{problem, folds, execution};
    const std::shared_ptr<linalg::Design> design = linalg::make_design(problem.X, options.device);
    for (Member& training : validation.trainings)
        set_up(problem, options, convention_of(grids.front()), design, training);
    validation.whole().response = problem::make_response(problem, execution);
    const std::vector<std::int32_t> group = partition(folds, validation.whole().rows());
    bool uses_gram =
        !group.empty() && choose_method(*design, grids.front().size(), options) == Method::dual;
    FoldedGram folded{{}, validation.whole().response.mean};
    if (uses_gram)
        folded.groups = linalg::accumulate_group_grams(*design, validation.whole().response.centred,
                                                       problem.weights, group,
                                                       static_cast<Index>(folds.size()), execution);
    bool has_columns = false;
    std::vector<CvCurve> curves;
    for (const std::vector<Setting>& settings : grids) {
        const Options part = part_of(options, static_cast<Index>(curves.size()), grids.size());
        const std::size_t total = settings.size() * validation.trainings.size();
        Curve curve = make_curve(settings, folds.size());
        if (uses_gram) {
            Meter meter(part, total);
            uses_gram = solve_by_folded_gram(validation, folded, curve, meter);
        }
        if (!uses_gram) {  // nor for the curves to come
            if (!has_columns) prepare_columns(validation);
            has_columns = true;
            Meter meter(part, total);
            solve_from_columns(validation, curve, meter);
        }
        take_path(validation, uses_gram ? Method::dual : Method::primal, curve);
        curves.push_back(std::move(curve.result));
    }
    return curves;
}

}  // namespace sven::path
