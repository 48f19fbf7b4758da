#include "path/column_path.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "linalg/blas.hpp"
#include "path/preparation.hpp"
#include "path/ridge.hpp"

namespace sven::path {
namespace {

// A setting whose multiplier is below this share of the last one's is reached over steps on the
// way: from far, most of what enters leaves again.
constexpr double largest_stride = 0.5;
// Below this share of h_max the support hardly grows any more: h = 0 can be tried.
constexpr double nearly_zero = 1e-4;

// A pass over X and a Newton step in the same unit, by rates of one core and its memory; only the
// ratio matters, and it must not depend on measured time.
constexpr double bytes_a_second = 3e10;
constexpr double operations_a_second = 2e10;

}  // namespace

ColumnCache::ColumnCache(const Workspace& workspace)
    : X(problem::scale_design(*workspace.design, *workspace.problem, workspace.response,
                              workspace.columns, workspace.moments)),
      kernel(X, workspace.response.values, workspace.columns.products, workspace.columns.norms,
             workspace.execution),
      active(kernel, workspace.penalties, workspace.execution, workspace.options->tolerance) {}

ColumnPath::ColumnPath(Workspace& workspace, std::span<const problem::Target> targets,
                       ColumnCache& cache, const Standing& standing)
    : work_(workspace),
      targets_(targets),
      X_(cache.X),
      kernel_(cache.kernel),
      active_(cache.active),
      solved_(targets.size()),
      h_last_(workspace.h_max),
      items_(max_block) {
    const auto p = static_cast<std::size_t>(workspace.cols());
    products_.reserve(workspace.cols() * linalg::lane_group);
    last_ = workspace.columns.products;
    slope_.resize(p);
    bucket_.resize(p);
    is_extra_.resize(p);
    buckets_.resize(max_block);
    tiles_.resize(p / 32 + 1);
    reach_.resize(p);
    for (std::size_t j = 0; j < p; ++j) reach_[j] = reach_of(static_cast<Index>(j));
    const bool is_there = !standing.products.empty() && begins_at(standing, targets_, work_);
    if (!is_there) project_free_features();
    if (is_there || begins_at(standing, targets_, work_)) take_up(standing);
}

void ColumnPath::take_up(const Standing& standing) {
    h_last_ = standing.multiplier(work_);
    active_.load(support_of(standing, work_), problem::Target::penalty(h_last_, standing.l2),
                 h_last_);
    // Unknown products name no candidates, and known ones not how they change: the first
    // verification is to tell, and one setting is enough for it.
    last_ = standing.products;
    last_.resize(static_cast<std::size_t>(work_.cols()), 0.0);
    block_limit_ = 1;
    is_guess_ = true;
}

// A guess with violators is solved again as any other, but products of a residual that far off
// would prove little: the setting is verified once more, by products of its own.
void ColumnPath::try_again() {
    Item& item = items_[0];
    if (item.violators.empty() || item.setting < 0) return;
    redo(0);
    next_ = item.setting;
    item.setting = -1;
    has_derivative_ = false;
}

void ColumnPath::leave(Standing& standing) {
    problem::Support support;
    active_.save(support);
    note_end(support, h_last_, targets_.back().l2(), work_, standing);
    standing.products = std::move(last_);
}

// The products with the response once the free features have taken their part of it.
void ColumnPath::project_free_features() {
    if (work_.free.features().empty()) return;
    const auto target = problem::Target::penalty(work_.h_max, 0);
    active_.set_candidates({});
    active_.run(target, work_.limits());
    linalg::Panel panel;
    panel.resize(work_.rows(), 1, work_.execution);
    const double sum = X_.fill_lane(kernel_.residual(), 0, panel);
    work_.design->correlate(panel, work_.execution, [&](Index begin, Index count, double* tile) {
        for (Index c = 0; c < count; ++c)
            last_[begin + c] = X_.correct(begin + c, tile[c * panel.stride()], sum);
    });
    work_.h_max = largest_multiplier(work_, last_);
    h_last_ = work_.h_max;
}

void ColumnPath::advance() {
    work_.execution.check();
    plan_block();
    if (block_ == 0) return;  // a setting was finished without one
    screen();
    const double before = active_.machine().work;
    for (Index i = 0; i < block_; ++i) solve_item(i);
    adapt_block(active_.machine().work - before);
    add_derivative();
}

void ColumnPath::finish_block() {
    if (block_ == 0) return;
    close_verification();
    if (std::exchange(is_guess_, false)) try_again();
    for (Index i = 0; i < block_; ++i)
        if (!items_[i].violators.empty() && items_[i].setting >= 0) redo(i);
    for (Index i = 0; i < block_; ++i) finish_item(i);
    certify_block();
    const Item& last = items_[block_ - 1];
    active_.load(last.support, last.target, last.h);
    h_last_ = last.h;
}

void ColumnPath::plan_block() {
    block_ = 0;
    if (kernel_.slots() > active_.support_size() + active_.support_size() / 4 + 32)
        reduction::compact(active_.machine(), active_.state());
    for (; next_ < static_cast<Index>(targets_.size()) && block_ < block_limit_; ++next_) {
        problem::Target target = targets_[next_];
        if (target.is_budget() && target.t() == 0)
            target = problem::Target::penalty(work_.h_max, target.l2());
        if (finish_without_block(target)) {
            if (block_ == 0) ++next_;
            return;
        }
        const double h = predicted_multiplier(target);
        const bool is_far = h < largest_stride * h_last_ && h_last_ > nearly_zero * work_.h_max;
        if (is_far && block_ > 0) return;
        Item& item = items_[block_++];
        item.target = target;
        item.setting = next_;
        item.h = h;
        if (is_far) {
            item.setting = -1;
            item.h = largest_stride * h_last_;
            item.target =
                problem::Target::penalty(item.h, ridge_on_the_way(target.l2(), item.h, h));
            return;
        }
    }
}

// Settings that need no support: an empty budget, no signal, or no l1 penalty at all.
bool ColumnPath::finish_without_block(const problem::Target& target) {
    // In the space of the rows; where they outnumber the columns the support may take them all.
    const bool is_ridge =
        !work_.penalties.nonnegative && target.l2() > 0 && work_.h_max > 0 &&
        work_.cols() > work_.rows() &&
        ((target.is_budget() && is_slack(target)) || (!target.is_budget() && target.h() == 0));
    if (!is_ridge) return false;
    if (block_ > 0) return true;  // in a block of its own
    Solved& solved = solved_[next_];
    solved = ridge(target.l2());
    if (target.is_budget() && solved.status == Status::optimal) solved.status = Status::ridge;
    return true;
}

// A budget is compared with the ridge solution's once the multiplier has become small.
bool ColumnPath::is_slack(const problem::Target& target) {
    if (h_last_ > 1e-2 * work_.h_max) return false;
    return ridge(target.l2()).use <= target.t();
}

const Solved& ColumnPath::ridge(double l2) {
    if (!ridge_.is_done || ridge_.l2 != l2) ridge_ = solve_ridge(work_, X_, l2);
    return ridge_;
}

// As features enter, a budget is used up faster than the support of today says: the prediction errs
// on the low side.
double ColumnPath::predicted_multiplier(const problem::Target& target) {
    return reduction::predict_multiplier(active_.machine(), active_.state(), target);
}

void ColumnPath::adapt_block(double operations) {
    const double pass = work_.design->entries() * 8 / bytes_a_second;
    const double newton = operations / static_cast<double>(block_) / operations_a_second;
    const double wanted = std::min<double>(max_block, 6 * pass / std::max(newton, 1e-30) + 0.5);
    block_limit_ = std::max<Index>(1, static_cast<Index>(wanted));
    margin_ = std::min(0.5, 0.1 * std::max(1.0, newton / pass));
}

// A feature is a candidate for item i if |x_j'r + (h_i - h) (x_j'r)'| + margin (h - h_i) f_j is at
// least h_i f_j (maths.md, eq. 29); its bucket is the first such item.
void ColumnPath::screen() {
    for (auto& bucket : buckets_) bucket.clear();
    const double margin = has_derivative_ ? margin_ : 0.3;
    const auto keeps = [&](Index j, const Item& item) {
        const double step = item.h - h_last_;
        const double f = work_.factor(j);
        const double slack = -margin * std::abs(step) * f - 1e-9 * item.h * f;
        return work_.penalties.violates(j, last_[j] + step * slope_[j], item.h, slack);
    };
    for (Index j = 0; j < work_.cols(); ++j) {
        bucket_[j] = outside;
        if (kernel_.slot_of(j) >= 0) {
            bucket_[j] = in_slot;
            continue;
        }
        if (work_.penalties.excluded[j]) continue;
        // What keeps() compares is convex in h and holds at h_last_: it holds nowhere on the way
        // unless at the end.
        if (!keeps(j, items_[block_ - 1])) continue;
        for (Index i = 0; i < block_; ++i) {
            if (!keeps(j, items_[i])) continue;
            bucket_[j] = static_cast<unsigned char>(i);
            buckets_[i].push_back(j);
            break;
        }
    }
    working_set_.clear();
    prefix_.assign(static_cast<std::size_t>(block_), 0);
    for (Index i = 0; i < block_; ++i) {
        working_set_.insert(working_set_.end(), buckets_[i].begin(), buckets_[i].end());
        prefix_[i] = static_cast<Index>(working_set_.size());
    }
    extra_.clear();
    std::fill(is_extra_.begin(), is_extra_.end(), char{0});
}

void ColumnPath::solve_item(Index i) {
    Item& item = items_[i];
    candidates_.assign(working_set_.begin(), working_set_.begin() + prefix_[i]);
    candidates_.insert(candidates_.end(), extra_.begin(), extra_.end());
    active_.set_candidates(candidates_);
    item.outcome = active_.run(item.target, work_.limits());
    item.drift = 0;
    store(item);
}

void ColumnPath::store(Item& item) {
    active_.save(item.support);
    item.h = active_.h();
    item.residual.assign(kernel_.residual().begin(), kernel_.residual().end());
    item.residual_squares = linalg::dot(work_.rows(), item.residual.data(), item.residual.data());
}

// The last lane: how X'r moves with h beyond the last item, along the line to the next setting.
void ColumnPath::add_derivative() {
    has_derivative_ = false;
    if (next_ >= static_cast<Index>(targets_.size())) return;
    const Item& last = items_[block_ - 1];
    const double l2_step = targets_[next_].l2() - last.target.l2();
    const double h_step = predicted_multiplier(targets_[next_]) - last.h;
    if (h_step == 0) return;
    reduction::derivative(active_.machine(), active_.state(), 1, l2_step / h_step, direction_);
    scratch_.resize(static_cast<std::size_t>(work_.rows()));
    kernel_.multiply(direction_, scratch_.data());
    for (double& value : scratch_) value = -value;
    has_derivative_ = true;
}

}  // namespace sven::path
