// The method on one page: one setting from the support of the last.
//
//     a forecast          of where the setting is, from those before it
//     sweeps              to the gap that is asked for, while they cost less
//     whole Newton steps  while they make progress: exact after the last one
//     damped steps        where every feature has a ridge: cannot cycle
//     descent             where nothing else does: the objective falls at every step
//
// Each ends when the support of its point is the support it came from: then the point satisfies the
// optimality conditions (maths.md, eq. 6) on the candidates; sweeps end, and other steps may, when
// the gap that is asked for has passed there. A budget's multiplier is solved for
// together with the coefficients, and searched from outside where that fails (budget_search.cpp).

#include <algorithm>

#include "reduction/active_set.hpp"
#include "reduction/tuning.hpp"

namespace sven::reduction {

void ActiveSet::load(const Support& support) {
    is_near_ = false;
    reduction::load(machine_, support, state_);
}

void ActiveSet::load(const Support& support, const Target& target, double h) {
    load(support);
    set_target(machine_, target, state_);
    state_.h = h;
}

Outcome ActiveSet::run(const Target& target, const Limits& limits) {
    limits_ = limits;
    machine_.gap_goal = limits.gap >= tuning::least_gap ? tuning::gap_share * limits.gap : 0;
    machine_.stops_short = limits.gap > tuning::exact_gap;
    machine_.block_cost = limits.block_cost;
    forecast_.begin(machine_, state_, target);
    set_target(machine_, target, state_);
    machine_.skipped.clear();
    save(start_);
    const Outcome outcome = target.is_budget() ? run_budget() : run_penalty(target);
    is_near_ = outcome.ending == Ending::near;
    return outcome;
}

void ActiveSet::go_on() {
    if (is_near_) whole_.go_on(machine_, state_);
    is_near_ = false;
}

Outcome ActiveSet::run_penalty(const Target& target) {
    state_.h = target.h();
    return follow(Multiplier::given).outcome;
}

Outcome ActiveSet::run_budget() {
    if (state_.h == 0) state_.h = limits_.largest_h;
    const double h_before = state_.h;
    const Run joint = follow(Multiplier::joint);
    Outcome outcome = joint.outcome;
    if (joint.is_lost || outcome.status != Status::optimal) {
        state_.h = h_before;
        outcome = search_multiplier();
        outcome.iterations += joint.outcome.iterations;
    }
    state_.h = std::max(0.0, state_.h);  // corrections may leave less
    shrink_into_budget();
    return outcome;
}

ActiveSet::Run ActiveSet::follow(Multiplier multiplier) {
    Stage stage = first_stage(multiplier);
    for (Index k = 1; k <= limits_.max_iterations; ++k) {
        machine_.execution.check();
        const Step step = take(stage);
        if (step.verdict == Verdict::optimal) return {{Status::optimal, k}};
        if (step.verdict == Verdict::near)
            return {
                {Status::optimal, k, false, stage == Stage::sweeps ? Ending::swept : Ending::near}};
        // the joint step has no objective of its own to descend on
        const bool has_no_fall_back =
            step.verdict == Verdict::stuck && multiplier == Multiplier::joint;
        if (step.verdict == Verdict::lost || has_no_fall_back)
            return {{Status::iteration_limit, k}, true};
        if (step.verdict == Verdict::stuck) stage = fall_back(stage, multiplier);
    }
    // Cut off in the middle of a step, the residual is still that of the coefficients before it.
    machine_.kernel.set_coefficients(state_.beta);
    return {{Status::iteration_limit, limits_.max_iterations}};
}

Step ActiveSet::take(Stage stage) {
    switch (stage) {
        case Stage::sweeps:
            return sweeps_.take(machine_, state_);
        case Stage::whole:
            return whole_.take(machine_, state_);
        case Stage::damped:
            return damped_.take(machine_, state_);
        case Stage::descent:
            break;
    }
    return descent_.take(machine_, state_);
}

// The joint step has no objective that coordinates could minimise one by one.
ActiveSet::Stage ActiveSet::first_stage(Multiplier multiplier) {
    if (multiplier == Multiplier::given && sweeps_.can_begin(machine_, state_)) {
        forecast_.extrapolate(machine_, state_);
        sweeps_.begin(machine_, state_);
        return Stage::sweeps;
    }
    whole_.begin(multiplier);
    if (!forecast_.by_factor().empty()) whole_.foresee(machine_, forecast_.by_factor(), state_);
    return Stage::whole;
}

// The next kind of step begins where the setting began, not where the last one got lost. Sweeps do
// not get lost: their support is the better beginning.
ActiveSet::Stage ActiveSet::fall_back(Stage stage, Multiplier multiplier) {
    if (stage == Stage::sweeps) {
        save(start_);
        whole_.begin(multiplier);
        return Stage::whole;
    }
    if (stage == Stage::whole && start_.features.size() <= tuning::largest_damped_support &&
        DampedSteps::can_begin(machine_, state_)) {
        damped_.begin(machine_, start_, state_);
        return Stage::damped;
    }
    descent_.begin(machine_, start_, state_);
    return Stage::descent;
}

}  // namespace sven::reduction
