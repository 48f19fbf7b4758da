#pragma once
// What paths go on from, between two stretches of settings. A path that is recorded is made anew of
// its state at the end of every stretch, so that one which is read from a file goes on with the
// same bits: nothing else is left for it to depend on.

#include <mutex>
#include <vector>

#include "path/block.hpp"
#include "path/journal.hpp"
#include "path/outcome_fit.hpp"
#include "path/standing.hpp"

namespace sven::path {

// Of a path over the columns, after a block.
struct ColumnState {
    Index next = 0;  // setting
    double h_last = 0;
    problem::Target target;  // of the last item, with its support
    problem::Support support;
    std::vector<double> products, slopes;  // of the screening
    BlockSize block_size;
    bool knows_slopes = false;
    bool is_swept = false;
};

// Of a member of a batch.
struct MemberState {
    std::vector<Solved> solved;  // in the order of the targets
    double h_max = 0;            // free features may have moved it
    ColumnState columns;         // where the route is that
    Standing standing;           // where it is the Gram matrix
};

// Of a setting in a block of another outcome.
struct Standpoint {
    FitPoint point;
    Index setting = -1;  // -1: a step on the way
    int solves = 0;
    int sharper_solves = 0;
    Index steps = 0;
    std::vector<Index> violators;
    double h = 0;  // of a budget, found by the last solve; budgets are not kept
};

struct OutcomeAnswer {
    Solved solved;
    double centre = 0;  // the linear predictor at the means of the columns
    double deviance = 0;
    bool is_slack = false;  // of a budget; not kept, as budgets are not
};

// Of a path for a response that is not gaussian, after a block.
struct OutcomeState {
    std::vector<OutcomeAnswer> answers;  // in the order of the targets
    Index next = 0;
    std::vector<Standpoint> pending;  // in the order of the settings
    FitPoint last;                    // the weakest setting that was solved
    double h_max = 0;
    double h_last = 0;     // of the products of the screening
    double h_reached = 0;  // of the weakest setting that was solved
    std::vector<double> products, slopes;
    BlockSize block_size;
    bool knows_slopes = false;
};

Bytes bytes_of(const OutcomeState& state);
OutcomeState outcome_state_of(std::span<const std::byte> bytes);

Index count_done(std::span<const Solved> solved);

// The states of the members of a batch, in a journal in which their solve has begun.
class Record {
  public:
    Record(Journal& journal, std::span<const std::byte> kept, std::size_t members);

    // Null: the member begins at its beginning.
    const MemberState* state_of(std::size_t member) const {
        return states_[member].solved.empty() ? nullptr : &states_[member];
    }
    // Of one member, from any thread.
    void keep(std::size_t member, MemberState state);
    // Of several: put one after the other, then written.
    void put(std::size_t member, MemberState state) { states_[member] = std::move(state); }
    void write();

  private:
    Journal& journal_;
    std::mutex mutex_;
    std::vector<MemberState> states_;
};

}  // namespace sven::path
