#pragma once
// The path engine over the columns of X (maths.md, section "Paths"). A block of settings is solved
// on a working set predicted by the path's derivative, then verified by one product X'R with every
// column; only settings with violators are solved again. The product is the caller's, who may share
// one over several paths:
//
//     while (!path.is_finished()) {
//         path.advance();
//         path.fill(panel, 0);                        // lanes() right-hand sides
//         design.correlate(panel, ..., path.absorb)
//         path.finish_block();
//     }

#include <array>
#include <memory>
#include <vector>

#include "path/standing.hpp"
#include "problem/certified_support.hpp"
#include "reduction/active_set.hpp"
#include "reduction/column_kernel.hpp"

namespace sven::path {

// The scaled columns of a workspace, the kernel cache over them and the machine with its factor:
// what a path leaves behind for the next one, which may have another response.
struct ColumnCache {
    explicit ColumnCache(const Workspace& workspace);

    linalg::ScaledDesign X;
    reduction::ColumnKernel kernel;
    reduction::ActiveSet active;
};

class ColumnPath {
  public:
    // Begins at the standing where that is nearer than the top; a cache that was used must be that
    // of a path that ended there.
    ColumnPath(Workspace& workspace, std::span<const problem::Target> targets, ColumnCache& cache,
               const Standing& standing);

    bool is_finished() const { return next_ >= static_cast<Index>(targets_.size()); }
    // Solves the next block on its working set.
    void advance();
    // Right-hand sides of the block: at most eight, none where no product is needed.
    Index lanes() const { return block_ == 0 ? 0 : block_ + (has_derivative_ ? 1 : 0); }
    void fill(linalg::Panel& panel, Index first_lane);
    // Takes products with the lanes; `tile` begins at the first lane of this path. Called from
    // many threads at once.
    void absorb(Index begin, Index count, const double* tile, Index stride);
    void finish_block();
    // Has no lanes in a product that others make.
    void rest() { block_ = 0; }

    Index done() const { return next_; }  // settings
    std::vector<Solved>& solved() { return solved_; }
    // Where it ended.
    void leave(Standing& standing);

  private:
    // One lane of the verification product.
    struct Item {
        problem::Target target;
        Index setting = -1;  // -1: a step on the way, not asked for
        double h = 0;        // predicted, then found
        reduction::Outcome outcome;
        problem::Support support;
        std::vector<double> residual;
        double residual_squares = 0;
        double lane_sum = 0;
        double drift = 0;  // products of this lane are off by at most drift ||x_j||
        problem::DualPoint point;
        problem::Gap gap;
        double use = 0;
        std::vector<Index> violators;
    };
    struct TileSums {
        std::array<double, linalg::lane_group> steepest{};
        bool has_violator = false;
    };
    static constexpr Index max_block = 7;  // and the derivative: eight lanes
    static constexpr unsigned char in_slot = 254;
    static constexpr unsigned char outside = 255;

    void project_free_features();
    void take_up(const Standing& standing);
    void try_again();
    void plan_block();
    bool finish_without_block(const problem::Target& target);
    bool is_slack(const problem::Target& target);
    const Solved& ridge(double l2);
    double predicted_multiplier(const problem::Target& target);
    void screen();
    void solve_item(Index i);
    void store(Item& item);
    void adapt_block(double operations);
    void add_derivative();

    // 1 / f; zero where a feature never enters, or is always in.
    double reach_of(Index j) const {
        return work_.penalties.excluded[j] || work_.factor(j) == 0 ? 0 : 1 / work_.factor(j);
    }
    void hide_slots();
    void verify_tile(Index begin, Index count, const double* tile, Index stride, TileSums& sums);
    void verify_column(Index j, const double* lanes, TileSums& sums);
    bool has_violator(Index j) const;
    void close_verification();
    bool is_violated(Index i, Index feature, double product, double drift) const;
    void collect_violators();
    void certify_lane(Index i);
    void find_slot_violators(Index i);
    void expand_coefficients(const Item& item);
    void redo(Index i);
    bool recheck(Index i, std::span<const double> old_residual);
    problem::Question question(const Item& item) const;
    void finish_item(Index i);
    problem::CertificationInput certification_input(Index i) const;
    void certify_block();
    void certify_item(Index i, Index below);
    bool has_other_solutions(Index i);

    Workspace& work_;
    std::span<const problem::Target> targets_;
    linalg::ScaledDesign& X_;
    reduction::ColumnKernel& kernel_;
    reduction::ActiveSet& active_;
    std::vector<Solved> solved_;

    Index next_ = 0;     // setting
    double h_last_ = 0;  // of the last verified item
    bool has_derivative_ = false;
    Index block_limit_ = 4;  // before the first product the derivative is unknown
    double margin_ = 0.1;    // of the screening rule
    bool is_guess_ = false;  // the block begins at the end of another path
    std::vector<Item> items_;
    Index block_ = 0;  // items in use

    Index first_lane_ = 0;  // of the panel
    double slope_sum_ = 0;
    linalg::Buffer<double> products_;    // p x 8: x_j'r of the block's lanes
    std::vector<double> last_;           // p: of the last item
    std::vector<double> slope_;          // p: their derivative along the path
    std::vector<unsigned char> bucket_;  // first item for which a feature is a candidate
    std::vector<std::vector<Index>> buckets_;
    std::vector<Index> working_set_;
    std::vector<Index> prefix_;  // candidates of item i are working_set_[0, prefix_[i])
    std::vector<Index> extra_;   // violators found later
    std::vector<char> is_extra_;
    std::vector<Index> candidates_;
    std::vector<double> rechecked_;
    std::vector<Index> recheck_list_;
    std::vector<TileSums> tiles_;
    std::vector<double> reach_;  // p: reach_of; zero with a slot
    std::vector<Index> hidden_;  // features whose reach is zero since they have a slot
    std::vector<double> direction_;
    std::vector<double> scratch_;
    std::array<double, max_block> rounding_{};  // of a product with item i's residual
    Solved ridge_;
};

}  // namespace sven::path
