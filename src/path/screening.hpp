#pragma once
// Which features may enter at the settings of a block, predicted from the products at the last
// setting and their derivative along the path (maths.md, eq. 33). What it misses is found by the
// verification, and costs a second solve.

#include <span>
#include <vector>

#include "linalg/lane_table.hpp"
#include "path/block.hpp"
#include "reduction/kernel.hpp"

namespace sven::path {

class Screening {
  public:
    explicit Screening(const Workspace& workspace);

    // x_j'r at the last verified setting, and their derivative; tiles of a product write them.
    std::vector<double>& products() { return products_; }
    std::vector<double>& slopes() { return slopes_; }
    // They are in this lane of a table, and the one behind it; or here again, to be written.
    void use_table(linalg::LaneTable& table, Index lane) {
        table_ = &table;
        lane_ = lane;
    }
    void use_own() { table_ = nullptr; }
    // Brings them.
    void leave_table(bool knows_slopes);

    // Where the candidates are chosen from: the last setting's multiplier, whether the derivative
    // there is known, and the share of the step by which a product may come closer unforeseen.
    struct Start {
        double h = 0;
        bool knows_slopes = false;
        double margin = 0;
    };
    void select(const Block& block, const Start& start, const reduction::Kernel& kernel);
    // Those of item i and of the items before, and what was added since, each once.
    std::span<const Index> candidates(Index i);
    // Whether item i was solved without a look at the feature.
    bool was_unseen(Index feature, Index i) const { return first_item_[feature] > i; }
    bool had_slot(Index feature) const { return first_item_[feature] == in_slot; }
    bool is_candidate(Index feature) const { return first_item_[feature] != outside; }
    // Takes up a violator that was not foreseen; false where it was taken up before.
    bool add(Index feature);

  private:
    // first_item_ and by_item_, but for what has a slot.
    void look(const Block& block, const Start& start);
    void look_in_table(const Block& block, const Start& start);
    // Whether the rule may keep one of these columns.
    bool may_keep(Index begin, Index end, double step, double bound) const;

    static constexpr unsigned char in_slot = 254;
    static constexpr unsigned char outside = 255;

    const Workspace& work_;
    linalg::LaneTable* table_ = nullptr;
    Index lane_ = 0;
    std::vector<double> products_, slopes_;  // by feature
    std::vector<unsigned char> first_item_;  // by feature: that has it as a candidate
    std::array<std::vector<Index>, Block::most> by_item_;
    std::vector<Index> chosen_;                // in the order of the items
    std::array<Index, Block::most> prefix_{};  // candidates of item i are chosen_[0, prefix_[i])
    std::vector<Index> added_;
    std::vector<char> is_added_;  // by feature
    std::vector<char> may_keep_;  // by group of columns
    std::vector<Index> candidates_;
};

}  // namespace sven::path
