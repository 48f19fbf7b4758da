// The second half of a block: one product X'R certifies its settings, or names the violators.

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/blas.hpp"
#include "linalg/kernels.hpp"
#include "path/column_path.hpp"
#include "path/column_span.hpp"
#include "path/data_certificate.hpp"
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
        item.point =
            residual_point(work_, item.support, std::sqrt(item.residual_squares), item.lane_sum);
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
    for (const TileSums& tile : tiles_) has_violator |= tile.has_violator;
    if (has_violator) collect_violators();
    for (Index i = 0; i < block_; ++i) {
        certify_lane(i);
        find_slot_violators(i);
    }
}

// The solver's own question: what it leaves is for the gap to judge.
bool ColumnPath::is_violated(Index i, Index feature, double product, double drift) const {
    const double slack = 1e-11 * items_[i].h * work_.factor(feature) +
                         (rounding_[i] - drift) * work_.columns.norms[feature];
    return work_.penalties.violates(feature, product, items_[i].h, slack);
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
        for (Index k = 0; k < found; ++k) sums.has_violator |= has_violator(j + above[k]);
    }
    for (Index c = together; c < count; ++c) verify_column(begin + c, tile + c * tile_stride, sums);
    for (Index j = begin; j < begin + count; ++j) last_[j] = products_[j * stride + block_ - 1];
}

void ColumnPath::verify_column(Index j, const double* lanes, TileSums& sums) {
    double* products = products_.data() + j * stride;
    std::fill_n(products, stride, 0.0);
    for (Index i = 0; i < block_; ++i) products[i] = X_.correct(j, lanes[i], items_[i].lane_sum);
    if (work_.penalties.excluded[j] || kernel_.slot_of(j) >= 0) return;
    for (Index i = 0; i < block_; ++i)
        sums.steepest[i] =
            std::max(sums.steepest[i], work_.penalties.magnitude(products[i]) * reach_[j]);
    sums.has_violator |= has_violator(j);
}

bool ColumnPath::has_violator(Index j) const {
    for (Index i = 0; i < block_; ++i)
        if (bucket_[j] > i && is_violated(i, j, products_[j * stride + i], 0)) return true;
    return false;
}

void ColumnPath::collect_violators() {
    for (Index j = 0; j < work_.cols(); ++j) {
        if (work_.penalties.excluded[j] || kernel_.slot_of(j) >= 0) continue;
        for (Index i = 0; i < block_; ++i)
            if (bucket_[j] > i && is_violated(i, j, products_[j * stride + i], 0))
                items_[i].violators.push_back(j);
    }
}

// Coefficients of an item by slot, into direction_.
void ColumnPath::expand_coefficients(const Item& item) {
    direction_.assign(static_cast<std::size_t>(kernel_.slots()), 0.0);
    for (std::size_t k = 0; k < item.support.features.size(); ++k)
        direction_[kernel_.slot_of(item.support.features[k])] = item.support.beta[k];
}

// The gap of item i from the products of its lane. Features without a slot matter only where one
// of them is at its bound or above, rounding included.
void ColumnPath::certify_lane(Index i) {
    Item& item = items_[i];
    const auto product = [&](Index j) { return products_[j * stride + i]; };
    allow_for_free_features(work_, product, item.point);
    problem::GapSum sum(question(item), work_.penalties, item.point);
    expand_coefficients(item);
    for (Index slot = 0; slot < kernel_.slots(); ++slot) {
        const Index j = kernel_.feature(slot);
        if (!work_.penalties.is_free(j))
            sum.add(j, product(j), work_.columns.norms[j], direction_[slot]);
    }
    double steepest = 0;
    for (const TileSums& tile : tiles_) steepest = std::max(steepest, tile.steepest[i]);
    const double margin = item.point.noise * work_.largest_norm + 1e-14 * item.h;
    const bool has_unpenalised = work_.penalties.nonnegative && !work_.factors.empty();
    if (steepest + margin > item.h || has_unpenalised)
        for (Index j = 0; j < work_.cols(); ++j)
            if (!work_.penalties.excluded[j] && kernel_.slot_of(j) < 0)
                sum.add(j, product(j), work_.columns.norms[j], 0);
    item.use = sum.use();
    item.gap = sum.close(item.residual_squares, work_.response.squares);
}

// A feature that got its slot after item i was solved may violate there.
void ColumnPath::find_slot_violators(Index i) {
    Item& item = items_[i];
    for (Index slot = 0; slot < kernel_.slots(); ++slot) {
        const Index j = kernel_.feature(slot);
        if (direction_[slot] == 0 && bucket_[j] != in_slot && bucket_[j] > i &&
            is_violated(i, j, products_[j * stride + i], 0))
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
// item's gap is known: a feature proven below its bound adds nothing.
bool ColumnPath::recheck(Index i, std::span<const double> old_residual) {
    Item& item = items_[i];
    double squares = 0;
    for (Index k = 0; k < work_.rows(); ++k) {
        const double d = item.residual[k] - old_residual[k];
        squares += d * d;
    }
    item.drift = std::sqrt(squares) * (1 + 1e-12);
    item.point = residual_point(work_, item.support, std::sqrt(item.residual_squares),
                                X_.lane_sum(item.residual));
    const double open = item.drift + item.point.noise;
    recheck_list_.clear();
    for (Index j = 0; j < work_.cols(); ++j) {
        if (work_.penalties.excluded[j]) continue;
        const double slack = -open * work_.columns.norms[j] - 1e-14 * item.h * work_.factor(j);
        const bool is_open = kernel_.slot_of(j) >= 0 ||
                             work_.penalties.violates(j, products_[j * stride + i], item.h, slack);
        if (is_open) recheck_list_.push_back(j);
    }
    rechecked_.resize(recheck_list_.size());
    kernel_.correlations(recheck_list_, rechecked_.data());
    std::vector<double> free_products;
    for (std::size_t k = 0; k < recheck_list_.size(); ++k)
        if (work_.penalties.is_free(recheck_list_[k])) free_products.push_back(rechecked_[k]);
    auto next = free_products.begin();
    allow_for_free_features(
        work_, [&](Index) { return *next++; }, item.point);
    problem::GapSum sum(question(item), work_.penalties, item.point);
    bool has_violator = false;
    expand_coefficients(item);
    for (std::size_t k = 0; k < recheck_list_.size(); ++k) {
        const Index j = recheck_list_[k];
        const Index slot = kernel_.slot_of(j);
        if (!work_.penalties.is_free(j))
            sum.add(j, rechecked_[k], work_.columns.norms[j], slot >= 0 ? direction_[slot] : 0);
        if (slot >= 0 || is_extra_[j] || !is_violated(i, j, rechecked_[k], 0)) continue;
        is_extra_[j] = 1;
        extra_.push_back(j);
        has_violator = true;
    }
    item.use = sum.use();
    item.gap = sum.close(item.residual_squares, work_.response.squares);
    return has_violator;
}

problem::Question ColumnPath::question(const Item& item) const {
    return problem::Question::of(item.target, item.h, item.outcome.is_slack);
}

problem::CertificationInput ColumnPath::certification_input(Index i) const {
    const Item& item = items_[i];
    problem::CertificationInput input;
    input.question = question(item);
    input.point = item.point;
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
    solved.support = item.support;
    solved.h = item.h;
    solved.l2 = item.target.l2();
    solved.use = item.use;
    solved.gap = item.gap;
    solved.iterations = item.outcome.iterations;
    solved.status = item.outcome.is_slack ? Status::ridge : Status::optimal;
    if (solved.gap.relative <= work_.options->tolerance && item.point.is_accurate()) return;
    certify_from_data(work_, item.target, Effort::sharp, solved);
    item.setting = -1;  // which leaves nothing to certify
}

void ColumnPath::certify_item(Index i, Index below) {
    Item& item = items_[i];
    Solved& solved = solved_[item.setting];
    problem::CertificationInput certification = certification_input(i);
    certification.below = below;
    const problem::Question& question = certification.question;
    const bool inverts = question.l2 == 0 && (targets_.size() == 1 ||
                                              static_cast<Index>(item.support.features.size()) <=
                                                  largest_inverted_support);
    if (inverts) active_.load(item.support, item.target, item.h);
    if (inverts && reduction::inverse_diagonal(active_.machine(), active_.state(),
                                               item.support.features, solved.inverse_diagonal))
        certification.inverse_diagonal = solved.inverse_diagonal;
    solved.certificate = problem::certify_support(certification, item.support, work_.penalties);
    if (solved.status == Status::optimal && question.l2 == 0 && has_other_solutions(i))
        solved.status = Status::not_unique;
    solved.is_done = true;  // last: what a cancel leaves in the middle is no result
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
        const double slack = -1e-8 * item.h * work_.factor(j) - noise * work_.columns.norms[j];
        if (!work_.penalties.violates(j, products_[j * stride + i], item.h, slack) ||
            (item.h == 0 && kernel_.slot_of(j) < 0 && bucket_[j] == outside))
            continue;
        recheck_list_.push_back(j);
    }
    for (const Index j : recheck_list_)
        if (reduction::depends_on_support(active_.machine(), active_.state(), j) &&
            admits_exchange(work_, item.support, j))
            return true;
    return false;
}

}  // namespace sven::path
