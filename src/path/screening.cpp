#include "path/screening.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <iterator>

#include "linalg/tuning.hpp"

namespace sven::path {
namespace {

// |x_j'r + (h_i - h) (x_j'r)'| + margin |h - h_i| f_j >= h_i f_j, but for ties.
struct Rule {
    double step = 0;   // 0 where the derivative is unknown
    double bound = 0;  // times f_j

    Rule(const Item& item, const Screening::Start& start)
        : step(start.knows_slopes ? item.h - start.h : 0),
          bound(item.h - start.margin * std::abs(item.h - start.h) - tuning::tie * item.h) {}
};

}  // namespace

Screening::Screening(const Workspace& workspace)
    : work_(workspace),
      products_(workspace.columns.products),
      slopes_(products_.size()),
      first_item_(products_.size(), outside),
      is_added_(products_.size()),
      may_keep_((products_.size() + tuning::screened_columns - 1) / tuning::screened_columns) {}

void Screening::leave_table(bool knows_slopes) {
    if (table_ == nullptr) return;
    table_->fetch_lane(lane_, products_.data());
    if (knows_slopes) table_->fetch_lane(lane_ + 1, slopes_.data());
    table_ = nullptr;
}

void Screening::select(const Block& block, const Start& start, const reduction::Kernel& kernel) {
    for (const Index j : added_) is_added_[j] = 0;
    added_.clear();
    for (auto& list : by_item_) list.clear();
    table_ == nullptr ? look(block, start) : look_in_table(block, start);
    for (Index slot = 0; slot < kernel.slots(); ++slot) first_item_[kernel.feature(slot)] = in_slot;
    chosen_.clear();
    for (Index i = 0; i < block.size(); ++i) {
        std::copy_if(by_item_[i].begin(), by_item_[i].end(), std::back_inserter(chosen_),
                     [&](Index j) { return first_item_[j] != in_slot; });
        prefix_[i] = static_cast<Index>(chosen_.size());
    }
}

// The left side of the rule is convex in h and below the right one at the start: it is above
// nowhere on the way unless at the end.
void Screening::look(const Block& block, const Start& start) {
    const problem::Penalties& penalties = work_.penalties;
    const auto keeps = [&](Index j, const Rule& rule) {
        return penalties.violates(j, products_[j] + rule.step * slopes_[j], rule.bound, {});
    };
    const Rule last(block.last(), start);
    const auto choose = [&](Index j) {
        if (!keeps(j, last) || penalties.excluded[j]) return;
        for (Index i = 0; i < block.size(); ++i) {
            if (!keeps(j, Rule(block[i], start))) continue;
            first_item_[j] = static_cast<unsigned char>(i);
            by_item_[i].push_back(j);
            return;
        }
    };
    std::fill(first_item_.begin(), first_item_.end(), outside);
    const auto end_of = [&](Index group) {
        return std::min(work_.cols(), (group + 1) * tuning::screened_columns);
    };
    const auto groups = static_cast<Index>(may_keep_.size());
    const double operations = tuning::screening_operations * static_cast<double>(work_.cols());
    linalg::parallel_pieces(work_.execution, operations, groups, 1, [&](Index from, Index to) {
        for (Index g = from; g < to; ++g)
            may_keep_[g] = may_keep(g * tuning::screened_columns, end_of(g), last.step, last.bound);
    });
    for (Index g = 0; g < groups; ++g)
        for (Index j = g * tuning::screened_columns; may_keep_[g] && j < end_of(g); ++j) choose(j);
}

void Screening::look_in_table(const Block& block, const Start& start) {
    std::array<linalg::LaneRule, Block::most> rules;
    for (Index i = 0; i < block.size(); ++i) {
        const Rule rule(block[i], start);
        rules[i] = {rule.step, rule.bound};
    }
    table_->first_kept(lane_, {rules.data(), static_cast<std::size_t>(block.size())}, outside,
                       first_item_.data());
    // most are outside
    constexpr Index at_once = linalg::checked_columns;
    std::array<unsigned char, at_once> none;
    none.fill(outside);
    for (Index begin = 0; begin < work_.cols(); begin += at_once) {
        const Index end = std::min(work_.cols(), begin + at_once);
        if (end - begin == at_once &&
            std::memcmp(first_item_.data() + begin, none.data(), at_once) == 0)
            continue;
        for (Index j = begin; j < end; ++j)
            if (first_item_[j] != outside) by_item_[first_item_[j]].push_back(j);
    }
}

// The rule without a look at what is excluded or limited: for most columns, all that is needed, in
// a loop of plain arithmetic.
bool Screening::may_keep(Index begin, Index end, double step, double bound) const {
    const std::span<const double> factors = work_.penalties.factors;
    int found = 0;
    if (factors.empty())
        for (Index j = begin; j < end; ++j)
            found |= static_cast<int>(std::abs(products_[j] + step * slopes_[j]) > bound);
    else
        for (Index j = begin; j < end; ++j)
            found |=
                static_cast<int>(std::abs(products_[j] + step * slopes_[j]) > bound * factors[j]);
    return found != 0;
}

std::span<const Index> Screening::candidates(Index i) {
    candidates_.assign(chosen_.begin(), chosen_.begin() + prefix_[i]);
    // what was added for another item may be foreseen here
    std::copy_if(added_.begin(), added_.end(), std::back_inserter(candidates_),
                 [&](Index j) { return was_unseen(j, i); });
    return candidates_;
}

bool Screening::add(Index feature) {
    if (is_added_[feature]) return false;
    is_added_[feature] = 1;
    added_.push_back(feature);
    return true;
}

}  // namespace sven::path
