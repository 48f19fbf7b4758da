#include "reduction/whole_steps.hpp"

#include <algorithm>
#include <cmath>

#include "reduction/tuning.hpp"

namespace sven::reduction {
namespace {

std::span<const Violator> keep_largest(std::vector<Violator>& violators, Index count) {
    if (static_cast<Index>(violators.size()) <= count) return violators;
    std::nth_element(violators.begin(), violators.begin() + count, violators.end(), is_larger);
    return {violators.data(), static_cast<std::size_t>(count)};
}

// Without an l1 penalty everything is wanted.
bool takes_all(const Machine& machine, const State& state) {
    return state.h == 0 && !machine.penalties.has_limits();
}

}  // namespace

Index polish(Machine& machine, State& state, Multiplier multiplier, SupportChanges& changes) {
    refine(machine, state, multiplier);
    return changes.correct(machine, state);
}

void WholeSteps::begin(Multiplier multiplier) {
    multiplier_ = multiplier;
    rule_ = svm::StepRule(tuning::patience);
    accuracy_ = Accuracy::rough;
    steps_ = 0;
}

Step WholeSteps::take(Machine& machine, State& state) {
    if (!rule_.takes_full_step()) return {Verdict::stuck};
    const Step step = look_around(machine, state);
    rule_.note(step.changes);
    return step;
}

void WholeSteps::foresee(Machine& machine, std::span<const double> move, State& state) {
    for (std::size_t slot = 0; slot < move.size(); ++slot)
        if (state.active[slot]) state.beta[slot] += move[slot];
    machine.kernel.set_coefficients(state.beta);
    gap_.forget();
    find_changes(machine, state);
    changes_.enter(machine, entering(machine, state), state);
}

Index WholeSteps::find_changes(Machine& machine, State& state) {
    const Index dropped = changes_.correct(machine, state);
    changes_.find_violators(machine, state, SupportChanges::Dependent::noted,
                            gap_.candidate_products());
    return dropped + static_cast<Index>(changes_.violators().size());
}

std::span<const Violator> WholeSteps::entering(const Machine& machine, const State& state) {
    if (takes_all(machine, state)) return changes_.violators();
    return keep_largest(changes_.violators(), std::max(tuning::least_room, state.support_size()));
}

Step WholeSteps::look_around(Machine& machine, State& state) {
    if (!move_to_newton_point(machine, state, multiplier_, accuracy_)) return {Verdict::lost};
    if (is_near(machine, state)) return {Verdict::near};
    Index changes = find_changes(machine, state);
    if (changes == 0 && accuracy_ == Accuracy::rough && machine.systems.is_iterative()) {
        accuracy_ = Accuracy::full;
        if (!move_to_newton_point(machine, state, multiplier_, accuracy_)) return {Verdict::lost};
        if (is_near(machine, state)) return {Verdict::near};
        changes = find_changes(machine, state);
    }
    if (changes == 0) return finish(machine, state);
    accuracy_ = changes <= tuning::few_changes ? Accuracy::full : Accuracy::rough;
    const std::span<const Violator> violators = entering(machine, state);
    const bool weighs = is_weighed(machine, state, changes);
    if (leads_astray(machine, state, static_cast<Index>(violators.size()), weighs))
        return {Verdict::stuck, changes};
    change(machine, violators, weighs, state);
    return {Verdict::changed, changes};
}

bool WholeSteps::is_weighed(const Machine& machine, const State& state, Index changes) {
    return multiplier_ == Multiplier::given && !changes_.violators().empty() &&
           Weighing::is_for(machine, state, changes);
}

void WholeSteps::change(Machine& machine, std::span<const Violator> violators, bool weighs,
                        State& state) {
    changes_.enter(machine, violators, state);
    if (weighs) weighing_.choose(machine, changes_.left(), violators, state);
}

// A coefficient against its sign is one like any other, unless it breaks a limit or a budget.
bool WholeSteps::is_near(Machine& machine, State& state) {
    gap_.forget();
    if (!machine.stops_short || !can_be_judged(machine, state)) return false;
    for (const Index slot : machine.systems.order()) {
        const double beta = state.beta[slot];
        if (multiplier_ == Multiplier::joint && state.sign[slot] * beta < 0) return false;
        if (std::abs(beta) > machine.penalties.limit(machine.kernel.feature(slot), beta))
            return false;
    }
    if (!(gap_.of_slots(machine, state) <= machine.gap_goal) ||
        !(gap_.of_candidates(machine) <= machine.gap_goal))
        return false;
    signs_ = state.sign;
    for (const Index slot : machine.systems.order())
        if (state.beta[slot] != 0) state.sign[slot] = state.beta[slot] > 0 ? 1 : -1;
    return true;
}

void WholeSteps::go_on(Machine& machine, State& state) {
    state.sign = signs_;
    const Index changes = find_changes(machine, state);
    const std::span<const Violator> violators = entering(machine, state);
    change(machine, violators, is_weighed(machine, state, changes), state);
}

// Without a ridge no more than n features fit, and a support that still changes after a dozen
// steps is going round in circles.
bool WholeSteps::leads_astray(const Machine& machine, const State& state, Index entering,
                              bool is_weighed) {
    const bool has_ridge = state.target.l2() > 0;
    const Index size = state.support_size();
    const bool is_full =
        !has_ridge && machine.kernel.has_columns() && size + entering >= machine.kernel.rows();
    const bool is_far = !has_ridge && !is_weighed && !takes_all(machine, state) &&
                        size >= tuning::far_support &&
                        static_cast<Index>(changes_.violators().size()) > size / tuning::far_growth;
    return is_full || is_far ||
           ++steps_ >=
               (has_ridge ? tuning::most_whole_steps : tuning::most_whole_steps_without_ridge);
}

// Dependent features that still violate are for descent to exchange.
Step WholeSteps::finish(Machine& machine, State& state) {
    const bool has_dependent = changes_.has_dependent_violator();
    const Index changes = polish(machine, state, multiplier_, changes_);
    if (changes > 0) return {Verdict::changed, changes};
    return {has_dependent ? Verdict::stuck : Verdict::optimal};
}

}  // namespace sven::reduction
