#include "path/responses.hpp"

#include <algorithm>
#include <chrono>

#include "linalg/blas.hpp"
#include "linalg/devices.hpp"
#include "path/engine.hpp"
#include "path/forms.hpp"
#include "path/free_features.hpp"
#include "path/gram_solution.hpp"
#include "path/preparation.hpp"
#include "path/together.hpp"

namespace sven::path {
namespace {

using Clock = std::chrono::steady_clock;

// Side by side, each response keeps its products with every column: no more of them at once than
// fit into this.
constexpr double bytes_of_a_group = 256e6;

Index largest_group(const linalg::Design& X) {
    const double each = 100 * static_cast<double>(X.cols()) + 80 * static_cast<double>(X.rows());
    return std::clamp<Index>(static_cast<Index>(bytes_of_a_group / each), 2, 64);
}

struct Request {
    const Problem& problem;
    std::span<const double> responses;
    std::span<const Setting> settings;
    const Options& options;
};

Problem with_response(const Request& request, Index k) {
    Problem one = request.problem;
    const auto n = static_cast<std::size_t>(rows(one.X));
    one.y = request.responses.subspan(static_cast<std::size_t>(k) * n, n);
    return one;
}

// What every response takes over: the first one's moments, and its Gram matrix where it has one.
struct Common {
    Method method = Method::primal;
    linalg::Execution execution;
    Convention convention = Convention::documented;
    std::shared_ptr<linalg::Design> design;
    linalg::ColumnMoments moments;
    problem::ScaledGram gram;
    FreeSpace free;
    bool is_open = false;  // unpenalised features depend on each other
};

Common prepare_common(const Problem& first, std::size_t settings, Convention convention,
                      const Options& options) {
    Workspace work;
    prepare(first, options, convention, work);
    Common common;
    common.execution = work.execution;
    common.convention = convention;
    common.design = work.design;
    common.method = choose_method(*work.design, settings, options);
    if (common.method == Method::dual)
        common.gram = prepare_from_gram(work);
    else
        prepare_from_columns(work);
    common.free = work.free;
    common.is_open = free_features_depend(work);
    common.moments = std::move(work.moments);
    return common;
}

// The moments of each member: only the products with its response are its own, and one product with
// X gives all of them.
void share_moments(const Common& common, std::vector<Member>& members) {
    const linalg::Design& design = *common.design;
    linalg::Panel panel;
    panel.resize(design.rows(), static_cast<Index>(members.size()), common.execution);
    std::vector<double> sums(members.size(), 0.0);
    for (std::size_t k = 0; k < members.size(); ++k) {
        Workspace& work = members[k].work;
        const std::vector<double> v = weighted_response(members[k].problem, work.response);
        panel.set_lane(static_cast<Index>(k), v);
        for (const double value : v) sums[k] += value;
        work.moments = common.moments;
    }
    design.correlate(panel, common.execution, [&](Index begin, Index count, const double* tile) {
        for (Index j = begin; j < begin + count; ++j) {
            const double shift = design.shift().empty() ? 0 : design.shift()[j];
            const double* products = tile + (j - begin) * panel.stride();
            for (std::size_t k = 0; k < members.size(); ++k)
                members[k].work.moments.products[j] =
                    products[k] - (common.moments.mean[j] - shift) * sums[k];
        }
    });
    for (Member& member : members) {
        finish_preparation(member.work);
        member.work.free = common.free;
    }
}

// Responses that are solved side by side.
struct Group {
    Index begin = 0;
    std::vector<Member> members;
    std::vector<std::vector<Index>> orders;  // the setting of each target
};

Group make_group(const Request& request, Index begin, Index end, const Common& common) {
    Group group{begin, std::vector<Member>(static_cast<std::size_t>(end - begin)), {}};
    for (Index k = begin; k < end; ++k) {
        Member& member = group.members[k - begin];
        set_up(with_response(request, k), request.options, common.convention, common.design,
               member);
        member.work.response = problem::make_response(member.problem, member.work.execution);
        OrderedTargets ordered = order_targets(request.settings, member.work.response);
        member.targets = std::move(ordered.targets);
        group.orders.push_back(std::move(ordered.order));
    }
    return group;
}

void solve_group(const Common& common, std::vector<Member>& members, Meter& meter) {
    share_moments(common, members);
    if (common.method == Method::primal) {
        solve_together(members, common.execution, meter);
        return;
    }
    for_each(members, common.execution.threads, [&](Member& member, Index) {
        problem::ScaledGram gram = common.gram;
        gram.products = member.work.columns.products;
        gram.response_squares = member.work.response.squares;
        member.solved = solve_on_gram(member.work, gram, member.targets, [](Index, double) {});
        meter.add(static_cast<Index>(member.targets.size()), largest_gap(member.solved));
    });
}

void store(Group& group, std::span<const Setting> settings, const Common& common,
           std::vector<std::vector<Solution>>& paths) {
    for (std::size_t k = 0; k < group.members.size(); ++k) {
        Member& member = group.members[k];
        if (common.is_open) mark_not_unique(member.solved);
        for (std::size_t s = 0; s < member.solved.size(); ++s) {
            const Index setting = group.orders[k][s];
            Solution& solution = paths[group.begin + static_cast<Index>(k)][setting];
            solution = make_solution(member.work, settings[setting], member.solved[s]);
            solution.method = common.method;
        }
    }
}

// Throws Cancelled; what was solved until then is in `paths`.
void solve_all(const Request& request, std::vector<std::vector<Solution>>& paths) {
    const auto count = static_cast<Index>(paths.size());
    const std::size_t total = request.settings.size() * paths.size();
    const Problem first = with_response(request, 0);
    const Common common =
        prepare_common(first, total, convention_of(request.settings), request.options);
    Meter meter(request.options, total);
    const Index step = largest_group(*common.design);
    for (Index begin = 0; begin < count; begin += step) {
        Group group = make_group(request, begin, std::min(count, begin + step), common);
        try {
            solve_group(common, group.members, meter);
        } catch (const linalg::Cancelled&) {
            store(group, request.settings, common, paths);
            throw;
        }
        store(group, request.settings, common, paths);
    }
}

}  // namespace

std::vector<std::vector<Solution>> solve_responses(const Problem& problem,
                                                   std::span<const double> responses,
                                                   std::span<const Setting> settings,
                                                   const Options& options) {
    const auto start = Clock::now();
    const linalg::SingleThreadedBlas blas;
    const auto count = static_cast<Index>(responses.size()) / rows(problem.X);
    const Request request{problem, responses, settings, options};
    std::vector<std::vector<Solution>> paths;
    if (count == 1 || options.svm != Svm::newton) {
        for (Index k = 0; k < count; ++k)
            paths.push_back(solve(with_response(request, k), settings, options));
        return paths;
    }
    Solution not_done;
    not_done.status = Status::cancelled;
    paths.assign(static_cast<std::size_t>(count), std::vector<Solution>(settings.size(), not_done));
    try {
        solve_all(request, paths);
    } catch (const linalg::Cancelled&) {  // what is finished stays
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    for (std::vector<Solution>& path : paths)
        for (Solution& solution : path)
            solution.seconds = seconds / static_cast<double>(settings.size() * paths.size());
    return paths;
}

}  // namespace sven::path
