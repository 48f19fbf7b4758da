#pragma once
// Whole Newton steps: the fastest, and from a good start two or three do. They may cycle, and they
// have no answer for columns that depend on others; then they say that they are stuck.

#include "reduction/weighing.hpp"
#include "reduction/working_gap.hpp"
#include "svm/newton.hpp"

namespace sven::reduction {

class WholeSteps {
  public:
    // For a new setting.
    void begin(Multiplier multiplier);
    // The coefficients move, by slot, and the support changes as after a step that ended there.
    void foresee(Machine& machine, std::span<const double> move, State& state);
    Step take(Machine& machine, State& state);
    // After a step that was near enough: its support changes as after any other.
    void go_on(Machine& machine, State& state);

  private:
    // What leaves at the point at hand and what violates there; how many. Of the latter, those that
    // are to enter.
    Index find_changes(Machine& machine, State& state);
    std::span<const Violator> entering(const Machine& machine, const State& state);
    // Solves, and finds what changes.
    Step look_around(Machine& machine, State& state);
    bool is_weighed(const Machine& machine, const State& state, Index changes);
    void change(Machine& machine, std::span<const Violator> violators, bool weighs, State& state);
    Step finish(Machine& machine, State& state);
    // Whether the Newton point, whose support may still change, is as good as asked.
    bool is_near(Machine& machine, State& state);
    bool leads_astray(const Machine& machine, const State& state, Index entering, bool is_weighed);

    Multiplier multiplier_ = Multiplier::given;
    svm::StepRule rule_{1};
    Accuracy accuracy_ = Accuracy::rough;
    Index steps_ = 0;
    std::vector<double> signs_;  // of the support of a point that was near enough
    SupportChanges changes_;
    Weighing weighing_;
    WorkingGap gap_;
};

// The support repeats: polishes from the data and looks once more at the signs.
Index polish(Machine& machine, State& state, Multiplier multiplier, SupportChanges& changes);

}  // namespace sven::reduction
