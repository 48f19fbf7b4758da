#include "reduction/support_changes.hpp"

#include <cmath>

namespace sven::reduction {

bool is_larger(const Violator& a, const Violator& b) {
    return a.excess != b.excess ? a.excess > b.excess : a.feature < b.feature;
}

Index SupportChanges::drop_wrong_signs(const Machine& machine, State& state) {
    const double l2 = state.target.l2();
    Index changes = 0;
    was_active_.assign(state.active.begin(), state.active.end());
    for (std::size_t slot = 0; slot < state.active.size(); ++slot) {
        if (!state.active[slot] || state.sign[slot] == 0) continue;
        const double along = state.sign[slot] * state.beta[slot];
        const bool may_turn = machine.penalties.admits(
            machine.kernel.feature(static_cast<Index>(slot)), -state.sign[slot]);
        // without an l1 penalty the sign does not matter
        if (along > 0 || (state.h == 0 && may_turn)) continue;
        ++changes;
        // x_j'r = s (h f + l2 f s beta): beyond -h f it is a sample of the other sign
        if (may_turn && l2 > 0 && along < -2 * state.h / l2) {
            state.sign[slot] = -state.sign[slot];
        } else {
            state.active[slot] = 0;
            state.beta[slot] = 0;
        }
    }
    return changes;
}

void SupportChanges::find_violators(Machine& machine, const State& state, Dependent dependent) {
    Kernel& kernel = machine.kernel;
    const std::span<const Index> candidates = machine.candidates;
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
    const auto is_outside = [&](Index slot) { return !state.active[slot] && !was_active_[slot]; };
    bool has_outside = false;
    for (Index slot = 0; slot < kernel.slots(); ++slot) has_outside |= is_outside(slot);
    if (has_outside) {
        std::vector<double>& products = machine.scratch.correlation;
        kernel.slot_correlations(products.data());
        for (Index slot = 0; slot < kernel.slots(); ++slot)
            if (is_outside(slot)) note(slot, kernel.feature(slot), products[slot]);
    }
    products_.resize(candidates.size());
    kernel.correlations(candidates, products_.data());
    machine.work +=
        2.0 * static_cast<double>(kernel.rows()) * static_cast<double>(candidates.size());
    for (std::size_t k = 0; k < candidates.size(); ++k)
        if (kernel.slot_of(candidates[k]) < 0) note(-1, candidates[k], products_[k]);
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
        state.active[slot] = 1;
        state.sign[slot] = v.sign;
        state.beta[slot] = 0;
    }
}

}  // namespace sven::reduction
