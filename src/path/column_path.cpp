#include "path/column_path.hpp"

#include <algorithm>
#include <utility>

#include "linalg/dense.hpp"
#include "linalg/row_sums.hpp"
#include "path/approach.hpp"
#include "path/column_span.hpp"
#include "path/data_certificate.hpp"
#include "path/ridge.hpp"
#include "path/tuning.hpp"

namespace sven::path {
ColumnCache::ColumnCache(const Workspace& workspace)
    : X(problem::scale_design(*workspace.design, *workspace.problem, workspace.response,
                              workspace.columns, workspace.moments)),
      kernel(X, workspace.response.values(), workspace.columns.products, workspace.columns.norms,
             workspace.execution),
      active(kernel, workspace.penalties, workspace.execution, workspace.options->tolerance) {}

ColumnPath::ColumnPath(Workspace& workspace, std::span<const problem::Target> targets,
                       ColumnCache& cache)
    : work_(workspace),
      targets_(targets),
      X_(cache.X),
      kernel_(cache.kernel),
      active_(cache.active),
      screening_(workspace),
      verification_(workspace, cache.X, cache.kernel),
      h_last_(workspace.h_max),
      solved_(targets.size()) {}

ColumnPath::ColumnPath(Workspace& workspace, std::span<const problem::Target> targets,
                       ColumnCache& cache, const Standing& standing)
    : ColumnPath(workspace, targets, cache) {
    const bool is_there = !standing.products.empty() && begins_at(standing, targets_, work_);
    if (!is_there) project_free_features();
    if (is_there || begins_at(standing, targets_, work_)) take_up(standing);
}

ColumnPath::ColumnPath(Workspace& workspace, std::span<const problem::Target> targets,
                       ColumnCache& cache, const MemberState& state)
    : ColumnPath(workspace, targets, cache) {
    const ColumnState& columns = state.columns;
    work_.h_max = state.h_max;
    solved_ = state.solved;
    next_ = columns.next;
    h_last_ = columns.h_last;
    block_size_ = columns.block_size;
    knows_slopes_ = columns.knows_slopes;
    is_swept_ = columns.is_swept;
    screening_.products() = columns.products;
    screening_.slopes() = columns.slopes;
    active_.load(columns.support, columns.target, h_last_);
}

MemberState ColumnPath::take_state() {
    screening_.leave_table(knows_slopes_);
    MemberState state;
    state.solved = std::move(solved_);
    state.h_max = work_.h_max;
    ColumnState& columns = state.columns;
    columns.next = next_;
    columns.h_last = h_last_;
    columns.target = active_.state().target;
    active_.save(columns.support);
    columns.products = std::move(screening_.products());
    columns.slopes = std::move(screening_.slopes());
    columns.block_size = block_size_;
    columns.knows_slopes = knows_slopes_;
    columns.is_swept = is_swept_;
    return state;
}

void ColumnPath::take_up(const Standing& standing) {
    h_last_ = standing.multiplier(work_);
    active_.load(support_of(standing, work_), problem::Target::penalty(h_last_, standing.l2),
                 h_last_);
    // Unknown products name no candidates, and known ones not how they change: the first
    // verification is to tell, and one setting is enough for it.
    screening_.products() = standing.products;
    screening_.products().resize(static_cast<std::size_t>(work_.cols()), 0.0);
    block_size_.limit = 1;
    is_guess_ = true;
}

void ColumnPath::leave(Standing& standing) {
    problem::Support support;
    active_.save(support);
    note_end(support, h_last_, targets_.back().l2(), work_, standing);
    screening_.leave_table(false);
    standing.products = std::move(screening_.products());
}

// The products with the response once the unpenalised features have taken their part of it.
void ColumnPath::project_free_features() {
    const std::vector<Index> limited = list_limited_unpenalised(work_);
    if (work_.free.features().empty() && limited.empty()) return;
    active_.set_candidates(limited);
    active_.run(problem::Target::penalty(work_.h_max, 0), work_.limits());
    linalg::Panel panel;
    panel.resize(work_.rows(), 1, work_.execution);
    const double sum = X_.fill_lane(kernel_.residual(), 0, work_.execution, panel);
    work_.design->correlate(panel, work_.execution, [&](Index begin, Index count, double* tile) {
        for (Index c = 0; c < count; ++c)
            screening_.products()[begin + c] = X_.correct(begin + c, tile[c * panel.stride()], sum);
    });
    work_.h_max = largest_multiplier(work_, screening_.products());
    h_last_ = work_.h_max;
}

void ColumnPath::advance() {
    work_.execution.check();
    plan_block();
    if (block_.size() == 0) return;  // a setting was finished without one
    screening_.select(block_, {h_last_, knows_slopes_, margin()}, kernel_);
    const double before = active_.machine().work;
    for (Index i = 0; i < block_.size(); ++i) solve_item(i, work_.options->tolerance);
    const double operations = active_.machine().work - before;
    block_size_ =
        BlockSize::from(work_.design->entries(), operations / static_cast<double>(block_.size()));
    is_swept_ = block_.last().outcome.ending == reduction::Ending::swept;
    add_derivative();
}

double ColumnPath::margin() const {
    if (knows_slopes_) return block_size_.margin;
    if (!is_swept_) return tuning::blind_margin;
    return work_.cols() <= tuning::columns_per_slot * kernel_.slots() ? tuning::any_margin
                                                                      : tuning::strong_margin;
}

void ColumnPath::plan_block() {
    block_.clear();
    const Index support = active_.support_size();
    if (kernel_.slots() > support + support / tuning::selected_per_spare + tuning::spare_slots)
        reduction::compact(active_.machine(), active_.state());
    while (!is_finished() && block_.size() < block_size_.limit) {
        problem::Target target = targets_[next_];
        if (target.is_budget() && target.t() == 0)
            target = problem::Target::penalty(work_.h_max, target.l2());
        if (is_ridge(target)) {
            if (block_.size() > 0) return;  // not in a block
            Solved& solved = solved_[next_++];
            solved = ridge(target.l2());
            if (target.is_budget() && solved.status == Status::optimal)
                solved.status = Status::ridge;
            return;
        }
        // As features enter, a budget is used up faster than the support of today says: the
        // prediction errs on the low side.
        const double h = reduction::predict_multiplier(active_.machine(), active_.state(), target);
        if (is_swept_ && block_.size() > 0 && h < tuning::blind_reach * h_last_) return;
        if (is_far(h, h_last_, work_.h_max)) {
            if (block_.size() > 0) return;
            const problem::Target step = step_towards(h, target.l2(), h_last_);
            block_.add(step, -1, step.h());
            return;
        }
        block_.add(target, next_++, h);
    }
}

// Without an l1 penalty the solution is that of a ridge, in the space of the rows; where they
// outnumber the columns the support may take them all. A budget is compared with it once the
// multiplier has become small.
bool ColumnPath::is_ridge(const problem::Target& target) {
    if (work_.penalties.has_limits() || !(target.l2() > 0) || !(work_.h_max > 0) ||
        work_.cols() <= work_.rows())
        return false;
    if (!target.is_budget()) return target.h() == 0;
    return h_last_ <= tuning::ridge_share * work_.h_max &&
           ridge(target.l2()).weighted_l1 <= target.t();
}

const Solved& ColumnPath::ridge(double l2) {
    if (!ridge_.is_done || ridge_.l2 != l2) ridge_ = solve_ridge(work_, X_, l2);
    return ridge_;
}

void ColumnPath::solve_item(Index i, double gap) {
    Item& item = block_[i];
    item.onward.clear();
    active_.go_on();
    active_.set_candidates(screening_.candidates(i));
    reduction::Limits limits = work_.limits();
    if (limits.gap > 0) limits.gap = gap;
    limits.block_cost =
        BlockSize::pass_seconds(work_.design->entries()) * tuning::operations_a_second;
    item.outcome = active_.run(item.target, limits);
    item.drift = 0;
    active_.save(item.support);
    item.h = active_.h();
    item.residual.assign(kernel_.residual().begin(), kernel_.residual().end());
    item.residual_squares = linalg::squares_of_rows(work_.execution, item.residual);
}

// How the residual moves along the line to the next setting; sweeps leave no system to tell.
void ColumnPath::add_derivative() {
    knows_slopes_ = false;
    if (is_finished() || is_swept_) return;
    const problem::Target& next = targets_[next_];
    Item& last = block_.last();
    active_.go_on();
    active_.save(last.onward);
    const double h_step =
        reduction::predict_multiplier(active_.machine(), active_.state(), next) - last.h;
    if (h_step == 0) return;
    const double l2_step = next.l2() - last.target.l2();
    reduction::derivative(active_.machine(), active_.state(), 1, l2_step / h_step, direction_);
    const std::span<double> derivative = block_.add_derivative(work_.rows());
    kernel_.multiply(direction_, derivative.data());
    for (double& value : derivative) value = -value;
    knows_slopes_ = true;
}

void ColumnPath::finish_block() {
    if (block_.size() == 0) return;
    verification_.close(block_, screening_);
    if (std::exchange(is_guess_, false)) redo_guess();
    for (Index i = 0; i < block_.size(); ++i)
        if (is_to_redo(block_[i])) redo(i);
    for (Index i = 0; i < block_.size(); ++i) hand_over(block_[i]);
    const auto zeros = verification_.count_zeros(block_, solved_);
    for (Index i = 0; i < block_.size(); ++i) certify(block_[i], i, zeros[i]);
    const Item& last = block_.last();
    active_.load(last.onward.features.empty() ? last.support : last.onward, last.target, last.h);
    h_last_ = last.h;
}

// Exact answers have no violators. Others may, where the gap over all columns is as small as asked;
// where it is not, it may be without violators that the working set used too much of it.
bool ColumnPath::is_to_redo(const Item& item) const {
    if (item.setting < 0 || is_near_enough(item)) return false;
    return !item.violators.empty() || item.outcome.ending != reduction::Ending::exact;
}

bool ColumnPath::is_near_enough(const Item& item) const {
    const double tolerance = work_.options->tolerance;
    const bool is_exact = item.outcome.ending == reduction::Ending::exact;
    return (tolerance > reduction::tuning::exact_gap || !is_exact) &&
           item.gap.relative <= tolerance;
}

// Solves an item again, with its violators and whatever else comes to violate, each time closer.
void ColumnPath::redo(Index i) {
    Item& item = block_[i];
    old_residual_.assign(item.residual.begin(), item.residual.end());
    for (const Index j : item.violators) screening_.add(j);
    Index iterations = item.outcome.iterations;
    double gap = work_.options->tolerance;
    bool goes_on = true;
    while (goes_on) {
        gap *= tuning::closer;
        active_.load(item.support);
        solve_item(i, gap);
        iterations += item.outcome.iterations;
        const bool has_violator = verification_.recheck(block_, i, old_residual_, screening_);
        const bool is_exact = item.outcome.ending == reduction::Ending::exact;
        goes_on = !is_near_enough(item) && (has_violator || !is_exact);
    }
    item.outcome.iterations = iterations;
    item.violators.clear();
}

// A guess with violators is solved again as any other, but products of a residual that far off
// would prove little: the setting is verified once more, by products of its own.
void ColumnPath::redo_guess() {
    Item& item = block_[0];
    if (!is_to_redo(item)) return;
    redo(0);
    next_ = std::exchange(item.setting, -1);
    knows_slopes_ = false;
}

// What the item found is the setting's; where its lane cannot certify it, the data are asked.
void ColumnPath::hand_over(Item& item) {
    if (item.setting < 0) return;
    Solved& solved = solved_[item.setting];
    solved.support = item.support;
    solved.h = item.h;
    solved.l2 = item.target.l2();
    solved.weighted_l1 = item.weighted_l1;
    solved.gap = item.gap;
    solved.iterations = item.outcome.iterations;
    solved.status = item.outcome.is_slack ? Status::ridge : Status::optimal;
    if (solved.gap.relative <= work_.options->tolerance && item.point.is_accurate()) return;
    certify_from_data(work_, item.target, Effort::sharp, solved);
    item.setting = -1;  // nothing is left to certify
}

// Without a ridge, two questions are asked of an exact support: how well its coefficients are
// determined, and whether there are other solutions. One exists where a feature outside sits at its
// bound and depends on the support's columns (maths.md, eq. 51).
void ColumnPath::certify(Item& item, Index i, Index zeros) {
    if (item.setting < 0) return;
    Solved& solved = solved_[item.setting];
    const bool is_exact = item.outcome.ending == reduction::Ending::exact && item.violators.empty();
    problem::CertificationInput input = verification_.certification_input(item, i, solved.gap);
    input.below = zeros;
    const bool has_ridge = item.target.l2() > 0;
    if (is_exact && !has_ridge) active_.load(item.support, item.target, item.h);
    const bool inverts =
        is_exact && !has_ridge &&
        (targets_.size() == 1 ||
         static_cast<Index>(item.support.features.size()) <= tuning::largest_inverted_support);
    if (inverts && reduction::inverse_diagonal(active_.machine(), active_.state(),
                                               item.support.features, solved.inverse_diagonal))
        input.inverse_diagonal = solved.inverse_diagonal;
    certify_support(work_, input, solved);
    if (solved.status == Status::optimal && is_exact && !has_ridge) {
        const auto is_exchangeable = [&](Index j) {
            const std::vector<Index> carriers =
                reduction::carriers_of(active_.machine(), active_.state(), j);
            return !carriers.empty() && admits_exchange(work_, item.support, j, carriers);
        };
        const std::vector<Index> tied = verification_.tied_features(item, i, screening_);
        if (std::any_of(tied.begin(), tied.end(), is_exchangeable))
            solved.status = Status::not_unique;
    }
    solved.is_done = true;  // last: what a cancel leaves in the middle is no result
}

}  // namespace sven::path
