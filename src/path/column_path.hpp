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

#include <memory>
#include <vector>

#include "path/path_state.hpp"
#include "path/standing.hpp"
#include "path/verification.hpp"
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
    // Goes on from a state; the cache is new.
    ColumnPath(Workspace& workspace, std::span<const problem::Target> targets, ColumnCache& cache,
               const MemberState& state);

    bool is_finished() const { return next_ >= static_cast<Index>(targets_.size()); }
    // Solves the next block on its working set.
    void advance();
    // Has no lanes in a product that others make.
    void pause() { block_.clear(); }
    // Right-hand sides of the block: at most eight, none where no product is needed.
    Index lanes() const { return block_.lanes(); }
    void fill(linalg::Panel& panel, Index first_lane) {
        verification_.fill(block_, panel, first_lane);
        if (lanes() > 0) screening_.use_own();
    }
    // The table that may take the products with the lanes, by Design::tabulate; or null.
    linalg::LaneTable* table() const { return verification_.table(); }
    void read_table() {
        if (lanes() > 0) verification_.read_table(block_, screening_);
    }
    // Takes products with the lanes where there is none; `tile` begins at the first lane of this
    // path. Called from many threads at once.
    void absorb(Index begin, Index count, const double* tile, Index stride) {
        verification_.absorb(block_, begin, count, tile, stride, screening_);
    }
    // Solves again what has violators, and certifies.
    void finish_block();

    Index done() const { return next_; }  // settings
    std::vector<Solved>& solved() { return solved_; }
    // Where it ended.
    void leave(Standing& standing);
    // Between two blocks; what was solved goes with it.
    MemberState take_state();

  private:
    ColumnPath(Workspace& workspace, std::span<const problem::Target> targets, ColumnCache& cache);
    void project_free_features();
    void take_up(const Standing& standing);
    // Of the screening, which has the derivative of the last block or none.
    double margin() const;
    void plan_block();
    bool is_ridge(const problem::Target& target);
    const Solved& ridge(double l2);
    void solve_item(Index i, double gap);
    bool is_to_redo(const Item& item) const;
    bool is_near_enough(const Item& item) const;
    void add_derivative();
    void redo(Index i);
    void redo_guess();
    void hand_over(Item& item);
    void certify(Item& item, Index i, Index zeros);

    Workspace& work_;
    std::span<const problem::Target> targets_;
    linalg::ScaledDesign& X_;
    reduction::ColumnKernel& kernel_;
    reduction::ActiveSet& active_;
    Screening screening_;
    Verification verification_;
    Block block_;
    BlockSize block_size_;
    Index next_ = 0;             // setting
    double h_last_ = 0;          // of the last verified item
    bool knows_slopes_ = false;  // the last block had a derivative
    bool is_guess_ = false;      // the block begins at the end of another path
    bool is_swept_ = false;      // the last block ended with sweeps
    std::vector<double> old_residual_, direction_;
    Solved ridge_;  // at the l2 asked for last
    std::vector<Solved> solved_;
};

}  // namespace sven::path
