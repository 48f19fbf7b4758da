#pragma once
// The second half of a block: one product X'R with every column certifies its items, or names the
// violators of each. Its tiles are looked through as they come; or a device keeps them in a table,
// and only rows that are asked for come here.

#include <array>
#include <memory>
#include <vector>

#include "linalg/lane_table.hpp"
#include "path/block.hpp"
#include "path/screening.hpp"
#include "problem/certified_support.hpp"
#include "reduction/column_kernel.hpp"

namespace sven::path {

class Verification {
  public:
    Verification(const Workspace& workspace, const linalg::ScaledDesign& X,
                 reduction::ColumnKernel& kernel);

    // The table that takes the products, or null.
    linalg::LaneTable* table() const { return table_.get(); }
    // The residuals of the block, and its derivative, into the lanes of a panel.
    void fill(Block& block, linalg::Panel& panel, Index first_lane);
    // Products of some columns; `tile` begins at the first lane of the block. Called from many
    // threads at once.
    void absorb(const Block& block, Index begin, Index count, const double* tile, Index tile_stride,
                Screening& screening);
    // The same where they are in the table.
    void read_table(const Block& block, Screening& screening);
    // All products are there: gap and violators of every item.
    void close(Block& block, const Screening& screening);
    // The gap of an item that was solved again, without another pass. |x_j'r_new| is at most
    // |x_j'r_old| + ||x_j|| ||r_new - r_old|| (maths.md, eq. 34): only what that leaves open is
    // computed, and known from then on. True where some of it violates; it is added to the
    // screening.
    bool recheck(Block& block, Index i, std::span<const double> old_residual, Screening& screening);
    // How many features are proven zero in each item, but for their supports; the products of a
    // feature lie side by side.
    std::array<Index, linalg::lane_group> count_zeros(const Block& block,
                                                      std::span<const Solved> solved);
    // With the products of all features where each is to be proven by itself, else at least those
    // of the support.
    problem::CertificationInput certification_input(const Item& item, Index i,
                                                    const problem::Gap& gap);
    // Features outside of the support of item i whose products are at their bounds.
    std::vector<Index> tied_features(const Item& item, Index i, const Screening& screening);

  private:
    struct TileSums {
        std::array<double, linalg::lane_group> steepest{};
        bool has_violator = false;
        Index begin = 0;
        Index count = 0;  // of its columns
    };

    std::unique_ptr<linalg::LaneTable> make_table() const;
    double inverse_factor(Index j) const;
    void hide_slots();
    // Whether a feature with this |x_j'r| / f may be at its bound, rounding included.
    bool is_near(const Item& item, double steepness) const;
    // Calls look(j) for the features without a slot, but for such as are known not to be near
    // their bounds.
    template <class Look>
    void for_each_near(const Look& look) const;
    // All products of the block, from the table.
    void bring_all();
    void check_tile(const Block& block, Index begin, Index count, const double* tile,
                    Index tile_stride, const Screening& screening);
    void check_column(const Block& block, Index j, const double* lanes, const Screening& screening,
                      TileSums& sums);
    double product(Index j, Index i) const { return products_[j * linalg::lane_group + i]; }
    bool violates(const Item& item, Index i, Index j, double product) const;
    bool has_violator(const Block& block, Index j, const Screening& screening) const;
    bool is_settled_by(const problem::ZeroCount& count, const Block& block,
                       const TileSums& tile) const;
    // The largest |x_j'r| / f of item i over the features that had no slot.
    double steepest(Index i) const;
    void collect_violators(Block& block, const Screening& screening) const;
    void close_item(Item& item, Index i, const Screening& screening);
    void expand_coefficients(const problem::Support& support);

    const Workspace& work_;
    const linalg::ScaledDesign& X_;
    reduction::ColumnKernel& kernel_;
    linalg::Buffer<double> products_;  // p x 8: x_j'r of the lanes
    std::unique_ptr<linalg::LaneTable> table_;
    linalg::LaneBlock lanes_;   // of the block: what a table is told
    bool is_in_table_ = false;  // the products are, and here only those of some features:
    std::vector<Index> near_;   // without a slot, in tiles that have one near its bound
    std::vector<TileSums> tiles_;
    std::vector<double> inverse_factors_;  // by feature; zero with a slot: looked at one by one
    std::vector<Index> hidden_;            // features with a slot
    std::array<double, Block::most> rounding_{};  // of a product with item i's residual
    std::vector<double> beta_;                    // by slot: of the item at hand
    std::vector<Index> open_;
    std::vector<double> open_products_;
};

}  // namespace sven::path
