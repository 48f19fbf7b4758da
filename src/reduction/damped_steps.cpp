#include "reduction/damped_steps.hpp"

#include <algorithm>
#include <cmath>

#include "reduction/root_bracket.hpp"
#include "reduction/tuning.hpp"
#include "reduction/whole_steps.hpp"

namespace sven::reduction {

bool DampedSteps::can_begin(const Machine& machine, const State& state) {
    if (!(state.target.l2() > 0) || !(state.h > 0)) return false;
    for (Index slot = 0; slot < machine.kernel.slots(); ++slot) {
        const double norm = machine.kernel.column_norm(machine.kernel.feature(slot));
        if ((state.active[slot] || state.held[slot]) &&
            !(state.ridge[slot] > tuning::least_ridge * norm * norm))
            return false;
    }
    return true;
}

void DampedSteps::begin(Machine& machine, const Support& start, State& state) {
    steps_ = 0;
    accuracy_ = Accuracy::rough;
    load(machine, start, state);
    machine.kernel.set_coefficients(state.beta);
    anchor_.assign(state.beta.begin(), state.beta.end());
    anchor_products_.resize(static_cast<std::size_t>(machine.kernel.features()));
    newton_products_.resize(static_cast<std::size_t>(machine.kernel.features()));
    note_products(machine, anchor_products_);
    adopt_support(machine, state);
}

// x_j'r of the slots and the candidates.
void DampedSteps::note_products(Machine& machine, std::vector<double>& products) {
    Kernel& kernel = machine.kernel;
    const std::span<const Index> candidates = machine.candidates;
    std::vector<double>& of_slots = machine.scratch.correlation;
    kernel.slot_correlations(of_slots.data());
    candidate_products_.resize(candidates.size());
    kernel.correlations(candidates, candidate_products_.data());
    for (std::size_t k = 0; k < candidates.size(); ++k)
        products[candidates[k]] = candidate_products_[k];
    for (Index slot = 0; slot < kernel.slots(); ++slot)
        products[kernel.feature(slot)] = of_slots[slot];
}

// The support at the anchor; how many samples came or went.
Index DampedSteps::adopt_support(Machine& machine, State& state) {
    const Kernel& kernel = machine.kernel;
    const Penalties& penalties = machine.penalties;
    const ViolationRule rule(machine, state.h);
    const auto is_in = [&](Index j) {
        return !penalties.excluded[j] && rule.violates(j, anchor_products_[j]);
    };
    const auto sign = [&](Index j) { return anchor_products_[j] > 0 ? 1.0 : -1.0; };
    entering_.clear();
    for (const Index j : machine.candidates)
        if (kernel.slot_of(j) < 0 && is_in(j))
            entering_.push_back({-1, j, sign(j), std::abs(anchor_products_[j])});
    auto changes = static_cast<Index>(entering_.size());
    changes_.enter(machine, entering_, state);
    anchor_.resize(state.active.size(), 0.0);
    for (Index slot = 0; slot < kernel.slots(); ++slot) {
        const Index j = kernel.feature(slot);
        const bool is_member = is_in(j);
        const double limit = penalties.limit(j, sign(j));
        const double excess = std::abs(anchor_products_[j]) - penalties.bound(j, state.h);
        const bool is_held = is_member && excess >= state.ridge[slot] * limit;
        const bool is_active = is_member && !is_held;
        changes += is_active != (state.active[slot] != 0) || is_held != (state.held[slot] != 0) ||
                   (is_member && sign(j) != state.sign[slot]);
        if (is_held) {
            hold(slot, sign(j) * limit, state);
            continue;
        }
        state.active[slot] = is_active ? 1 : 0;
        state.held[slot] = 0;
        if (is_active) state.sign[slot] = sign(j);
        state.beta[slot] = is_active ? anchor_[slot] : 0;
    }
    return changes;
}

Step DampedSteps::take(Machine& machine, State& state) {
    if (steps_ >= tuning::most_damped_steps || !can_begin(machine, state)) return {Verdict::stuck};
    ++steps_;
    move_to_newton_point(machine, state, Multiplier::given, accuracy_);
    const Step step = move(machine, state);
    if (step.verdict != Verdict::optimal) return step;
    if (accuracy_ == Accuracy::rough && machine.systems.is_iterative()) {
        accuracy_ = Accuracy::full;
        return {Verdict::changed};  // nothing but the accuracy: once more
    }
    const Index changes = polish(machine, state, Multiplier::given, changes_);
    return {changes > 0 ? Verdict::changed : Verdict::optimal, changes};
}

// From the anchor towards the Newton point, where the state is.
Step DampedSteps::move(Machine& machine, State& state) {
    const Kernel& kernel = machine.kernel;
    note_products(machine, newton_products_);
    // on the support the product follows from the coefficient, without cancellation
    for (const Index slot : machine.systems.order())
        newton_products_[kernel.feature(slot)] =
            state.h * state.penalty_factor[slot] * state.sign[slot] +
            state.ridge[slot] * state.beta[slot];
    const double tau = search_line(machine, state);
    const bool is_whole = tau >= 1;
    for (Index slot = 0; slot < kernel.slots(); ++slot)
        anchor_[slot] =
            is_whole ? state.beta[slot] : anchor_[slot] + tau * (state.beta[slot] - anchor_[slot]);
    const auto move = [&](Index j) {
        double& product = anchor_products_[j];
        product = is_whole ? newton_products_[j] : product + tau * (newton_products_[j] - product);
    };
    for (Index slot = 0; slot < kernel.slots(); ++slot) move(kernel.feature(slot));
    for (const Index j : machine.candidates)
        if (kernel.slot_of(j) < 0) move(j);
    const Index changes = adopt_support(machine, state);
    if (is_whole && changes == 0) return {Verdict::optimal};
    accuracy_ = changes <= tuning::few_changes ? Accuracy::full : Accuracy::rough;
    return {Verdict::changed, changes};
}

// The slope of f at anchor + tau (Newton point - anchor), over the features in view.
double DampedSteps::slope(const Machine& machine, const State& state, double tau) const {
    const Kernel& kernel = machine.kernel;
    const Penalties& penalties = machine.penalties;
    double slope = 0;
    const auto hinge = [&](Index j) {
        const double at = anchor_products_[j];
        const double step = newton_products_[j] - at;
        const double product = at + tau * step;
        const double excess = penalties.magnitude(j, product) - penalties.bound(j, state.h);
        const double ridge = state.target.l2() * penalties.l2_factor(j);
        // what the product asks for, but for the limit
        const double size = std::min(excess / ridge, penalties.limit(j, product));
        if (excess > 0) slope += size * (product > 0 ? step : -step);
    };
    for (Index slot = 0; slot < kernel.slots(); ++slot) {
        const Index j = kernel.feature(slot);
        if (penalties.excluded[j]) continue;
        // y - theta = X b, and X'X (b_new - b) is the difference of the products
        const double gram = anchor_products_[j] - newton_products_[j];
        slope += (anchor_[slot] + tau * (state.beta[slot] - anchor_[slot])) * gram;
        hinge(j);
    }
    for (const Index j : machine.candidates)
        if (kernel.slot_of(j) < 0 && !penalties.excluded[j]) hinge(j);
    return slope;
}

// Where the slope, which grows, passes zero. The pieces are linear, so that few evaluations do.
double DampedSteps::search_line(const Machine& machine, const State& state) const {
    const double at_anchor = slope(machine, state, 0);
    const double at_point = slope(machine, state, 1);
    if (!(at_point > tuning::flat_slope * std::abs(at_anchor)) || !(at_anchor < 0)) return 1;
    RootBracket bracket({0, -at_anchor}, {1, -at_point});
    for (int k = 0; k < tuning::most_line_evaluations && !bracket.is_exhausted(); ++k) {
        if (bracket.high().at - bracket.low().at <= tuning::line_accuracy * bracket.high().at)
            break;
        const double tau = bracket.next();
        bracket.add({tau, -slope(machine, state, tau)});
    }
    return bracket.nearest().at;
}

}  // namespace sven::reduction
