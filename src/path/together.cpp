#include "path/together.hpp"

#include <algorithm>

#include "linalg/blas.hpp"
#include "path/column_path.hpp"
#include "path/preparation.hpp"

namespace sven::path {
namespace {

using Paths = std::vector<std::unique_ptr<ColumnPath>>;

// One block of every path that is not finished.
void advance(std::vector<Member>& members, Paths& paths, const linalg::Execution& execution,
             linalg::Panel& panel) {
    for_each(members, execution.threads, [&](Member&, Index k) {
        if (!paths[k]->is_finished())
            paths[k]->advance();
        else
            paths[k]->rest();
    });
    const linalg::Design& design = *members.front().work.design;
    std::vector<Index> first_lane(paths.size());
    Index lanes = 0;
    for (std::size_t k = 0; k < paths.size(); ++k) {
        first_lane[k] = lanes;
        lanes += paths[k]->lanes();
    }
    panel.resize(design.rows(), lanes, execution);
    for (std::size_t k = 0; k < paths.size(); ++k) paths[k]->fill(panel, first_lane[k]);
    if (lanes > 0)
        design.correlate(panel, execution, [&](Index begin, Index count, const double* tile) {
            for (std::size_t k = 0; k < paths.size(); ++k)
                if (paths[k]->lanes() > 0)
                    paths[k]->absorb(begin, count, tile + first_lane[k], panel.stride());
        });
    for_each(members, execution.threads, [&](Member&, Index k) { paths[k]->finish_block(); });
}

}  // namespace

void set_up(const Problem& problem, const Options& options, Convention convention,
            const std::shared_ptr<linalg::Design>& design, Member& member) {
    member.problem = problem;
    member.options = options;
    member.options.threads = 1;
    member.options.progress = nullptr;
    member.work.design = design;
    attach(member.problem, member.options, convention, member.work);
}

void Meter::add(Index settings, double gap) {
    if (!report_) return;
    const std::lock_guard lock(mutex_);
    done_ += settings;
    gap_ = std::max(gap_, gap);
    if (omp_get_thread_num() == 0) report_({done_, total_, gap_});
}

double largest_gap(std::span<const Solved> solved) {
    double gap = 0;
    for (const Solved& one : solved)
        if (one.is_done) gap = std::max(gap, one.gap.relative);
    return gap;
}

void solve_together(std::vector<Member>& members, const linalg::Execution& execution,
                    Meter& meter) {
    Paths paths(members.size());
    const auto keep = [&] {
        for (std::size_t k = 0; k < paths.size(); ++k)
            if (paths[k]) members[k].solved = std::move(paths[k]->solved());
    };
    const auto is_finished = [](const auto& path) { return path->is_finished(); };
    Index reported = 0;
    linalg::Panel panel;
    try {
        for_each(members, execution.threads, [&](Member& member, Index k) {
            paths[k] = std::make_unique<ColumnPath>(member.work, member.targets);
        });
        while (!std::all_of(paths.begin(), paths.end(), is_finished)) {
            advance(members, paths, execution, panel);
            Index finished = 0;
            double gap = 0;
            for (const auto& path : paths) {
                finished += path->done();
                gap = std::max(gap, largest_gap(path->solved()));
            }
            meter.add(finished - reported, gap);
            reported = finished;
        }
    } catch (const linalg::Cancelled&) {
        keep();
        throw;
    }
    keep();
}

}  // namespace sven::path
