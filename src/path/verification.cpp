// The second half of a block: one product X'R certifies its settings, or names the violators.

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/blas.hpp"
#include "linalg/kernels.hpp"
#include "path/column_path.hpp"
#include "problem/certified_support.hpp"

namespace sven::path {
namespace {

constexpr Index stride = linalg::lane_group;
constexpr Index tile_unit = 32;         // no design's tile is narrower
constexpr Index checked_columns = 128;  // at a time

}  // namespace

void ColumnPath::fill(linalg::Panel& panel, Index first_lane) {
    first_lane_ = first_lane;
    for (Index i = 0; i < block_; ++i) {
        work_.execution.check();
        Item& item = items_[i];
        item.lane_sum = X_.fill_lane(item.residual, first_lane + i, panel);
        item.sums = {};
        item.violators.clear();
        rounding_[i] =
            2e-15 * std::sqrt(item.residual_squares) + 4e-16 * std::sqrt(work_.response.squares);
    }
    if (lanes() > block_) slope_sum_ = X_.fill_lane(scratch_, first_lane + block_, panel);
    hide_slots();
    std::fill(tiles_.begin(), tiles_.end(), TileSums{});
}

// Features with a slot are looked at one by one (add_slots).
void ColumnPath::hide_slots() {
    for (const Index j : hidden_) reach_[j] = reach_of(j);
    hidden_.clear();
    for (Index slot = 0; slot < kernel_.slots(); ++slot) {
        hidden_.push_back(kernel_.feature(slot));
        reach_[hidden_.back()] = 0;
    }
}

void ColumnPath::absorb(Index begin, Index count, const double* tile, Index tile_stride) {
    for (Index c = 0; has_derivative_ && c < count; ++c)
        slope_[begin + c] = X_.correct(begin + c, tile[c * tile_stride + block_], slope_sum_);
    verify_tile(begin, count, tile, tile_stride, tiles_[begin / tile_unit]);
}

void ColumnPath::close_verification() {
    bool has_violator = false;
    for (const TileSums& tile : tiles_) {
        has_violator |= tile.has_violator;
        for (Index i = 0; i < block_; ++i) {
            problem::GapSums& sums = items_[i].sums;
            sums.hinge += tile.hinge[i];
            sums.steepest = std::max(sums.steepest, tile.steepest[i]);
        }
    }
    if (has_violator) collect_violators();
    for (Index i = 0; i < block_; ++i) add_slots(i);
}

bool ColumnPath::is_violated(Index i, Index feature, double product, double drift) const {
    const double magnitude = work_.penalties.nonnegative ? product : std::abs(product);
    const double bound = items_[i].h * work_.factor(feature) * (1 + 1e-11);
    return magnitude > bound + (rounding_[i] - drift) * work_.columns.norms[feature];
}

// Features without a slot have beta = 0 in every item. All eight lanes are gone through; beyond the
// block they say nothing, and nothing exceeds there.
void ColumnPath::verify_tile(Index begin, Index count, const double* tile, Index tile_stride,
                             TileSums& sums) {
    // Behind the last column of a panel that is shared there need not be eight numbers; and what a
    // sign allows is for one column at a time.
    const bool has_eight = first_lane_ + stride <= tile_stride;
    const Index together = work_.penalties.nonnegative ? 0 : (has_eight ? count : count - 1);
    std::array<double, stride> lane_sum{};
    std::array<double, stride> h;
    h.fill(std::numeric_limits<double>::infinity());
    for (Index i = 0; i < block_; ++i) {
        lane_sum[i] = items_[i].lane_sum;
        h[i] = items_[i].h;
    }
    for (Index first = 0; first < together; first += checked_columns) {
        std::array<Index, checked_columns> above;
        const Index j = begin + first;
        const linalg::ColumnScales scales = X_.scales();
        const Index found = linalg::kernels().check_lanes(
            {tile + first * tile_stride, tile_stride, scales.offset.data() + j,
             scales.inverse_scale.data() + j, reach_.data() + j, lane_sum.data(), h.data(),
             products_.data() + j * stride, sums.steepest.data(), above.data()},
            std::min(checked_columns, together - first));
        for (Index k = 0; k < found; ++k) {
            const double* products = products_.data() + (j + above[k]) * stride;
            std::array<double, stride> magnitude;
            for (Index i = 0; i < stride; ++i) magnitude[i] = std::abs(products[i]);
            note_excess(j + above[k], magnitude, sums);
        }
    }
    for (Index c = together; c < count; ++c) verify_column(begin + c, tile + c * tile_stride, sums);
    for (Index j = begin; j < begin + count; ++j) last_[j] = products_[j * stride + block_ - 1];
}

void ColumnPath::verify_column(Index j, const double* lanes, TileSums& sums) {
    double* products = products_.data() + j * stride;
    std::fill_n(products, stride, 0.0);
    for (Index i = 0; i < block_; ++i) products[i] = X_.correct(j, lanes[i], items_[i].lane_sum);
    if (work_.penalties.excluded[j] || kernel_.slot_of(j) >= 0) return;
    const double f = work_.factor(j);
    bool exceeds = f == 0;
    std::array<double, stride> magnitude{};
    for (Index i = 0; i < block_; ++i) {
        magnitude[i] =
            work_.penalties.nonnegative ? std::max(0.0, products[i]) : std::abs(products[i]);
        sums.steepest[i] = std::max(sums.steepest[i], magnitude[i] * reach_[j]);
        exceeds |= magnitude[i] > items_[i].h * f;
    }
    if (exceeds) note_excess(j, magnitude, sums);
}

void ColumnPath::note_excess(Index j, const std::array<double, stride>& magnitude,
                             TileSums& sums) const {
    const double f = work_.factor(j);
    for (Index i = 0; i < block_; ++i) {
        const double excess = magnitude[i] - items_[i].h * f;
        if (excess <= 0) continue;
        const double l2 = items_[i].target.l2;
        if (l2 > 0 && f > 0) sums.hinge[i] += excess * excess / (l2 * f);
        sums.has_violator |= bucket_[j] > i && is_violated(i, j, products_[j * stride + i], 0);
    }
}

void ColumnPath::collect_violators() {
    for (Index j = 0; j < work_.cols(); ++j) {
        if (work_.penalties.excluded[j] || kernel_.slot_of(j) >= 0) continue;
        for (Index i = 0; i < block_; ++i)
            if (bucket_[j] > i && is_violated(i, j, products_[j * stride + i], 0))
                items_[i].violators.push_back(j);
    }
}

// The features with slots, in or out of the support of item i. One that got its slot after item i
// was solved may violate there.
void ColumnPath::add_slots(Index i) {
    Item& item = items_[i];
    const problem::GapInput input = gap_input(item);
    direction_.assign(static_cast<std::size_t>(kernel_.slots()), 0.0);
    for (std::size_t k = 0; k < item.support.features.size(); ++k)
        direction_[kernel_.slot_of(item.support.features[k])] = item.support.beta[k];
    for (Index slot = 0; slot < kernel_.slots(); ++slot) {
        const Index j = kernel_.feature(slot);
        const double product = products_[j * stride + i];
        const double f = work_.factor(j);
        const bool nonnegative = work_.penalties.nonnegative;
        if (work_.penalties.is_free(j)) item.sums.add_free(input, product, work_.columns.norms[j]);
        if (direction_[slot] != 0) {
            item.sums.add(input, product, direction_[slot], f, nonnegative);
            continue;
        }
        item.sums.add_zero(input, product, f, nonnegative, rounding_[i] * work_.columns.norms[j]);
        if (bucket_[j] != in_slot && bucket_[j] > i && is_violated(i, j, product, 0))
            item.violators.push_back(j);
    }
}

// Solves item i again with its violators. Whatever else could violate now is found without
// another pass: |x_j'r_new| <= |x_j'r_old| + ||x_j|| ||r_new - r_old|| (maths.md, eq. 30).
void ColumnPath::redo(Index i) {
    Item& item = items_[i];
    scratch_.assign(item.residual.begin(), item.residual.end());
    for (const Index j : item.violators) {
        if (is_extra_[j]) continue;
        is_extra_[j] = 1;
        extra_.push_back(j);
    }
    Index iterations = item.outcome.iterations;
    for (;;) {
        active_.load(item.support);
        solve_item(i);
        iterations += item.outcome.iterations;
        if (!recheck(i, scratch_)) break;
    }
    item.outcome.iterations = iterations;
    item.violators.clear();
}

// Computes the products that the ball leaves open; true when some of them violate. Otherwise the
// item's sums are complete: a feature proven below its bound adds nothing.
bool ColumnPath::recheck(Index i, std::span<const double> old_residual) {
    Item& item = items_[i];
    double squares = 0;
    for (Index k = 0; k < work_.rows(); ++k) {
        const double d = item.residual[k] - old_residual[k];
        squares += d * d;
    }
    item.drift = std::sqrt(squares) * (1 + 1e-12);
    recheck_list_.clear();
    for (Index j = 0; j < work_.cols(); ++j) {
        if (work_.penalties.excluded[j]) continue;
        const bool is_open =
            kernel_.slot_of(j) >= 0 || is_violated(i, j, products_[j * stride + i], item.drift);
        if (is_open) recheck_list_.push_back(j);
    }
    rechecked_.resize(recheck_list_.size());
    kernel_.correlations(recheck_list_, rechecked_.data());
    item.sums = {};
    item.sums.steepest = item.h * (1 + 1e-11);
    const problem::GapInput input = gap_input(item);
    bool has_violator = false;
    direction_.assign(static_cast<std::size_t>(kernel_.slots()), 0.0);
    for (std::size_t k = 0; k < item.support.features.size(); ++k)
        direction_[kernel_.slot_of(item.support.features[k])] = item.support.beta[k];
    for (std::size_t k = 0; k < recheck_list_.size(); ++k) {
        const Index j = recheck_list_[k];
        const Index slot = kernel_.slot_of(j);
        const double beta = slot >= 0 ? direction_[slot] : 0;
        const bool nonnegative = work_.penalties.nonnegative;
        if (work_.penalties.is_free(j))
            item.sums.add_free(input, rechecked_[k], work_.columns.norms[j]);
        if (beta != 0)
            item.sums.add(input, rechecked_[k], beta, work_.factor(j), nonnegative);
        else
            item.sums.add_zero(input, rechecked_[k], work_.factor(j), nonnegative,
                               rounding_[i] * work_.columns.norms[j]);
        if (slot >= 0 || is_extra_[j] || !is_violated(i, j, rechecked_[k], 0)) continue;
        is_extra_[j] = 1;
        extra_.push_back(j);
        has_violator = true;
    }
    return has_violator;
}

problem::GapInput ColumnPath::gap_input(const Item& item) const {
    problem::GapInput input;
    input.is_budget = item.target.is_budget && !item.outcome.is_slack;
    input.h = item.h;
    input.t = item.target.t;
    input.l2 = item.target.l2;
    input.response_squares = work_.response.squares;
    input.residual_squares = item.residual_squares;
    return input;
}

problem::CertificationInput ColumnPath::certification_input(Index i) const {
    const Item& item = items_[i];
    problem::CertificationInput input;
    input.gap_input = gap_input(item);
    input.gap = solved_[item.setting].gap.absolute;
    input.norms = work_.columns.norms;
    input.products = products_.data() + i;
    input.stride = stride;
    input.drift = item.drift;
    return input;
}

// The features proven zero are counted for the whole block at once: the products of a feature lie
// side by side.
void ColumnPath::certify_block() {
    std::array<problem::ZeroBound, stride> bounds;
    for (Index i = 0; i < block_; ++i)
        if (items_[i].setting >= 0)
            bounds[i] =
                problem::zero_bound(certification_input(i), items_[i].support, work_.penalties);
    const std::array<Index, stride> below = problem::count_below(
        bounds, products_.data(), work_.columns.norms, work_.penalties, work_.execution);
    for (Index i = 0; i < block_; ++i)
        if (items_[i].setting >= 0) certify_item(i, below[i]);
}

void ColumnPath::finish_item(Index i) {
    Item& item = items_[i];
    if (item.setting < 0) return;
    Solved& solved = solved_[item.setting];
    const problem::GapInput input = gap_input(item);
    solved.support = item.support;
    solved.h = item.h;
    solved.l2 = item.target.l2;
    solved.use = item.sums.use;
    solved.gap = problem::close(input, item.sums);
    solved.iterations = item.outcome.iterations;
    solved.status = item.outcome.is_slack ? Status::ridge : Status::optimal;
    if (is_least_squares(work_, input, item.sums, solved.gap)) {
        const problem::Gap gap = least_squares_gap(item);
        if (gap.absolute < solved.gap.absolute) solved.gap = gap;
    }
    if (solved.gap.relative > work_.options->tolerance) solved.status = Status::iteration_limit;
}

void ColumnPath::certify_item(Index i, Index below) {
    Item& item = items_[i];
    Solved& solved = solved_[item.setting];
    problem::CertificationInput certification = certification_input(i);
    certification.below = below;
    const problem::GapInput& input = certification.gap_input;
    const bool inverts = input.l2 == 0 && (targets_.size() == 1 ||
                                           static_cast<Index>(item.support.features.size()) <=
                                               largest_inverted_support);
    if (inverts) active_.load(item.support, item.target, item.h);
    if (inverts && active_.inverse_diagonal(item.support.features, solved.inverse_diagonal))
        certification.inverse_diagonal = solved.inverse_diagonal;
    solved.certificate = problem::certify_support(certification, item.support, work_.penalties);
    if (solved.status == Status::optimal && input.l2 == 0 && has_other_solutions(i))
        solved.status = Status::not_unique;
    solved.is_done = true;  // last: what a cancel leaves in the middle is no result
}

// Without any penalty the gap is ||projection of r on the columns||^2: g'K^-1 g on a support that
// spans them (maths.md, eq. 41). A penalty can add no more than it is.
problem::Gap ColumnPath::least_squares_gap(const Item& item) {
    problem::Gap gap;
    active_.load(item.support, item.target, item.h);
    kernel_.set_coefficients(active_.coefficients());
    const double penalty = problem::penalty_terms(gap_input(item), item.sums);
    gap.absolute = std::max(0.0, active_.gradient_energy()) + penalty;
    const Index lane = &item - items_.data();
    for (Index j = 0; j < work_.cols(); ++j)
        if (leaves_product(work_, item.support, j, products_[j * stride + lane], item.drift))
            gap.absolute = item.residual_squares + penalty;
    gap.objective = item.residual_squares + penalty;
    if (work_.response.squares > 0) gap.relative = gap.absolute / work_.response.squares;
    return gap;
}

// Another solution exists where a feature outside the support sits at its bound and depends on
// the support's columns (maths.md, eq. 47).
bool ColumnPath::has_other_solutions(Index i) {
    const Item& item = items_[i];
    active_.load(item.support, item.target, item.h);
    const double noise = item.drift + 1e-14 * std::sqrt(work_.response.squares);
    recheck_list_.clear();
    for (Index j = 0; j < work_.cols() && recheck_list_.size() < 16; ++j) {
        const Index slot = kernel_.slot_of(j);
        const bool is_selected = slot >= 0 && active_.coefficients()[slot] != 0;
        if (work_.penalties.excluded[j] || is_selected) continue;
        const double product = products_[j * stride + i];
        const double magnitude = work_.penalties.nonnegative ? product : std::abs(product);
        const double level = item.h * work_.factor(j) * (1 - 1e-8) - noise * work_.columns.norms[j];
        if (magnitude < level || (item.h == 0 && kernel_.slot_of(j) < 0 && bucket_[j] == outside))
            continue;
        recheck_list_.push_back(j);
    }
    for (const Index j : recheck_list_)
        if (active_.depends_on_support(j)) return true;
    return false;
}

}  // namespace sven::path
