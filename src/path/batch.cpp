#include "path/batch.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <new>
#include <utility>

#include "path/column_batch.hpp"
#include "path/data_certificate.hpp"
#include "path/explicit_path.hpp"
#include "path/preparation.hpp"
#include "reduction/gram_kernel.hpp"

namespace sven::path {
namespace {

bool is_open(const Member& member, const Solved& solved) {
    return solved.is_done && !(solved.gap.relative <= member.options.tolerance);
}

// ---- over Gram matrices ----

// Settings that the Gram matrix was too coarse for are solved again from the columns.
void repair_from_columns(Member& member) {
    std::vector<problem::Target> again;
    std::vector<std::size_t> where;
    for (std::size_t k = 0; k < member.solved.size(); ++k) {
        if (!is_open(member, member.solved[k])) continue;
        again.push_back(member.asked.targets[k]);
        where.push_back(k);
    }
    if (again.empty()) return;
    auto targets = std::exchange(member.asked.targets, std::move(again));
    auto solved = std::exchange(member.solved, std::vector<Solved>(where.size()));
    Meter silent({}, 0);
    try {
        solve_over_columns(
            {&member}, Batch{{}, member.work.execution, {}, {}, {}, Start::top, nullptr}, silent);
    } catch (const linalg::Cancelled&) {  // what the Gram matrix gave stays
    }
    for (std::size_t k = 0; k < where.size(); ++k)
        if (member.solved[k].is_done &&
            member.solved[k].gap.relative < solved[where[k]].gap.relative)
            solved[where[k]] = std::move(member.solved[k]);
    member.asked.targets = std::move(targets);
    member.solved = std::move(solved);
}

// A single setting is certified from the data; so is what the Gram matrix could not certify.
void certify_and_repair(Member& member) {
    try {
        for (std::size_t k = 0; k < member.solved.size(); ++k)
            if (member.solved[k].is_done &&
                (member.solved.size() == 1 || is_open(member, member.solved[k])))
                certify_from_data(member.work, member.asked.targets[k], Effort::plain,
                                  member.solved[k]);
    } catch (const linalg::Cancelled&) {  // what the Gram matrix gave stays
        return;
    }
    repair_from_columns(member);
}

bool invert_by(reduction::ActiveSet& active, const problem::Target& target, Solved& solved) {
    active.load(solved.support, target, solved.h);
    return reduction::inverse_diagonal(active.machine(), active.state(), solved.support.features,
                                       solved.inverse_diagonal);
}

// (K^-1)_jj, which a path leaves out where the support is large: from the Gram matrix where that
// solved the setting and can tell, else from the columns.
void invert_support(const Batch& batch, const problem::Target& target, Member& member,
                    Solved& solved) {
    problem::ScaledGram gram;
    if (solved.gap_source == GapSource::gram && batch.make_gram && batch.make_gram(member, gram)) {
        reduction::GramKernel kernel(gram, member.work.execution);
        reduction::ActiveSet active(kernel, member.work.penalties, member.work.execution,
                                    member.options.tolerance);
        if (invert_by(active, target, solved)) return;
    }
    ColumnCache cache(member.work);
    invert_by(cache.active, target, solved);
}

// Where it has not taken them yet.
void take_rows(const Batch& batch, Member& member) {
    if (!member.work.response.has_rows() && member.work.design->has_rows()) batch.take_rows(member);
}

// The targets, and what is not unique whatever they are.
void begin(const Batch& batch, Member& member) {
    member.asked = order_targets(batch.settings, member.work.response);
    member.solved.assign(member.asked.targets.size(), {});
    if (member.depends) return;
    const bool is_clear = member.work.free.is_clearly_independent();
    if (!is_clear) take_rows(batch, member);
    member.depends = !is_clear && free_features_depend(member.work);
}

// Stretch by stretch, each from the standing that the one before left.
std::vector<Solved> solve_in_stretches(Record& record, const problem::ScaledGram& gram,
                                       const Report& report, Standing& standing, Member& member) {
    const std::span<const problem::Target> targets = member.asked.targets;
    MemberState state;
    if (const MemberState* const kept = record.state_of(member.place)) {
        state = *kept;
        member.work.h_max = state.h_max;
        standing = state.standing;
    }
    std::vector<Solved>& solved = state.solved;
    const auto is_done = [](const Solved& one) { return one.is_done; };
    while (solved.size() < targets.size()) {
        const std::size_t before = solved.size();
        const std::size_t size =
            std::min<std::size_t>(tuning::stretch_settings, targets.size() - before);
        const Report shifted = [&](Index done, double gap) {
            report(static_cast<Index>(before) + done, gap);
        };
        std::vector<Solved> found =
            solve_by_gram(member.work, gram, targets.subspan(before, size), shifted, standing);
        const bool is_whole = std::all_of(found.begin(), found.end(), is_done);
        std::move(found.begin(), found.end(), std::back_inserter(solved));
        if (!is_whole) break;  // cancelled
        state.h_max = member.work.h_max;
        state.standing = standing;
        record.keep(member.place, state);
    }
    solved.resize(targets.size());
    return std::move(solved);
}

bool solve_on_gram(const Batch& batch, const Report& report, Standing& standing, Member& member) {
    problem::ScaledGram gram;
    if (!batch.make_gram(member, gram)) return false;
    begin(batch, member);
    member.method = Method::dual;
    member.solved = batch.record != nullptr
                        ? solve_in_stretches(*batch.record, gram, report, standing, member)
                        : solve_by_gram(member.work, gram, member.asked.targets, report, standing);
    const bool is_short = std::any_of(member.solved.begin(), member.solved.end(),
                                      [&](const Solved& one) { return is_open(member, one); });
    if (is_short) take_rows(batch, member);
    if (member.work.response.has_rows()) certify_and_repair(member);
    return true;
}

// The members that are left for the columns.
Members solve_on_grams(const Batch& batch, const Members& members, Meter& meter) {
    std::vector<char> is_left(members.size(), 0);
    const bool is_alone = members.size() == 1;
    for_each(members, batch.team.threads, [&](Member& member, Index k) {
        Index told = 0;
        const Report report = [&](Index done, double gap) {
            if (is_alone) meter.add(done - std::exchange(told, done), gap);
        };
        Standing top;
        Standing& standing = batch.start == Start::standing ? member.standing : top;
        is_left[k] = !solve_on_gram(batch, report, standing, member);
        if (!is_alone && !is_left[k])
            meter.add(static_cast<Index>(member.solved.size()), largest_gap(member.solved));
    });
    Members left;
    for (std::size_t k = 0; k < members.size(); ++k)
        if (is_left[k]) left.push_back(members[k]);
    return left;
}

// ---- over the columns ----

// Bytes that this process may take beside files that are mapped; infinity where nobody limits it.
double memory_limit() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_DATA, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return std::numeric_limits<double>::infinity();
    return static_cast<double>(limit.rlim_cur);
}

// Of so many members, those whose paths fit side by side into what the process may take, at least
// one.
std::size_t fitting_members(const linalg::Design& X, std::size_t members) {
    const double each = tuning::member_column_bytes * static_cast<double>(X.cols()) +
                        tuning::row_bytes * static_cast<double>(X.rows());
    const double fitting = tuning::member_memory * memory_limit() / each;
    return static_cast<std::size_t>(std::clamp(fitting, 1.0, static_cast<double>(members)));
}

// Side by side members share their passes over X; where the memory does not hold all of them, one
// group comes after the other. Supports may be larger than was assumed: then half as many.
void solve_in_groups(const Members& members, const Batch& batch, Meter& meter) {
    std::size_t size = fitting_members(*members.front()->work.design, members.size());
    for (std::size_t begin = 0; begin < members.size();) {
        const auto first = members.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto count = std::min(size, members.size() - begin);
        try {
            solve_over_columns({first, first + static_cast<std::ptrdiff_t>(count)}, batch, meter);
        } catch (const std::bad_alloc&) {
            if (count == 1) throw;
            size = (count + 1) / 2;
            continue;
        }
        begin += count;
    }
}

// ---- the batch ----

void solve_by_route(const Batch& batch, const Members& members, Meter& meter) {
    const Members rest = batch.make_gram ? solve_on_grams(batch, members, meter) : members;
    if (rest.empty()) return;
    if (batch.make_columns) batch.make_columns(rest);
    for_each(rest, batch.team.threads, [&](Member& member, Index) { begin(batch, member); });
    if (rest.front()->options.svm == Svm::newton) {
        for (Member* member : rest) member->method = Method::primal;
        solve_in_groups(rest, batch, meter);
        return;
    }
    for (Member* member : rest) {
        member->work.execution = batch.team;
        Index told = 0;
        const auto report = [&](Index done, double gap) {
            meter.add(done - std::exchange(told, done), gap);
        };
        member->solved = solve_by_svm(member->work, member->asked.targets, report);
    }
}

void mark_not_unique(const Member& member, Solved& solved) {
    if (member.depends.value_or(false) && solved.status == Status::optimal)
        solved.status = Status::not_unique;
}

// The mark of what has other solutions, and the caller's order.
void finish(Member& member) {
    const std::vector<Index>& order = member.asked.order;
    std::vector<Solved> sorted(member.solved.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
        Solved& solved = sorted[order[k]];
        solved = std::move(member.solved[k]);
        mark_not_unique(member, solved);
    }
    member.solved = std::move(sorted);
}

}  // namespace

void Meter::add(Index settings, double gap) {
    if (!report_) return;
    const std::lock_guard lock(mutex_);
    done_ += settings;
    gap_ = std::max(gap_, gap);
    if (std::this_thread::get_id() == reporter_) report_({done_, total_, gap_});
}

void solve_batch(const Batch& batch, const Members& members, Meter& meter) {
    std::size_t place = 0;
    for (Member* member : members) {
        member->place = place++;
        member->work.execution = batch.team;
        if (members.size() > 1) member->work.execution.threads = 1;
        member->asked = {};
        member->solved.assign(batch.settings.size(), {});
    }
    try {
        solve_by_route(batch, members, meter);
    } catch (const linalg::Cancelled&) {  // what is finished stays
    }
    for (Member* member : members) finish(*member);
}

void certify_alone(const Batch& batch, Index setting, Member& member) {
    if (!member.work.design->has_rows()) return;
    const auto place = std::find(member.asked.order.begin(), member.asked.order.end(), setting);
    const problem::Target target = member.asked.targets[place - member.asked.order.begin()];
    Solved& solved = member.solved[setting];
    const bool is_from_gram = solved.gap_source == GapSource::gram;
    const bool needs_inverse =
        target.l2() == 0 && solved.inverse_diagonal.empty() &&
        static_cast<Index>(solved.support.features.size()) > tuning::largest_inverted_support;
    if (!needs_inverse && !is_from_gram) return;
    const linalg::Execution of_a_member = std::exchange(member.work.execution, batch.team);
    take_rows(batch, member);
    if (needs_inverse) invert_support(batch, target, member, solved);
    // the columns certify sharply what they solve, and so they do again
    certify_from_data(member.work, target, is_from_gram ? Effort::plain : Effort::sharp, solved);
    if (is_from_gram && is_open(member, solved)) {
        const OrderedTargets asked = std::exchange(member.asked, {{target}, {0}});
        std::vector<Solved> all = std::exchange(member.solved, {std::move(solved)});
        repair_from_columns(member);
        all[setting] = std::move(member.solved.front());
        member.solved = std::move(all);
        member.asked = asked;
    }
    mark_not_unique(member, member.solved[setting]);
    member.work.execution = of_a_member;
}

std::vector<Solution> make_solutions(const Member& member, std::span<const Setting> settings) {
    std::vector<Solution> solutions;
    for (std::size_t k = 0; k < settings.size(); ++k) {
        solutions.push_back(
            make_solution(member.work, settings[k], member.solved[k], member.work.response.mean));
        solutions.back().method = member.method;
        solutions.back().svm = member.options.svm;
    }
    return solutions;
}

}  // namespace sven::path
