#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "api/calls.hpp"
#include "api/tuning.hpp"
#include "api/validate.hpp"
#include "linalg/execution.hpp"
#include "path/session.hpp"
#include "sven/error.hpp"
#include "sven/path.hpp"

namespace sven {

Solution fit(const Problem& problem, const Setting& setting, const Options& options) {
    const std::array settings{setting};
    return std::move(solve_path(problem, settings, options).front());
}

std::vector<Solution> solve_path(const Problem& problem, std::span<const Setting> settings,
                                 const Options& options) {
    api::validate(problem);
    api::validate(settings);
    api::validate(problem, options);
    api::validate_outcome(problem, options);
    if (settings.empty()) return {};
    return api::with_fallback(problem, options, [&](const Options& chosen) {
        return path::Session(problem, chosen, {settings.size(), 1}).solve(settings);
    });
}

std::vector<std::vector<Solution>> solve_paths(const Problem& problem,
                                               std::span<const double> responses,
                                               std::span<const Setting> settings,
                                               const Options& options) {
    const auto n = static_cast<std::size_t>(rows(problem.X));
    if (problem.statistics != nullptr)
        throw InvalidArgument(
            "several responses need the rows, of which statistics have the sums alone");
    if (problem.family != Family::gaussian)
        throw InvalidArgument("several responses at once are offered for gaussian ones alone");
    if (n == 0 || responses.size() % n != 0)
        throw InvalidArgument(
            "the responses are not whole columns of as many numbers as X has rows");
    if (responses.empty()) return {};
    Problem first = problem;
    first.y = responses.first(n);
    api::validate(first);
    for (std::size_t k = n; k < responses.size(); k += n) {
        Problem one = problem;
        one.y = responses.subspan(k, n);
        api::validate_response(one);
        api::validate_offset(one);
    }
    api::validate(settings);
    api::validate(problem, options);
    if (settings.empty()) return std::vector<std::vector<Solution>>(responses.size() / n);
    const std::vector<double> fitted = path::without_offset(responses, problem.offset);
    first.y = std::span(fitted).first(n);
    first.offset = {};
    return api::with_fallback(problem, options, [&](const Options& chosen) {
        const path::Asked asked{settings.size(), responses.size() / n};
        return path::Session(first, chosen, asked).solve_responses(fitted, settings);
    });
}

std::vector<Setting> lambda_grid(const Problem& problem, const Grid& grid, const Options& options) {
    api::validate(problem);
    api::validate(problem, options);
    // One pass over X: the host has made it by the time that X would be on the device.
    Options here = options;
    here.device = is_on_device(problem.X) ? Device::cuda : Device::cpu;
    path::Session session(problem, here);
    return std::move(api::lambda_grids(session, {&grid, 1}).front());
}

std::vector<std::vector<Setting>> api::lambda_grids(path::Session& session,
                                                    std::span<const Grid> grids, Purpose purpose) {
    for (const Grid& grid : grids) api::validate(grid);
    path::GridStart start;
    try {
        const int settings = purpose == Purpose::path ? grids.front().count : 0;
        start = session.grid_start(grids.front().convention, static_cast<std::size_t>(settings));
    } catch (const linalg::Cancelled&) {
        throw Interrupted("the search for the largest lambda was cancelled");
    }
    const Problem& problem = session.whole().problem;
    std::vector<std::vector<Setting>> result;
    for (const Grid& grid : grids) {
        double ratio = grid.min_ratio;
        if (ratio == 0)
            ratio = rows(problem) >= cols(problem) ? api::tuning::tall_grid_ratio
                                                   : api::tuning::wide_grid_ratio;
        const double largest = start.largest_lambda(grid.alpha);
        std::vector<Setting> settings;
        for (int k = 0; k < grid.count; ++k) {
            const double share = grid.count > 1 ? static_cast<double>(k) / (grid.count - 1) : 0;
            settings.push_back(
                Mixing{largest * std::pow(ratio, share), grid.alpha, grid.convention});
        }
        result.push_back(std::move(settings));
    }
    return result;
}

std::vector<Setting> distinct_budgets(const Problem& problem, const Grid& grid, int count,
                                      const Options& options) {
    if (count < 1) throw InvalidArgument("the number of settings must be at least 1");
    Grid fine = grid;
    fine.count = std::max(fine.count, api::tuning::path_settings_a_budget * count);
    const std::vector<Solution> path =
        solve_path(problem, lambda_grid(problem, fine, options), options);
    // The first setting of each number of features, in the order of the path.
    std::vector<const Solution*> distinct;
    std::set<std::size_t> seen;
    for (const Solution& solution : path) {
        if (solution.status == Status::cancelled)
            throw Interrupted("the path that the settings are taken from was cancelled");
        const bool is_new = seen.insert(solution.coefficients.size()).second;
        if (is_new && !solution.coefficients.empty()) distinct.push_back(&solution);
    }
    const auto found = static_cast<int>(distinct.size());
    const int taken = std::min(count, found);
    std::vector<Setting> settings;
    for (int k = 0; k < taken; ++k) {
        const int at = taken > 1 ? k * (found - 1) / (taken - 1) : found - 1;
        settings.emplace_back(Budget{distinct[at]->t, distinct[at]->l2});
    }
    return settings;
}

}  // namespace sven
