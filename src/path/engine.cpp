#include "path/engine.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "linalg/blas.hpp"
#include "path/data_certificate.hpp"
#include "path/explicit_path.hpp"
#include "path/forms.hpp"
#include "path/free_features.hpp"
#include "path/preparation.hpp"

namespace sven::path {
namespace {

using Clock = std::chrono::steady_clock;

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
    std::vector<Solved> repaired(again.size());
    try {
        repaired = solve_by_columns(work, again, [](Index, double) {});
    } catch (const linalg::Cancelled&) {  // what the Gram matrix gave stays
    }
    for (std::size_t k = 0; k < where.size(); ++k)
        if (repaired[k].is_done && repaired[k].gap.relative < solved[where[k]].gap.relative)
            solved[where[k]] = repaired[k];
}

void mark_not_unique(std::vector<Solved>& solved) {
    for (Solved& setting : solved)
        if (setting.status == Status::optimal) setting.status = Status::not_unique;
}

std::vector<Solved> run(Workspace& work, Method method,
                        std::span<const reduction::Target> targets) {
    const Options& options = *work.options;
    const Report report = [&](Index done, double gap) {
        if (options.progress) options.progress({done, static_cast<Index>(targets.size()), gap});
    };
    if (options.svm != Svm::newton) {
        prepare_from_columns(work);
        return solve_by_svm(work, targets, report);
    }
    if (method == Method::primal) {
        prepare_from_columns(work);
        const bool is_open = free_features_depend(work);
        std::vector<Solved> solved = solve_by_columns(work, targets, report);
        if (is_open) mark_not_unique(solved);
        return solved;
    }
    const reduction::ScaledGram gram = prepare_from_gram(work);
    const bool is_open = free_features_depend(work);
    std::vector<Solved> solved = solve_by_gram(work, gram, targets, report);
    // A single fit is certified from the data; so is what the Gram matrix could not certify.
    if (solved.size() == 1 && solved[0].is_done) certify_from_data(work, targets[0], solved[0]);
    repair_from_columns(work, targets, solved);
    if (is_open) mark_not_unique(solved);
    return solved;
}

}  // namespace

std::vector<Solution> solve(const Problem& problem, std::span<const Setting> settings,
                            const Options& options) {
    const auto start = Clock::now();
    const linalg::SingleThreadedBlas blas;
    Workspace work;
    prepare(problem, options, convention_of(settings), work);
    std::vector<reduction::Target> targets;
    targets.reserve(settings.size());
    for (const Setting& setting : settings) targets.push_back(make_target(setting, work.response));
    const std::vector<Index> order = path_order(targets);
    std::vector<reduction::Target> ordered;
    ordered.reserve(order.size());
    for (const Index k : order) ordered.push_back(targets[k]);
    const Method method = choose_method(*work.design, settings.size(), options);
    std::vector<Solved> solved(settings.size());
    try {
        solved = run(work, method, ordered);
    } catch (const linalg::Cancelled&) {  // before the first setting
    }
    std::vector<Solution> solutions(settings.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
        solutions[order[k]] = make_solution(work, settings[order[k]], solved[k]);
        solutions[order[k]].method = method;
        solutions[order[k]].svm = options.svm;
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
    // One pass over X: the host has made it by the time that X would be on the device.
    Options here = options;
    here.device = is_on_device(problem.X) ? Device::cuda : Device::cpu;
    prepare(problem, here, convention, work);
    prepare_from_columns(work);
    std::vector<double> products = work.columns.products;
    return largest_multiplier(work, project_response(work, products)) /
           (work.response.total_weight * std::max(alpha, 1e-3));
}

}  // namespace sven::path
