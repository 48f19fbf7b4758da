#pragma once
// One problem, set up once and solved many times: the design, the moments, the Gram matrix and the
// start of grids are made when they are first needed and kept until the data change. The ways in
// from the api are short callers of it.

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "linalg/counted_design.hpp"
#include "path/batch.hpp"
#include "path/path_end.hpp"
#include "path/tuning.hpp"
#include "sven/checkpoint.hpp"
#include "sven/elastic_net.hpp"
#include "sven/relaxed.hpp"

namespace sven::path {

// Where grids begin: the largest multiplier does not depend on alpha, so that one pass over X
// serves the grids of many.
struct GridStart {
    double multiplier = 0;  // the smallest h at which every penalised coefficient is zero
    double total_weight = 0;

    double largest_lambda(double alpha) const {
        return multiplier / (total_weight * std::max(alpha, tuning::least_grid_alpha));
    }
};

// y - offset, of one response or of several behind each other.
std::vector<double> without_offset(std::span<const double> y, std::span<const double> offset);

// What a session is made for, as far as its maker knows: with the device `automatic` it tells
// whether one pays.
struct Asked {
    std::size_t settings = 1;  // of each path
    std::size_t paths = 1;     // folds, responses
};

// Arguments are valid, here and below. What spans of the problem point to stays the caller's.
class Session {
  public:
    Session(const Problem& problem, const Options& options, const Asked& asked = {});
    // Over a design that is at hand.
    Session(const Problem& problem, const Options& options, std::shared_ptr<linalg::Design> design);
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    // Another response or other weights for the same rows. The support of the last solve is where
    // the next one begins; with a new response the kernel cache stays too, with new weights
    // everything but the design is made anew.
    void set_response(std::span<const double> y, std::span<const double> offset = {});
    void set_weights(std::span<const double> weights);
    // Tolerance, iterations, progress and cancel token; the others stay.
    void set_options(const Options& options);

    // The solutions in the order of the settings; what a cancel left undone says so.
    std::vector<Solution> solve(std::span<const Setting> settings);
    // The same from strong to weak until the path ends (path_end.cpp).
    std::vector<Solution> solve_until(std::span<const Setting> settings, const PathEnd& rules);
    // The refit of each of its own solutions (relaxed_session.cpp).
    std::vector<Relaxed> relax(std::span<const Solution> path);
    // One path for each column of `responses` (rows(X) numbers each), in the place of the problem's
    // response, which must be the first of them.
    std::vector<std::vector<Solution>> solve_responses(std::span<const double> responses,
                                                       std::span<const Setting> settings);
    // Throws Cancelled. Where so many settings are to be solved after it, the pass is the one that
    // they need: the Gram matrix has the products too.
    GridStart grid_start(Convention convention, std::size_t settings = 0);

    // By all calls so far; none where the design was given.
    Reads reads() const { return counted_ != nullptr ? counted_->reads() : Reads{}; }

    // For batches of other members over the same design; all throw Cancelled.
    Member& whole() { return whole_; }  // all rows with their weights, the response
    const linalg::Execution& team() const { return team_; }
    void prepare_response(Convention convention);
    void prepare(Method method, Convention convention);
    // From the sums of the Gram matrix, where others have made them.
    void prepare_from(linalg::GramSums sums);
    // The statistics that stand in the place of rows; null: there are rows.
    const Statistics* statistics() const { return whole_.problem.statistics; }
    const problem::ScaledGram& gram() const { return gram_; }
    // Null: nothing is kept.
    Journal* journal() const {
        const Checkpoint* const checkpoint = whole_.options.checkpoint;
        return checkpoint != nullptr ? &checkpoint->journal() : nullptr;
    }
    // Of a batch that is solved next; null: nothing is kept.
    std::unique_ptr<Record> make_record(std::span<const Setting> settings, std::size_t members,
                                        std::span<const Fold> folds = {}) const;
    // Another member: the problem with weights and a response that are to come.
    void set_up(Member& member) const;

  private:
    Session(const Problem& problem, const Options& options, const Asked& asked,
            std::shared_ptr<linalg::Design> design);

    enum class Basis { nothing, columns, gram };  // what the workspace was prepared from

    Method choose(std::size_t settings) const;
    void prepare_from_statistics();
    // outcome_session.cpp: of a response that is not gaussian. Settings after the end are left
    // undone, but for those that were solved together with it; null: none.
    std::vector<Solution> solve_outcome(std::span<const Setting> settings,
                                        EndOfPath* end = nullptr);
    double outcome_multiplier();
    void forget();
    void solve_group(std::span<const double> responses, std::span<const Setting> settings,
                     Meter& meter, std::span<std::vector<Solution>> paths);

    std::shared_ptr<linalg::CountedDesign> counted_;  // null: the design was given
    std::vector<double> response_;                    // y - offset, where there is an offset
    Member whole_;
    linalg::Execution team_;
    Basis basis_ = Basis::nothing;
    Convention convention_ = Convention::documented;  // of the penalty factors
    bool has_response_ = false;
    bool has_products_ = false;  // with this response
    problem::ScaledGram gram_;   // where the basis is a Gram matrix
    std::optional<GridStart> grid_start_;
};

}  // namespace sven::path
