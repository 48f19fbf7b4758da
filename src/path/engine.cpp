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
#include "path/gram_solution.hpp"
#include "path/preparation.hpp"

namespace sven::path {
namespace {

using Clock = std::chrono::steady_clock;

std::vector<Solved> run(Workspace& work, Method method, std::span<const problem::Target> targets) {
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
    const problem::ScaledGram gram = prepare_from_gram(work);
    const bool is_open = free_features_depend(work);
    std::vector<Solved> solved = solve_on_gram(work, gram, targets, report);
    if (is_open) mark_not_unique(solved);
    return solved;
}

}  // namespace

std::vector<Solution> solve(const Problem& problem, std::span<const Setting> settings,
                            const Options& options) {
    const auto start = Clock::now();
    const linalg::SingleThreadedBlas blas;
    Workspace work;
    attach(problem, options, convention_of(settings), work);
    const Method method = choose_method(*work.design, settings.size(), options);
    std::vector<Solved> solved(settings.size());
    std::vector<Index> order(settings.size());  // the setting of each target
    std::iota(order.begin(), order.end(), Index{0});
    try {
        work.response = problem::make_response(problem, work.execution);
        const OrderedTargets ordered = order_targets(settings, work.response);
        order = ordered.order;
        solved = run(work, method, ordered.targets);
    } catch (const linalg::Cancelled&) {  // before the first setting
    }
    std::vector<Solution> solutions(settings.size());
    for (std::size_t k = 0; k < solved.size(); ++k) {
        const Index at = order[k];
        solutions[at] = make_solution(work, settings[at], solved[k]);
        solutions[at].method = method;
        solutions[at].svm = options.svm;
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    for (Solution& solution : solutions)
        solution.seconds = seconds / static_cast<double>(solutions.size());
    return solutions;
}

GridStart find_grid_start(const Problem& problem, Convention convention, const Options& options) {
    const linalg::SingleThreadedBlas blas;
    Workspace work;
    // One pass over X: the host has made it by the time that X would be on the device.
    Options here = options;
    here.device = is_on_device(problem.X) ? Device::cuda : Device::cpu;
    prepare(problem, here, convention, work);
    prepare_from_columns(work);
    std::vector<double> products = work.columns.products;
    return {largest_multiplier(work, project_response(work, products)), work.response.total_weight};
}

}  // namespace sven::path
