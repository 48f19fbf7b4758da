#pragma once
// A block of settings that are solved one after the other and verified by one product with X.

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "linalg/panel.hpp"
#include "path/tuning.hpp"
#include "path/workspace.hpp"
#include "reduction/active_set.hpp"

namespace sven::path {

// One setting of a block, or a step on the way to one: a lane of the verification product.
struct Item {
    // the plan
    problem::Target target;
    Index setting = -1;  // -1: a step on the way, or one that is done with
    double h = 0;        // predicted, then found
    // the solution on the working set
    reduction::Outcome outcome;
    problem::Support support;
    problem::Support onward;  // what the next block begins with; empty: the same
    std::vector<double> residual;
    double residual_squares = 0;
    // the verification
    double lane_sum = 0;
    double drift = 0;  // products of this lane are off by at most drift ||x_j||
    problem::DualPoint point;
    problem::Gap gap;
    double weighted_l1 = 0;
    std::vector<Index> violators;

    problem::Question question() const {
        return problem::Question::of(target, h, outcome.is_slack);
    }
};

class Block {
  public:
    static constexpr Index most = linalg::lane_group - 1;  // and the derivative

    Index size() const { return size_; }
    Item& operator[](Index i) { return items_[i]; }
    const Item& operator[](Index i) const { return items_[i]; }
    Item& last() { return items_[size_ - 1]; }
    const Item& last() const { return items_[size_ - 1]; }
    void clear() {
        size_ = 0;
        derivative_size_ = 0;
    }
    Item& add(const problem::Target& target, Index setting, double h) {
        Item& item = items_[size_++];
        item.target = target;
        item.setting = setting;
        item.h = h;
        return item;
    }
    // Right-hand sides of the product: none where none is needed.
    Index lanes() const { return size_ == 0 ? 0 : size_ + (derivative().empty() ? 0 : 1); }

    // The last lane: how the residual moves with h beyond the last item; empty: there is none.
    std::span<const double> derivative() const { return {derivative_.data(), derivative_size_}; }
    std::span<double> add_derivative(Index rows) {
        derivative_size_ = static_cast<std::size_t>(rows);
        derivative_.resize(derivative_size_);
        return derivative_;
    }

  private:
    std::vector<double> derivative_;
    std::size_t derivative_size_ = 0;
    std::array<Item, most> items_;
    Index size_ = 0;
};

// How many settings a block should have, and how wide its screening: where Newton steps cost little
// beside a pass over X, many and narrow; else few and wide, since a violator costs a step.
struct BlockSize {
    Index limit = tuning::first_block;
    double margin = tuning::least_margin;

    static double pass_seconds(double entries) { return entries * 8 / tuning::bytes_a_second; }
    // `entries` of X, `operations` of the Newton steps of one setting.
    static BlockSize from(double entries, double operations) {
        const double pass = pass_seconds(entries);
        const double newton = operations / tuning::operations_a_second;
        const double wanted = std::min<double>(
            Block::most,
            tuning::passes_a_block * pass / std::max(newton, tuning::least_seconds) + 0.5);
        const double margin = tuning::least_margin * std::max(1.0, newton / pass);
        return {std::max<Index>(1, static_cast<Index>(wanted)),
                std::min(tuning::largest_margin, margin)};
    }
};

}  // namespace sven::path
