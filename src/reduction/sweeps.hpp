#pragma once
// Coordinate sweeps over the slots: each coefficient in turn to its minimum with the others held
// (maths.md, section "Sweeps"). A sweep costs two looks at the stored entries and solves no system;
// each gains a share of the gap, so that they are for tolerances that a few of them reach. The gap
// on the working set, looked at after every few, says when a setting is done, and from its fall how
// many more it would take: where that costs more than exact steps, those take over from here.

#include "reduction/working_gap.hpp"

namespace sven::reduction {

class Sweeps {
  public:
    // Whether they are likely to cost less than exact steps for the setting at hand, judged by the
    // settings before.
    bool can_begin(Machine& machine, const State& state);
    void begin(Machine& machine, State& state);
    // Some sweeps and a look at the gap. Stuck where exact steps are expected to cost less.
    Step take(Machine& machine, State& state);

  private:
    bool sweep(Machine& machine, State& state, int rounds);
    // The support of the coefficients, with its residual from the data.
    void settle(Machine& machine, State& state);
    bool is_too_slow(Machine& machine, const State& state, double gap);

    WorkingGap gap_;
    std::vector<Index> slots_;
    std::vector<double> inverse_;  // 1 / (x_j'x_j + l2 f_j), by place in slots_
    double first_gap_ = 0;         // at the first look, and at the last
    double last_gap_ = 0;
    double looks_ = 0;           // of this setting
    double expected_looks_ = 1;  // of a setting, from those before
};

}  // namespace sven::reduction
