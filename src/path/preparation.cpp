#include "path/preparation.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/row_sums.hpp"
#include "linalg/twofold.hpp"
#include "path/forms.hpp"
#include "path/tuning.hpp"
#include "problem/rounding.hpp"
#include "problem/tuning.hpp"
#include "reduction/tuning.hpp"

namespace sven::path {

// The Gram matrix pays when the rows outnumber the columns and it costs no more than the passes
// over X that a path takes, or than the products of the support, which come to as much when most
// features are selected.
Method choose_method(const linalg::Design& X, std::size_t settings, const Options& options) {
    if (options.method != Method::automatic) return options.method;
    const auto n = static_cast<double>(X.rows());
    const auto p = static_cast<double>(X.cols());
    if (p > tuning::most_gram_columns || n < p) return Method::primal;
    // Large supports are iterated on, and over few entries that costs far less than over the
    // matrix.
    if (X.is_sparse() && p > tuning::iterated_columns &&
        2 * X.entries() * tuning::scattered_entry_seconds < p * p * tuning::gram_entry_seconds / 2)
        return Method::primal;
    // So do sweeps, where few of them reach what is asked for.
    using reduction::tuning::swept_dense_entry;
    using reduction::tuning::swept_entry;
    if (X.is_sparse() && options.tolerance > tuning::swept_tolerance &&
        swept_entry * X.entries() < swept_dense_entry * p * p)
        return Method::primal;
    const double dense = n * p * p / tuning::operations_a_second;
    const double gram =
        X.is_sparse() ? std::min(X.sparse_gram_cost() / tuning::sparse_operations_a_second, dense)
                      : dense;
    const double passes = tuning::fixed_passes + std::min<double>(tuning::most_counted_passes,
                                                                  static_cast<double>(settings));
    const double reading = passes * X.entries() * sizeof(double) / tuning::path_bytes_a_second;
    const double supports =
        tuning::support_part * dense * (settings > 1 ? tuning::supports_of_a_path : 1);
    return gram <= reading + supports ? Method::dual : Method::primal;
}

std::vector<double> weighted_response(const Problem& problem, const problem::Response& response) {
    std::vector<double> v(response.centred.begin(), response.centred.end());
    if (!problem.weights.empty())
        for (std::size_t i = 0; i < v.size(); ++i) v[i] *= problem.weights[i];
    return v;
}

namespace {

// They point into the workspace.
void set_penalties(Workspace& work) {
    const Problem& problem = *work.problem;
    const std::vector<double>& scale = work.columns.scale;
    const auto scaled = [&](std::span<const double> limits) {
        std::vector<double> values(limits.empty() ? 0 : scale.size());
        for (std::size_t j = 0; j < values.size(); ++j)
            values[j] = limits[j] == 0 ? 0 : limits[j] * scale[j];
        return values;
    };
    work.lower = scaled(problem.lower);
    work.upper = scaled(problem.upper);
    if (problem.nonnegative) work.lower.assign(scale.size(), 0.0);
    work.penalties = {work.factors, work.columns.excluded, work.lower, work.upper,
                      static_cast<Index>(work.columns.left_out.size())};
}

}  // namespace

void attach(const Problem& problem, const Options& options, Workspace& work) {
    work.problem = &problem;
    work.options = &options;
    work.execution = {linalg::resolve_threads(options.threads), options.cancel};
    work.rounding = problem::product_rounding(work.rows());
    set_penalties(work);
}

void finish_preparation(Workspace& work) {
    work.columns =
        problem::make_columns(*work.problem, work.response, work.moments, work.execution);
    if (work.problem->standardize) work.columns.scale_error = work.rounding;
    set_penalties(work);
    work.h_max = largest_multiplier(work, work.columns.products);
    work.largest_norm = 0;
    for (Index j = 0; j < work.cols(); ++j)
        if (!work.penalties.excluded[j] && work.factor(j) > 0)
            work.largest_norm = std::max(work.largest_norm, work.columns.norms[j] / work.factor(j));
}

void prepare_from_columns(Workspace& work) {
    work.moments = work.design->moments(
        work.problem->weights, weighted_response(*work.problem, work.response), work.execution);
    work.design->set_shift(problem::choose_shift(*work.problem, work.response, work.moments));
    finish_preparation(work);
    work.free = survey_free_features(work);
}

problem::ScaledGram finish_preparation(Workspace& work, const linalg::GramSums& sums) {
    finish_preparation(work);
    problem::ScaledGram gram =
        problem::scale_gram(sums, *work.problem, work.response, work.columns, work.execution);
    work.free = survey_free_features(gram, work);
    return gram;
}

void take_products(Workspace& work) {
    work.columns.products =
        problem::make_columns(*work.problem, work.response, work.moments, work.execution).products;
    work.h_max = largest_multiplier(work, work.columns.products);
}

// Where a column is far from zero or nearly constant its moments come from the data, and where
// the sums about the first centre lost digits they are taken anew about the means.
problem::ScaledGram prepare_from_gram(Workspace& work, linalg::GramSums sums) {
    const Problem& problem = *work.problem;
    bool needs_care = false;
    work.moments = problem::moments_of(sums, needs_care);
    if (needs_care) {
        const linalg::ColumnMoments coarse = std::move(work.moments);
        work.moments = work.design->moments(
            problem.weights, weighted_response(problem, work.response), work.execution);
        bool is_lost = false;
        for (Index j = 0; j < work.cols(); ++j)
            is_lost |= !work.moments.is_constant[j] &&
                       !(coarse.squares[j] > problem::remaining_squares * sums(j, j));
        if (is_lost)
            sums = linalg::accumulate_gram(*work.design, work.response.centred, problem.weights,
                                           work.execution, work.moments.mean);
    }
    work.design->set_shift(problem::choose_shift(*work.problem, work.response, work.moments));
    problem::ScaledGram gram = finish_preparation(work, sums);
    if (!needs_care) work.columns.scale_error *= problem::moment_loss(sums, work.moments);
    return gram;
}

// The sums are about the means: no moment has to be taken from the data.
problem::ScaledGram prepare_from_statistics(Workspace& work,
                                            const linalg::RowStatistics& statistics) {
    work.rounding = statistics.rounding;
    work.response = problem::response_of(statistics, work.problem->intercept);
    work.moments = problem::moments_of(statistics);
    return finish_preparation(work, statistics.sums);
}

double largest_multiplier(const Workspace& work, std::span<const double> products) {
    double largest = 0;
    for (Index j = 0; j < work.cols(); ++j) {
        const double f = work.factor(j);
        if (work.penalties.excluded[j] || f == 0) continue;
        largest = std::max(largest, work.penalties.magnitude(j, products[j]) / f);
    }
    return largest;
}

void certify_support(const Workspace& work, const problem::CertificationInput& input,
                     Solved& solved) {
    solved.proofs.resize(work.options->proofs ? static_cast<std::size_t>(work.cols()) : 0);
    solved.certificate =
        problem::certify_support(input, solved.support, work.penalties, solved.proofs);
}

std::vector<double> expand(const Workspace& work, const problem::Support& support) {
    std::vector<double> beta(static_cast<std::size_t>(work.cols()), 0.0);
    for (std::size_t k = 0; k < support.features.size(); ++k)
        beta[support.features[k]] = support.beta[k];
    return beta;
}

double length_of_terms(const Workspace& work, const problem::Support& support) {
    double length = std::sqrt(work.response.squares);
    for (std::size_t k = 0; k < support.features.size(); ++k)
        length += work.columns.norms[support.features[k]] * std::abs(support.beta[k]);
    return length;
}

problem::DualPoint residual_point(const Workspace& work, const problem::Support& support,
                                  double length, double lane_sum) {
    const Problem& problem = *work.problem;
    double intercept = work.response.mean;
    for (std::size_t k = 0; k < support.features.size(); ++k) {
        const Index j = support.features[k];
        intercept -= work.columns.mean[j] / work.columns.scale[j] * support.beta[k];
    }
    const double root_weight = std::sqrt(work.response.total_weight);
    const double rounding = problem::combination_rounding(support.features.size());
    problem::DualPoint point;
    point.length = length;
    // the spread counts the roots of the weights in, which are rounded
    point.distance = rounding * work.columns.spread * length_of_terms(work, support);
    // the mean of the residual: what is left of it, and the rounding of the two numbers that it is
    // the difference of
    if (problem.intercept)
        point.distance += std::abs(lane_sum) / root_weight +
                          problem::unit_roundoff * root_weight *
                              (std::abs(work.response.mean) + std::abs(intercept));
    point.noise = problem::product_rounding(work.rows()) * work.columns.spread * length;
    point.scale_error = work.columns.scale_error;
    return point;
}

namespace {

// A coefficient at its limit is that limit, and none is beyond it by rounding.
double user_value(const Workspace& work, Index j, double beta) {
    const double value = beta / work.columns.scale[j];
    const bool is_lower = beta < 0;
    const std::span<const double> limits = is_lower ? work.problem->lower : work.problem->upper;
    if (limits.empty() || beta == 0) return value;
    if (std::abs(beta) >= work.penalties.limit(j, beta)) return limits[j];
    return is_lower ? std::max(value, limits[j]) : std::min(value, limits[j]);
}

}  // namespace

// The intercept is a sum of large numbers where columns are far from zero: it is rounded once.
UserModel to_user_scale(const Workspace& work, const problem::Support& support, double centre) {
    UserModel model;
    linalg::Twofold intercept{centre};
    model.coefficients.reserve(support.features.size());
    for (std::size_t k = 0; k < support.features.size(); ++k) {
        const Index j = support.features[k];
        const double value = user_value(work, j, support.beta[k]);
        const double correction = work.moments.centred_sum[j] / work.response.total_weight;
        model.coefficients.push_back(value);
        if (work.problem->intercept)
            intercept = intercept - linalg::two_product(work.moments.mean[j], value) -
                        linalg::two_product(correction, value);
    }
    model.intercept = intercept.value();
    return model;
}

UserModel to_user_scale(const Workspace& work, const problem::Support& support) {
    return to_user_scale(work, support, work.response.mean);
}

Solution make_solution(const Workspace& work, const Setting& setting, const Solved& solved,
                       double centre) {
    Solution solution;
    solution.status = solved.is_done ? solved.status : Status::cancelled;
    solution.device = work.design->is_on_device() ? Device::cuda : Device::cpu;
    if (!solved.is_done) return solution;
    solution.l1 = 2 * solved.h;
    solution.l2 = solved.l2;
    solution.t = solved.weighted_l1;
    const auto* budget = std::get_if<Budget>(&setting);
    if (budget != nullptr && std::isinf(budget->t) && solved.status != Status::iteration_limit)
        solution.status = Status::ridge;
    // where it binds, the budget is met but for rounding
    if (budget != nullptr && std::isfinite(budget->t) &&
        std::abs(solution.t - budget->t) <= tuning::budget_is_met * budget->t)
        solution.t = budget->t;
    solution.gap = solved.gap.relative;
    solution.deviance = solved.gap.deviance;
    solution.null_deviance = work.response.squares;
    solution.gap_source = solved.gap_source;
    solution.certificate = solved.certificate;
    solution.proofs = solved.proofs;
    solution.iterations = solved.iterations;
    describe_setting(setting, work.response, solved.gap.objective, solution);
    const UserModel model = to_user_scale(work, solved.support, centre);
    solution.intercept = model.intercept;
    solution.coefficients.reserve(solved.support.features.size());
    for (std::size_t k = 0; k < solved.support.features.size(); ++k)
        if (solved.support.beta[k] != 0)
            solution.coefficients.push_back(
                {solved.support.features[k], model.coefficients[k], solved.support.beta[k]});
    solution.left_out = work.columns.left_out;
    std::sort(solution.coefficients.begin(), solution.coefficients.end(),
              [](const Coefficient& a, const Coefficient& b) { return a.feature < b.feature; });
    return solution;
}

}  // namespace sven::path
