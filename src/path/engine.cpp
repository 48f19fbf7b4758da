#include "path/engine.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "linalg/blas.hpp"
#include "path/data_certificate.hpp"
#include "path/forms.hpp"

namespace sven::path {
namespace {

using Clock = std::chrono::steady_clock;

// Seconds of one core and its memory; only ratios matter, and nothing is measured at run time.
constexpr double operations_a_second = 2e10;
constexpr double bytes_a_second = 1.5e10;

// The Gram matrix pays when the rows outnumber the columns and it costs no more than the passes
// over X that a path takes, or than the products of the support, which come to as much when most
// features are selected (docs/performance.md).
Method choose(const linalg::Design& X, std::size_t settings, const Options& options) {
    if (options.method != Method::automatic) return options.method;
    const auto n = static_cast<double>(X.rows());
    const auto p = static_cast<double>(X.cols());
    if (p > 4000 || n < p) return Method::primal;
    const double gram = X.is_sparse()
                            ? std::min(X.sparse_gram_cost() / 4e8, n * p * p / operations_a_second)
                            : n * p * p / operations_a_second;
    const double passes = 8 + std::min<double>(40, static_cast<double>(settings));
    const double support = n * p * p / 8 / operations_a_second;
    return gram <= passes * X.entries() * 8 / bytes_a_second + support * (settings > 1 ? 8 : 1)
               ? Method::dual
               : Method::primal;
}

std::vector<double> weighted_response(const Problem& problem, const problem::Response& response) {
    std::vector<double> v = response.centred;
    if (!problem.weights.empty())
        for (std::size_t i = 0; i < v.size(); ++i) v[i] *= problem.weights[i];
    return v;
}

void prepare(const Problem& problem, const Options& options, Convention convention,
             Workspace& work) {
    work.problem = &problem;
    work.options = &options;
    work.execution = {linalg::resolve_threads(options.threads), options.cancel};
    work.design = linalg::make_design(problem.X);
    work.response = problem::make_response(problem);
    work.factors = effective_factors(problem, convention);
}

void finish_preparation(Workspace& work) {
    work.columns = problem::make_columns(*work.problem, work.response, work.moments);
    work.penalties = {work.factors, work.columns.excluded, work.problem->nonnegative};
    work.h_max = largest_multiplier(work, work.columns.products);
}

void prepare_from_columns(Workspace& work) {
    work.moments = work.design->moments(
        work.problem->weights, weighted_response(*work.problem, work.response), work.execution);
    work.design->set_shift(problem::choose_shift(*work.problem, work.response, work.moments));
    finish_preparation(work);
}

// Where a column is far from zero or nearly constant its moments come from the data, and where
// the sums about the first centre lost digits they are taken anew about the means.
reduction::ScaledGram prepare_from_gram(Workspace& work) {
    const Problem& problem = *work.problem;
    linalg::GramSums sums = linalg::accumulate_gram(*work.design, work.response.centred,
                                                    problem.weights, work.execution);
    bool needs_care = false;
    work.moments = problem::moments_of(sums, needs_care);
    if (needs_care) {
        const linalg::ColumnMoments coarse = std::move(work.moments);
        work.moments = work.design->moments(
            problem.weights, weighted_response(problem, work.response), work.execution);
        bool is_lost = false;
        for (Index j = 0; j < work.cols(); ++j)
            is_lost |= !work.moments.is_constant[j] && !(coarse.squares[j] > 1e-3 * sums(j, j));
        if (is_lost)
            sums = linalg::accumulate_gram(*work.design, work.response.centred, problem.weights,
                                           work.execution, work.moments.mean);
    }
    work.design->set_shift(problem::choose_shift(problem, work.response, work.moments));
    finish_preparation(work);
    return problem::scale_gram(sums, problem, work.response, work.columns);
}

// From strong to weak; penalties before budgets.
std::vector<Index> path_order(std::span<const reduction::Target> targets) {
    std::vector<Index> order(targets.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
        const auto& first = targets[a];
        const auto& second = targets[b];
        if (first.is_budget != second.is_budget) return second.is_budget;
        if (first.is_budget && first.t != second.t) return first.t < second.t;
        if (!first.is_budget && first.h != second.h) return first.h > second.h;
        return first.l2 > second.l2;
    });
    return order;
}

Solution make_solution(const Workspace& work, const Setting& setting, const Solved& solved) {
    Solution solution;
    solution.status = solved.is_done ? solved.status : Status::cancelled;
    if (!solved.is_done) return solution;
    solution.l1 = 2 * solved.h;
    solution.l2 = solved.l2;
    solution.t = solved.use;
    const auto* budget = std::get_if<Budget>(&setting);
    if (budget != nullptr && std::isinf(budget->t) && solved.status != Status::iteration_limit)
        solution.status = Status::ridge;
    if (budget != nullptr && solution.status != Status::ridge) solution.t = budget->t;
    solution.gap = solved.gap.relative;
    solution.gap_source = solved.gap_source;
    solution.certificate = solved.certificate;
    solution.iterations = solved.iterations;
    describe_setting(setting, work.response, solved.gap.objective, solution);
    solution.intercept = work.response.mean;
    for (std::size_t k = 0; k < solved.support.features.size(); ++k) {
        const Index j = solved.support.features[k];
        const double beta = solved.support.beta[k];
        if (beta == 0) continue;
        const double value = beta / work.columns.scale[j];
        solution.coefficients.push_back({j, value, beta});
        if (work.problem->intercept) solution.intercept -= work.columns.mean[j] * value;
    }
    std::sort(solution.coefficients.begin(), solution.coefficients.end(),
              [](const Coefficient& a, const Coefficient& b) { return a.feature < b.feature; });
    return solution;
}

// Settings that the Gram matrix was too coarse for are solved again from the columns.
void repair_from_columns(Workspace& work, std::span<const reduction::Target> targets,
                         std::vector<Solved>& solved) {
    std::vector<reduction::Target> again;
    std::vector<std::size_t> where;
    for (std::size_t k = 0; k < solved.size(); ++k) {
        if (!solved[k].is_done || solved[k].gap.relative <= work.options->tolerance) continue;
        again.push_back(targets[k]);
        where.push_back(k);
    }
    if (again.empty()) return;
    const std::vector<Solved> repaired = solve_by_columns(work, again, [](Index, double) {});
    for (std::size_t k = 0; k < where.size(); ++k)
        if (repaired[k].is_done && repaired[k].gap.relative < solved[where[k]].gap.relative)
            solved[where[k]] = repaired[k];
}

std::vector<Solved> run(Workspace& work, Method method,
                        std::span<const reduction::Target> targets) {
    const Options& options = *work.options;
    const Report report = [&](Index done, double gap) {
        if (options.progress) options.progress({done, static_cast<Index>(targets.size()), gap});
    };
    if (method == Method::primal) {
        prepare_from_columns(work);
        return solve_by_columns(work, targets, report);
    }
    const reduction::ScaledGram gram = prepare_from_gram(work);
    std::vector<Solved> solved = solve_by_gram(work, gram, targets, report);
    // A single fit is certified from the data; so is what the Gram matrix could not certify.
    if (solved.size() == 1 && solved[0].is_done) certify_from_data(work, targets[0], solved[0]);
    repair_from_columns(work, targets, solved);
    return solved;
}

}  // namespace

double largest_multiplier(const Workspace& work, std::span<const double> products) {
    double largest = 0;
    for (Index j = 0; j < work.cols(); ++j) {
        const double f = work.factor(j);
        if (work.penalties.excluded[j] || f == 0) continue;
        const double magnitude =
            work.penalties.nonnegative ? std::max(0.0, products[j]) : std::abs(products[j]);
        largest = std::max(largest, magnitude / f);
    }
    return largest;
}

std::vector<Solution> solve(const Problem& problem, std::span<const Setting> settings,
                            const Options& options) {
    const auto start = Clock::now();
    const linalg::SingleThreadedBlas blas;
    Workspace work;
    prepare(problem, options, convention_of(settings), work);
    std::vector<reduction::Target> targets;
    for (const Setting& setting : settings) targets.push_back(make_target(setting, work.response));
    const std::vector<Index> order = path_order(targets);
    std::vector<reduction::Target> ordered;
    for (const Index k : order) ordered.push_back(targets[k]);
    const Method method = choose(*work.design, settings.size(), options);
    std::vector<Solved> solved(settings.size());
    try {
        solved = run(work, method, ordered);
    } catch (const linalg::Cancelled&) {  // before the first setting
    }
    std::vector<Solution> solutions(settings.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
        solutions[order[k]] = make_solution(work, settings[order[k]], solved[k]);
        solutions[order[k]].method = method;
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    for (Solution& solution : solutions)
        solution.seconds = seconds / static_cast<double>(solutions.size());
    return solutions;
}

double largest_lambda(const Problem& problem, double alpha, Convention convention,
                      const Options& options) {
    const linalg::SingleThreadedBlas blas;
    Workspace work;
    prepare(problem, options, convention, work);
    prepare_from_columns(work);
    std::vector<double> products = work.columns.products;
    return largest_multiplier(work, project_response(work, products)) /
           (work.response.total_weight * std::max(alpha, 1e-3));
}

}  // namespace sven::path
