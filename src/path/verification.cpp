#include "path/verification.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/kernels.hpp"
#include "linalg/row_sums.hpp"
#include "path/tuning.hpp"

namespace sven::path {
namespace {

constexpr Index stride = linalg::lane_group;

}  // namespace

Verification::Verification(const Workspace& workspace, const linalg::ScaledDesign& X,
                           reduction::ColumnKernel& kernel)
    : work_(workspace), X_(X), kernel_(kernel) {
    const auto p = static_cast<std::size_t>(workspace.cols());
    products_.reserve(workspace.cols() * stride);
    tiles_.resize(p / tuning::narrowest_tile + 1);
    inverse_factors_.resize(p);
    for (Index j = 0; j < workspace.cols(); ++j) inverse_factors_[j] = inverse_factor(j);
    table_ = make_table();
}

// 1 / f; zero where a feature never enters, or is always in.
double Verification::inverse_factor(Index j) const {
    return work_.penalties.excluded[j] || work_.factor(j) == 0 ? 0 : 1 / work_.factor(j);
}

void Verification::fill(Block& block, linalg::Panel& panel, Index first_lane) {
    lanes_ = {};
    lanes_.first = first_lane;
    lanes_.count = block.lanes();
    for (Index i = 0; i < block.size(); ++i) {
        work_.execution.check();
        Item& item = block[i];
        const double length = std::sqrt(item.residual_squares);
        item.lane_sum = X_.fill_lane(item.residual, first_lane + i, work_.execution, panel);
        item.point = residual_point(work_, item.support, length, item.lane_sum);
        item.violators.clear();
        lanes_.sums[i] = item.lane_sum;
        rounding_[i] = reduction::residual_rounding(length, std::sqrt(work_.response.squares));
    }
    if (!block.derivative().empty())
        lanes_.sums[block.size()] =
            X_.fill_lane(block.derivative(), first_lane + block.size(), work_.execution, panel);
    hide_slots();
    std::fill(tiles_.begin(), tiles_.end(), TileSums{});
    is_in_table_ = false;
    if (table_ == nullptr || block.lanes() == 0) return;
    lanes_.apart = hidden_;
    table_->begin(lanes_);
}

void Verification::hide_slots() {
    for (const Index j : hidden_) inverse_factors_[j] = inverse_factor(j);
    hidden_.clear();
    for (Index slot = 0; slot < kernel_.slots(); ++slot) {
        hidden_.push_back(kernel_.feature(slot));
        inverse_factors_[hidden_.back()] = 0;
    }
}

void Verification::absorb(const Block& block, Index begin, Index count, const double* tile,
                          Index tile_stride, Screening& screening) {
    for (Index c = 0; !block.derivative().empty() && c < count; ++c)
        screening.slopes()[begin + c] =
            X_.correct(begin + c, tile[c * tile_stride + block.size()], lanes_.sums[block.size()]);
    check_tile(block, begin, count, tile, tile_stride, screening);
    for (Index j = begin; j < begin + count; ++j)
        screening.products()[j] = product(j, block.size() - 1);
}

template <class Look>
void Verification::for_each_near(const Look& look) const {
    if (is_in_table_) {
        for (const Index j : near_) look(j);
        return;
    }
    for (Index j = 0; j < work_.cols(); ++j)
        if (!work_.penalties.excluded[j] && kernel_.slot_of(j) < 0) look(j);
}

bool Verification::is_near(const Item& item, double steepness) const {
    const double margin = item.point.noise * work_.largest_norm + tuning::bound_rounding * item.h;
    return steepness + margin > item.h;
}

void Verification::close(Block& block, const Screening& screening) {
    bool has_violator = false;
    for (const TileSums& tile : tiles_) has_violator |= tile.has_violator;
    if (has_violator) collect_violators(block, screening);
    for (Index i = 0; i < block.size(); ++i) close_item(block[i], i, screening);
}

// The solver's own question: what it leaves is for the gap to judge.
bool Verification::violates(const Item& item, Index i, Index j, double product) const {
    return work_.penalties.violates(j, product, item.h,
                                    {tuning::violation, rounding_[i] * work_.columns.norms[j]});
}

// Features without a slot have beta = 0 in every item. All eight lanes are gone through; beyond the
// block they say nothing, and nothing exceeds there.
void Verification::check_tile(const Block& block, Index begin, Index count, const double* tile,
                              Index tile_stride, const Screening& screening) {
    TileSums& sums = tiles_[begin / tuning::narrowest_tile];
    sums.begin = begin;
    sums.count = count;
    // Behind the last column of a panel that is shared there need not be eight numbers; and what
    // limits allow is for one column at a time.
    const bool has_eight = lanes_.first + stride <= tile_stride;
    const Index together = work_.penalties.has_limits() ? 0 : (has_eight ? count : count - 1);
    std::array<double, stride> lane_sum{};
    std::array<double, stride> h;
    h.fill(std::numeric_limits<double>::infinity());
    for (Index i = 0; i < block.size(); ++i) {
        lane_sum[i] = block[i].lane_sum;
        h[i] = block[i].h;
    }
    for (Index first = 0; first < together; first += tuning::checked_columns) {
        std::array<Index, tuning::checked_columns> above;
        const Index j = begin + first;
        const linalg::ColumnScales scales = X_.scales();
        const Index found = linalg::kernels().check_lanes(
            {tile + first * tile_stride, tile_stride, scales.offset.data() + j,
             scales.inverse_scale.data() + j, inverse_factors_.data() + j, lane_sum.data(),
             h.data(), products_.data() + j * stride, sums.steepest.data(), above.data()},
            std::min(tuning::checked_columns, together - first));
        for (Index k = 0; k < found; ++k)
            sums.has_violator |= has_violator(block, j + above[k], screening);
    }
    for (Index c = together; c < count; ++c)
        check_column(block, begin + c, tile + c * tile_stride, screening, sums);
}

void Verification::check_column(const Block& block, Index j, const double* lanes,
                                const Screening& screening, TileSums& sums) {
    double* products = products_.data() + j * stride;
    std::fill_n(products, stride, 0.0);
    for (Index i = 0; i < block.size(); ++i)
        products[i] = X_.correct(j, lanes[i], block[i].lane_sum);
    if (work_.penalties.excluded[j] || kernel_.slot_of(j) >= 0) return;
    for (Index i = 0; i < block.size(); ++i)
        sums.steepest[i] = std::max(
            sums.steepest[i], work_.penalties.magnitude(j, products[i]) * inverse_factors_[j]);
    sums.has_violator |= has_violator(block, j, screening);
}

bool Verification::has_violator(const Block& block, Index j, const Screening& screening) const {
    for (Index i = 0; i < block.size(); ++i)
        if (screening.was_unseen(j, i) && violates(block[i], i, j, product(j, i))) return true;
    return false;
}

void Verification::collect_violators(Block& block, const Screening& screening) const {
    for_each_near([&](Index j) {
        for (Index i = 0; i < block.size(); ++i)
            if (screening.was_unseen(j, i) && violates(block[i], i, j, product(j, i)))
                block[i].violators.push_back(j);
    });
}

void Verification::expand_coefficients(const problem::Support& support) {
    beta_.assign(static_cast<std::size_t>(kernel_.slots()), 0.0);
    for (std::size_t k = 0; k < support.features.size(); ++k)
        beta_[kernel_.slot_of(support.features[k])] = support.beta[k];
}

// The gap of item i from the products of its lane. Features without a slot matter only where one
// of them is at its bound or above, rounding included. And a feature that got its slot after the
// item was solved may violate there.
void Verification::close_item(Item& item, Index i, const Screening& screening) {
    allow_for_free_features(
        work_, [&](Index j) { return product(j, i); }, item.point);
    problem::GapSum sum(item.question(), work_.penalties, item.point);
    expand_coefficients(item.support);
    for (Index slot = 0; slot < kernel_.slots(); ++slot) {
        const Index j = kernel_.feature(slot);
        if (!work_.penalties.is_free(j))
            sum.add(j, product(j, i), work_.columns.norms[j], beta_[slot]);
        if (beta_[slot] == 0 && !screening.had_slot(j) && screening.was_unseen(j, i) &&
            violates(item, i, j, product(j, i)))
            item.violators.push_back(j);
    }
    const bool has_unpenalised = work_.penalties.has_limits() && !work_.factors.empty();
    if (is_near(item, steepest(i)) || has_unpenalised)
        for_each_near([&](Index j) { sum.add(j, product(j, i), work_.columns.norms[j], 0); });
    item.weighted_l1 = sum.weighted_l1();
    item.gap = sum.close(item.residual_squares, work_.response.squares);
}

bool Verification::recheck(Block& block, Index i, std::span<const double> old_residual,
                           Screening& screening) {
    bring_all();
    Item& item = block[i];
    const double squares =
        linalg::squared_distance_of_rows(work_.execution, item.residual, old_residual);
    item.drift = std::sqrt(squares) * (1 + problem::sum_rounding);
    item.point = residual_point(work_, item.support, std::sqrt(item.residual_squares),
                                X_.lane_sum(item.residual, work_.execution));
    const double unknown = item.drift + item.point.noise;
    open_.clear();
    for (Index j = 0; j < work_.cols(); ++j) {
        if (work_.penalties.excluded[j]) continue;
        const problem::Allowance allowance{-tuning::bound_rounding,
                                           -unknown * work_.columns.norms[j]};
        if (kernel_.slot_of(j) >= 0 ||
            work_.penalties.violates(j, product(j, i), item.h, allowance))
            open_.push_back(j);
    }
    open_products_.resize(open_.size());
    kernel_.correlations(open_, open_products_.data());
    std::vector<double> free_products;
    for (std::size_t k = 0; k < open_.size(); ++k)
        if (work_.penalties.is_free(open_[k])) free_products.push_back(open_products_[k]);
    auto next = free_products.begin();
    allow_for_free_features(
        work_, [&](Index) { return *next++; }, item.point);
    problem::GapSum sum(item.question(), work_.penalties, item.point);
    bool has_violator = false;
    expand_coefficients(item.support);
    for (std::size_t k = 0; k < open_.size(); ++k) {
        const Index j = open_[k];
        const Index slot = kernel_.slot_of(j);
        products_[j * stride + i] = open_products_[k];
        if (!work_.penalties.is_free(j))
            sum.add(j, open_products_[k], work_.columns.norms[j], slot >= 0 ? beta_[slot] : 0);
        if (slot < 0 && violates(item, i, j, open_products_[k])) has_violator |= screening.add(j);
    }
    item.weighted_l1 = sum.weighted_l1();
    // the features of the support have slots, and so are among the open ones, which ascend
    item.gap = sum.close(item.residual_squares, work_.response.squares);
    return has_violator;
}

problem::CertificationInput Verification::certification_input(const Item& item, Index i,
                                                              const problem::Gap& gap) {
    if (work_.options->proofs) bring_all();
    problem::CertificationInput input;
    input.question = item.question();
    input.point = item.point;
    input.gap = gap.absolute;
    input.norms = work_.columns.norms;
    input.products = products_.data() + i;
    input.stride = stride;
    input.drift = item.drift;
    return input;
}

std::array<Index, linalg::lane_group> Verification::count_zeros(const Block& block,
                                                                std::span<const Solved> solved) {
    std::array<problem::ZeroBound, stride> bounds;
    for (Index i = 0; i < block.size(); ++i) {
        const Item& item = block[i];
        if (item.setting < 0) continue;
        const auto input = certification_input(item, i, solved[item.setting].gap);
        bounds[i] = problem::zero_bound(input, item.support, work_.penalties);
    }
    const problem::ZeroCount count(bounds, products_.data(), work_.columns.norms, work_.penalties);
    std::array<Index, linalg::lane_group> total{};
    const auto add = [&](Index columns) {
        for (Index& sum : total) sum += columns;
    };
    // Most tiles are settled by the steepest of their features; those with a slot are not in it.
    std::vector<const TileSums*> open;
    std::vector<char> is_settled(tiles_.size(), 0);
    double columns = 0;
    for (const TileSums& tile : tiles_) {
        if (tile.count == 0) continue;
        if (!is_settled_by(count, block, tile)) {
            open.push_back(&tile);
            columns += static_cast<double>(tile.count);
            continue;
        }
        add(tile.count);
        const Index first = tile.begin / tuning::narrowest_tile;
        const Index end = (tile.begin + tile.count - 1) / tuning::narrowest_tile + 1;
        std::fill(is_settled.begin() + first, is_settled.begin() + end, char{1});
    }
    if (is_in_table_ && !open.empty()) return table_->count_below(count.slopes(), count.limits());
    for (const Index j : hidden_) {
        if (!is_settled[j / tuning::narrowest_tile]) continue;
        add(-1);
        count.add(j, j + 1, total);
    }
    std::vector<std::array<Index, linalg::lane_group>> counts(open.size());
    linalg::parallel_for(work_.execution,
                         work_.execution.team_for(tuning::counting_operations * columns),
                         static_cast<Index>(open.size()), [&](Index k) {
                             const TileSums& tile = *open[k];
                             count.add(tile.begin, tile.begin + tile.count, counts[k]);
                         });
    for (const auto& part : counts)
        for (std::size_t i = 0; i < part.size(); ++i) total[i] += part[i];
    return total;
}

// An item that was solved again has products of two residuals. Tiles that do not begin and end with
// the marks of settled ones share them with others.
bool Verification::is_settled_by(const problem::ZeroCount& count, const Block& block,
                                 const TileSums& tile) const {
    const Index end = tile.begin + tile.count;
    if (tile.begin % tuning::narrowest_tile != 0 ||
        (end % tuning::narrowest_tile != 0 && end != work_.cols()))
        return false;
    for (Index i = 0; i < block.size(); ++i)
        if (block[i].drift > 0 ||
            (block[i].setting >= 0 && !count.are_all_below(static_cast<std::size_t>(i),
                                                           tile.steepest[i], work_.largest_norm)))
            return false;
    return true;
}

double Verification::steepest(Index i) const {
    double steepest = 0;
    for (const TileSums& tile : tiles_) steepest = std::max(steepest, tile.steepest[i]);
    return steepest;
}

// Mostly none without a slot is, which the steepest of them tells.
std::vector<Index> Verification::tied_features(const Item& item, Index i,
                                               const Screening& screening) {
    // where the item has drifted, the products near a bound are those of its residual
    const double noise = tuning::bound_rounding * std::sqrt(work_.response.squares);
    std::vector<char> is_selected(static_cast<std::size_t>(kernel_.slots()), 0);
    for (std::size_t k = 0; k < item.support.features.size(); ++k)
        if (item.support.beta[k] != 0) is_selected[kernel_.slot_of(item.support.features[k])] = 1;
    const auto is_tied = [&](Index j) {
        const Index slot = kernel_.slot_of(j);
        if (work_.penalties.excluded[j] || (slot >= 0 && is_selected[slot])) return false;
        // without an l1 penalty every product is at its bound: those that were candidates count
        if (item.h == 0 && slot < 0 && !screening.is_candidate(j)) return false;
        return work_.penalties.violates(j, product(j, i), item.h,
                                        {-tuning::at_the_bound, -noise * work_.columns.norms[j]});
    };
    std::vector<Index> tied;
    const double uncertain =
        (item.drift + noise) * work_.largest_norm + 2 * tuning::at_the_bound * item.h;
    if (work_.penalties.has_limits() || !(steepest(i) + uncertain < item.h)) {
        bring_all();
        for (Index j = 0; j < work_.cols() && tied.size() < tuning::most_tied; ++j)
            if (is_tied(j)) tied.push_back(j);
        return tied;
    }
    for (Index slot = 0; slot < kernel_.slots(); ++slot)
        if (is_tied(kernel_.feature(slot))) tied.push_back(kernel_.feature(slot));
    std::sort(tied.begin(), tied.end());
    if (tied.size() > tuning::most_tied) tied.resize(tuning::most_tied);
    return tied;
}

}  // namespace sven::path
