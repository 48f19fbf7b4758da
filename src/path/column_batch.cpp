#include "path/column_batch.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "path/tuning.hpp"

namespace sven::path {
namespace {

using Paths = std::vector<std::unique_ptr<ColumnPath>>;

// Into tables where all have one, else tile by tile; returns which.
bool multiply(const Paths& paths, std::span<const Index> first_lane, const linalg::Design& design,
              const linalg::Execution& team, const linalg::Panel& panel) {
    std::vector<linalg::LaneTable*> tables;
    for (const auto& path : paths)
        if (path->lanes() > 0) tables.push_back(path->table());
    if (std::find(tables.begin(), tables.end(), nullptr) == tables.end()) {
        design.tabulate(panel, team, tables);
        return true;
    }
    design.correlate(panel, team, [&](Index begin, Index count, const double* tile) {
        for (std::size_t k = 0; k < paths.size(); ++k)
            if (paths[k]->lanes() > 0)
                paths[k]->absorb(begin, count, tile + first_lane[k], panel.stride());
    });
    return false;
}

// One block of every path that is not finished, verified by one product with X.
void advance(const Members& members, Paths& paths, const linalg::Execution& team,
             linalg::Panel& panel) {
    for_each(members, team.threads, [&](Member&, Index k) {
        if (!paths[k]->is_finished())
            paths[k]->advance();
        else
            paths[k]->pause();
    });
    const linalg::Design& design = *members.front()->work.design;
    std::vector<Index> first_lane(paths.size());
    Index lanes = 0;
    for (std::size_t k = 0; k < paths.size(); ++k) {
        first_lane[k] = lanes;
        lanes += paths[k]->lanes();
    }
    panel.resize(design.rows(), lanes, team);
    for (std::size_t k = 0; k < paths.size(); ++k) paths[k]->fill(panel, first_lane[k]);
    const bool is_in_tables = lanes > 0 && multiply(paths, first_lane, design, team, panel);
    for_each(members, team.threads, [&](Member&, Index k) {
        if (is_in_tables) paths[k]->read_table();
        paths[k]->finish_block();
    });
}

// The cache for the path of a member: that of the last path, if this one begins where it ended, or
// a new one. A new response has the free features projected out first, which asks for a cache that
// has no other slots.
std::unique_ptr<ColumnCache> take_cache(Member& member) {
    const Standing& standing = member.standing;
    const bool is_near = begins_at(standing, member.asked.targets, member.work) &&
                         (!standing.products.empty() || member.work.free.features().empty());
    std::unique_ptr<ColumnCache> cache = std::move(member.cache);
    if (cache == nullptr || !is_near) cache = std::make_unique<ColumnCache>(member.work);
    return cache;
}

// The paths of the members, and what they stand on.
struct Columns {
    std::vector<std::unique_ptr<ColumnCache>> caches;
    Paths paths;

    explicit Columns(std::size_t members) : caches(members), paths(members) {}

    bool is_finished() const {
        return std::all_of(paths.begin(), paths.end(),
                           [](const auto& path) { return path->is_finished(); });
    }
    Index done() const {
        Index done = 0;
        for (const auto& path : paths) done += path->done();
        return done;
    }
    double gap() const {
        double gap = 0;
        for (const auto& path : paths) gap = std::max(gap, largest_gap(path->solved()));
        return gap;
    }
    void go_on(Member& member, Index k, const MemberState& state) {
        paths[k].reset();
        caches[k] = std::make_unique<ColumnCache>(member.work);
        paths[k] =
            std::make_unique<ColumnPath>(member.work, member.asked.targets, *caches[k], state);
    }
};

// Each path where its record has it, else where the last solve left the member, or at the top.
void open_paths(const Members& members, const Batch& batch, Columns& columns) {
    const bool goes_on = batch.start == Start::standing;
    const Standing top;
    for_each(members, batch.team.threads, [&](Member& member, Index k) {
        const MemberState* const state =
            batch.record != nullptr ? batch.record->state_of(member.place) : nullptr;
        if (state != nullptr) return columns.go_on(member, k, *state);
        columns.caches[k] =
            goes_on ? take_cache(member) : std::make_unique<ColumnCache>(member.work);
        columns.paths[k] = std::make_unique<ColumnPath>(
            member.work, member.asked.targets, *columns.caches[k], goes_on ? member.standing : top);
    });
}

// Keeps where the paths are, and makes them anew of it.
void keep_states(const Members& members, const Batch& batch, Columns& columns) {
    std::vector<MemberState> states;
    for (const auto& path : columns.paths) states.push_back(path->take_state());
    for_each(members, batch.team.threads,
             [&](Member& member, Index k) { columns.go_on(member, k, states[k]); });
    for (std::size_t k = 0; k < members.size(); ++k)
        batch.record->put(members[k]->place, std::move(states[k]));
    batch.record->write();
}

}  // namespace

double largest_gap(std::span<const Solved> solved) {
    double gap = 0;
    for (const Solved& one : solved)
        if (one.is_done) gap = std::max(gap, one.gap.relative);
    return gap;
}

void solve_over_columns(const Members& members, const Batch& batch, Meter& meter) {
    Columns columns(members.size());
    const auto hand_over = [&] {
        for (std::size_t k = 0; k < members.size(); ++k)
            if (columns.paths[k]) members[k]->solved = std::move(columns.paths[k]->solved());
    };
    const Index stretch = tuning::stretch_settings * static_cast<Index>(members.size());
    linalg::Panel panel;
    Index reported = 0;
    try {
        open_paths(members, batch, columns);
        Index kept = columns.done();
        while (!columns.is_finished()) {
            advance(members, columns.paths, batch.team, panel);
            const Index done = columns.done();
            meter.add(done - std::exchange(reported, done), columns.gap());
            const bool is_due = done - kept >= stretch || columns.is_finished();
            if (batch.record == nullptr || !is_due) continue;
            kept = done;
            keep_states(members, batch, columns);
        }
    } catch (const linalg::Cancelled&) {
        hand_over();
        throw;
    } catch (const std::bad_alloc&) {
        meter.add(-reported, 0);
        throw;
    }
    hand_over();
    if (batch.start == Start::top) return;
    columns.paths.front()->leave(members.front()->standing);
    // what a path was made of again is not what it would have been
    if (batch.record == nullptr) members.front()->cache = std::move(columns.caches.front());
}

}  // namespace sven::path
