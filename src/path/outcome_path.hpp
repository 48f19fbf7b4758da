#pragma once
// A path for a response that is not gaussian: settings in blocks, each solved on the features that
// the screening names, and verified together by one product with X. What has violators is solved
// again with them and goes into the next block.

#include <array>

#include "path/outcome_fit.hpp"
#include "path/path_state.hpp"
#include "path/screening.hpp"

namespace sven::path {

class OutcomePath {
  public:
    OutcomePath(Workspace& workspace, const Outcome& outcome);
    // Goes on from a state.
    OutcomePath(Workspace& workspace, const Outcome& outcome, OutcomeState state);

    // The smallest h at which every penalised coefficient is zero.
    double largest_multiplier() const { return work_.h_max; }
    double null_deviance() const { return fit_.null_deviance(); }
    // Targets go from strong to weak. A cancel leaves the rest undone.
    using Answer = OutcomeAnswer;
    std::vector<Answer> solve(std::span<const problem::Target> targets, const Report& report);
    // The same in blocks: solve(targets) begins, and advances until it is finished.
    void begin(std::span<const problem::Target> targets);
    bool is_finished(std::span<const problem::Target> targets) const;
    // Throws Cancelled.
    void advance(std::span<const problem::Target> targets, const Report& report);
    Index done() const;
    std::vector<Answer>& answers() { return answers_; }
    // Between two blocks; the answers go with it.
    OutcomeState take_state();

  private:
    void plan(std::span<const problem::Target> targets);
    // The multiplier that a new setting is expected to have.
    double foresee(const problem::Target& target);
    void solve_block();
    void multiply();
    void verify();
    // The gap of item i, and its violators.
    problem::Gap certify(Index i, Solved& solved);
    problem::CertificationInput certification_input(Index i, const Solved& solved) const;
    void follow(Index i);
    double product(Index j, Index i) const { return products_[j * linalg::lane_group + i]; }

    Workspace& work_;
    OutcomeFit fit_;
    Family family_;
    Screening screening_;
    Block block_;
    BlockSize block_size_;
    std::array<Standpoint, Block::most> items_;
    std::array<DualLane, Block::most> lanes_;
    std::vector<Answer> answers_;
    std::vector<Standpoint> pending_;  // in the order of the settings
    FitPoint last_;                    // the weakest setting that was solved
    double h_last_ = 0;                // of the products of the screening
    double h_reached_ = 0;             // of the weakest setting that was solved
    bool knows_slopes_ = false;
    Index next_ = 0;
    linalg::Panel panel_;
    linalg::Buffer<double> products_;
};

}  // namespace sven::path
