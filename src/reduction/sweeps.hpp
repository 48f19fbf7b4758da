#pragma once
// Coordinate sweeps over the slots: each coefficient in turn to its minimum with the others held
// (maths.md, section "Sweeps"). A sweep costs two looks at the stored entries and solves no system;
// each gains a share of the gap, so that they are for tolerances that a few of them reach. The gap
// on the working set, looked at after every few, says when a setting is done, and from its fall how
// many more it would take: where that costs more than exact steps, those take over from here.

#include <limits>

#include "reduction/swept_support.hpp"
#include "reduction/working_gap.hpp"

namespace sven::reduction {

class Sweeps {
  public:
    explicit Sweeps(const linalg::Execution& execution) : support_(execution) {}

    // Whether they are likely to cost less than exact steps for the setting at hand, judged by the
    // settings before.
    bool can_begin(Machine& machine, const State& state);
    void begin(Machine& machine, State& state);
    // Some sweeps and a look at the gap. Stuck where exact steps are expected to cost less.
    Step take(Machine& machine, State& state);

  private:
    bool sweep(Machine& machine, State& state, int rounds);
    // Operations as a number of sweeps over the slots; of none where there are no slots.
    double in_sweeps(const Machine& machine, double operations) const;
    // The support of the coefficients, with its residual from the data.
    void settle(Machine& machine, State& state);
    // By the gap of a look, and what that took, in operations.
    bool is_too_slow(Machine& machine, const State& state, double gap, double cost);
    bool takes_turns(const Machine& machine, double speed, double more);

    WorkingGap gap_;
    SweptSupport support_;
    std::vector<Index> slots_;
    std::vector<double> inverse_;  // 1 / (x_j'x_j + l2 f_j), by place in slots_
    bool has_loop_ = true;         // until the data say that they have none
    double last_gap_ = 0;          // zero before the first look of a setting
    double spent_ = 0;             // by this setting, in operations
    double looked_gap_ = 0;        // of the slots, when the candidates were looked at last
    double judged_ = 0;  // looks, and the fall of the gap's logarithm by a sweep at the last
    double last_speed_ = 0;
    bool iterates_ = false;   // conjugate gradients come between
    double swept_speed_ = 0;  // the same fall, by a sweep without and with them
    double iterated_speed_ = std::numeric_limits<double>::max();
    double expected_sweeps_ = tuning::sweeps_a_look;  // of a setting, from those before
};

}  // namespace sven::reduction
