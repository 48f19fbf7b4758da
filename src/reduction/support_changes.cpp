#include "reduction/support_changes.hpp"

#include <cmath>

namespace sven::reduction {

bool is_larger(const Violator& a, const Violator& b) {
    return a.excess != b.excess ? a.excess > b.excess : a.feature < b.feature;
}

Index SupportChanges::correct(const Machine& machine, State& state) {
    const Penalties& penalties = machine.penalties;
    const double l2 = state.target.l2();
    Index changes = 0;
    left_.clear();
    was_active_.assign(state.active.begin(), state.active.end());
    for (Index slot = 0; slot < machine.kernel.slots(); ++slot) {
        if (!state.active[slot] || state.sign[slot] == 0) continue;
        const Index j = machine.kernel.feature(slot);
        const double along = state.sign[slot] * state.beta[slot];
        const bool may_turn = penalties.admits(j, -state.sign[slot]);
        // without an l1 penalty the sign does not matter
        if (along > 0 || (may_turn && penalties.bound(j, state.h) == 0)) {
            changes += hold_at_limit(machine, slot, state) ? 1 : 0;
            continue;
        }
        ++changes;
        // x_j'r = s (h f + l2 f s beta): beyond -h f it is a sample of the other sign
        if (may_turn && l2 > 0 && along < -2 * state.h / l2) {
            state.sign[slot] = -state.sign[slot];
        } else {
            left_.push_back({slot, state.beta[slot]});
            hold(slot, 0, state);
        }
    }
    return changes;
}

void SupportChanges::find_violators(Machine& machine, const State& state, Dependent dependent,
                                    std::span<const double> of_candidates) {
    Kernel& kernel = machine.kernel;
    violators_.clear();
    has_dependent_ = false;
    const ViolationRule rule(machine, state.h);
    const auto note = [&](Index slot, Index j, double product) {
        if (machine.penalties.excluded[j] || machine.skipped.is_tied(j) ||
            !rule.violates(j, product))
            return;
        if (machine.skipped.is_refused(j) && dependent == Dependent::noted) {
            has_dependent_ = true;
            return;
        }
        const double f = machine.penalties.l1_factor(j);
        violators_.push_back(
            {slot, j, product > 0 ? 1.0 : -1.0, std::abs(product) / (f > 0 ? f : 1)});
    };
    // What is held goes inwards again where its gradient says so.
    const auto note_held = [&](Index slot, Index j, double product) {
        const double sign = state.sign[slot];
        const double along = sign * (product - state.ridge[slot] * state.beta[slot]);
        const double f = machine.penalties.l1_factor(j);
        if (machine.skipped.is_tied(j) || !rule.is_below(j, along)) return;
        if (machine.skipped.is_refused(j) && dependent == Dependent::noted) {
            has_dependent_ = true;
            return;
        }
        violators_.push_back({slot, j, sign, f > 0 ? 2 * state.h - along / f : -along});
    };
    const auto is_outside = [&](Index slot) { return !state.active[slot] && !was_active_[slot]; };
    outside_.clear();
    for (Index slot = 0; slot < kernel.slots(); ++slot)
        if (is_outside(slot)) outside_.push_back(slot);
    if (!outside_.empty()) {
        std::vector<double>& products = machine.scratch.correlation;
        kernel.correlations_of_slots(outside_, products.data());
        for (const Index slot : outside_)
            state.held[slot] ? note_held(slot, kernel.feature(slot), products[slot])
                             : note(slot, kernel.feature(slot), products[slot]);
    }
    if (!of_candidates.empty()) {
        for (std::size_t k = 0; k < of_candidates.size(); ++k)
            if (kernel.slot_of(machine.candidates[k]) < 0)
                note(-1, machine.candidates[k], of_candidates[k]);
        return;
    }
    outside_.clear();
    for (const Index j : machine.candidates)
        if (kernel.slot_of(j) < 0) outside_.push_back(j);
    products_.resize(outside_.size());
    kernel.correlations(outside_, products_.data());
    machine.work += 2.0 * static_cast<double>(kernel.rows()) * static_cast<double>(outside_.size());
    for (std::size_t k = 0; k < outside_.size(); ++k) note(-1, outside_[k], products_[k]);
}

void SupportChanges::enter(Machine& machine, std::span<const Violator> violators, State& state) {
    Kernel& kernel = machine.kernel;
    fresh_.clear();
    for (const Violator& v : violators)
        if (v.slot < 0) fresh_.push_back(v.feature);
    add_slots(machine, fresh_, state);
    machine.work += 2.0 * static_cast<double>(kernel.rows()) * static_cast<double>(kernel.slots()) *
                    static_cast<double>(fresh_.size());
    for (const Violator& v : violators) {
        const Index slot = v.slot < 0 ? kernel.slot_of(v.feature) : v.slot;
        if (!state.held[slot]) state.beta[slot] = 0;
        state.active[slot] = 1;
        state.held[slot] = 0;
        state.sign[slot] = v.sign;
    }
}

}  // namespace sven::reduction
