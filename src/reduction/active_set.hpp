#pragma once
// Solves one setting after the other, each from the support of the last.

#include "reduction/damped_steps.hpp"
#include "reduction/descent.hpp"
#include "reduction/forecast.hpp"
#include "reduction/machine.hpp"
#include "reduction/questions.hpp"
#include "reduction/sweeps.hpp"
#include "reduction/whole_steps.hpp"
#include "svm/tuning.hpp"

namespace sven::reduction {

struct Limits {
    Index max_iterations = svm::default_iterations;
    // Of a budget, the multiplier is searched below this: at it every penalised coefficient is
    // zero.
    double largest_h = 0;
    // The relative gap that is asked for, of the working set. Exact steps go on until the support
    // repeats where that is `exact_gap` or less; sweeps are done when it has passed.
    double gap = 0;
    // Operations of the verification of one more block, which sweeps cost: they foresee less.
    double block_cost = 0;
};

// How a setting ended: where its support repeats; or before, where the gap on the working set was
// as small as asked, after an exact step or after sweeps, which have no system to ask questions of.
enum class Ending { exact, near, swept };

struct Outcome {
    Status status = Status::optimal;
    Index iterations = 0;
    bool is_slack = false;  // budget: it does not bind; the solution is that of l1 = 0
    Ending ending = Ending::exact;
};

class ActiveSet {
  public:
    ActiveSet(Kernel& kernel, const Penalties& penalties, const linalg::Execution& execution,
              double tolerance)
        : machine_(kernel, penalties, execution, tolerance),
          state_(make_state(machine_)),
          sweeps_(execution) {}

    // Features outside the slots that may enter; others are not looked at.
    void set_candidates(std::span<const Index> candidates) { machine_.candidates = candidates; }
    Outcome run(const Target& target, const Limits& limits);
    // Where the last setting ended near and is saved: its support changes as its point asks. The
    // next setting is to begin with that, and the derivative is that of it.
    void go_on();

    Machine& machine() { return machine_; }
    State& state() { return state_; }
    const State& state() const { return state_; }

    double h() const { return state_.h; }
    Index support_size() const { return state_.support_size(); }
    std::span<const double> coefficients() const { return state_.beta; }  // by slot
    void save(Support& out) const { reduction::save(machine_, state_, out); }
    // Takes up a support; features without a slot get one.
    void load(const Support& support);
    // The same with the setting it solves, for questions about it.
    void load(const Support& support, const Target& target, double h);

  private:
    enum class Stage { sweeps, whole, damped, descent };
    struct Run {
        Outcome outcome;
        bool is_lost = false;  // the joint step has no multiplier
    };
    Outcome run_penalty(const Target& target);
    Run follow(Multiplier multiplier);
    Step take(Stage stage);
    Stage first_stage(Multiplier multiplier);
    Stage fall_back(Stage stage, Multiplier multiplier);
    Outcome run_budget();
    // budget_search.cpp
    Outcome search_multiplier();
    Outcome try_slack(Outcome outcome);
    void interpolate();
    void shrink_into_budget();

    Machine machine_;
    State state_;
    Limits limits_;         // of the setting
    Support start_;         // where it began
    bool is_near_ = false;  // it ended near, and its support has not changed since
    // Of a budget whose multiplier is searched for: multipliers and their solutions, of which one
    // uses less than the budget and the other more.
    struct End {
        double h = 0;
        Support support;
    };
    End within_, beyond_;
    Forecast forecast_;
    Sweeps sweeps_;
    WholeSteps whole_;
    DampedSteps damped_;
    Descent descent_;
};

}  // namespace sven::reduction
