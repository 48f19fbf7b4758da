#include <algorithm>
#include <cmath>

#include "reduction/machine.hpp"
#include "reduction/tuning.hpp"

namespace sven::reduction {

Machine::Machine(Kernel& data, const Penalties& costs, const linalg::Execution& team,
                 double tolerance)
    : kernel(data),
      penalties(costs),
      execution(team),
      // such a product changes the relative gap by as much
      violation_tolerance(std::clamp(tuning::violation_share * tolerance, tuning::least_violation,
                                     tuning::largest_violation)),
      systems(team),
      skipped(data.features()) {}

Index State::support_size() const {
    return std::count(active.begin(), active.end(), char{1}) +
           std::count(held.begin(), held.end(), char{1});
}

double State::held_l1() const {
    double sum = 0;
    for (std::size_t slot = 0; slot < held.size(); ++slot)
        if (held[slot]) sum += penalty_factor[slot] * std::abs(beta[slot]);
    return sum;
}

double State::weighted_l1() const {
    double sum = 0;
    for (std::size_t slot = 0; slot < beta.size(); ++slot)
        sum += penalty_factor[slot] * std::abs(beta[slot]);
    return sum;
}

void SkippedFeatures::clear() {
    for (const Index j : refused_) is_refused_[j] = 0;
    for (const Index j : tied_) is_tied_[j] = 0;
    refused_.clear();
    tied_.clear();
}

void add_slots(Machine& machine, std::span<const Index> features, State& state) {
    Kernel& kernel = machine.kernel;
    kernel.append(features);
    const auto size = static_cast<std::size_t>(kernel.slots());
    const auto before = static_cast<Index>(state.active.size());
    state.active.resize(size, 0);
    state.held.resize(size, 0);
    for (auto* values : {&state.sign, &state.beta, &state.penalty_factor, &state.ridge})
        values->resize(size, 0.0);
    for (Index slot = before; slot < kernel.slots(); ++slot) {
        state.penalty_factor[slot] = machine.penalties.l1_factor(kernel.feature(slot));
        state.ridge[slot] = state.target.l2() * state.penalty_factor[slot];
    }
    Scratch& scratch = machine.scratch;
    for (auto* values : {&scratch.rhs, &scratch.direction, &scratch.correlation, &scratch.u,
                         &scratch.v, &scratch.given})
        values->resize(size, 0.0);
}

State make_state(Machine& machine) {
    State state;
    std::vector<Index> free;
    for (Index j = 0; j < machine.kernel.features(); ++j)
        if (machine.penalties.is_free(j)) free.push_back(j);
    add_slots(machine, free, state);
    std::fill(state.active.begin(), state.active.end(), char{1});
    return state;
}

void set_target(const Machine& machine, const Target& target, State& state) {
    state.target = target;
    for (Index slot = 0; slot < machine.kernel.slots(); ++slot)
        state.ridge[slot] = target.l2() * state.penalty_factor[slot];
}

void hold(Index slot, double value, State& state) {
    state.active[slot] = 0;
    state.held[slot] = value != 0;
    state.beta[slot] = value;
    if (value != 0) state.sign[slot] = value > 0 ? 1 : -1;
}

bool hold_at_limit(const Machine& machine, Index slot, State& state) {
    const double beta = state.beta[slot];
    const Index j = machine.kernel.feature(slot);
    if (!machine.penalties.is_at_limit(j, beta)) return false;
    hold(slot, std::copysign(machine.penalties.limit(j, beta), beta), state);
    return true;
}

void save(const Machine& machine, const State& state, Support& out) {
    out.clear();
    const auto size = static_cast<std::size_t>(state.support_size());
    out.features.reserve(size);
    out.signs.reserve(size);
    out.beta.reserve(size);
    for (Index slot = 0; slot < machine.kernel.slots(); ++slot) {
        if (!state.active[slot] && !state.held[slot]) continue;
        out.features.push_back(machine.kernel.feature(slot));
        out.signs.push_back(state.sign[slot]);
        out.beta.push_back(state.beta[slot]);
    }
}

void load(Machine& machine, const Support& support, State& state) {
    Kernel& kernel = machine.kernel;
    std::fill(state.active.begin(), state.active.end(), char{0});
    std::fill(state.held.begin(), state.held.end(), char{0});
    std::fill(state.beta.begin(), state.beta.end(), 0.0);
    std::vector<Index> fresh;
    for (const Index j : support.features)
        if (kernel.slot_of(j) < 0) fresh.push_back(j);
    add_slots(machine, fresh, state);
    for (std::size_t k = 0; k < support.features.size(); ++k) {
        const Index slot = kernel.slot_of(support.features[k]);
        state.active[slot] = 1;
        state.sign[slot] = support.signs[k];
        state.beta[slot] = support.beta[k];
        hold_at_limit(machine, slot, state);
    }
    for (Index slot = 0; slot < kernel.slots(); ++slot)
        if (machine.penalties.is_free(kernel.feature(slot))) state.active[slot] = 1;
}

void compact(Machine& machine, State& state) {
    std::vector<Index> kept;
    for (Index slot = 0; slot < machine.kernel.slots(); ++slot)
        if (state.active[slot] || state.held[slot]) kept.push_back(slot);
    if (static_cast<Index>(kept.size()) == machine.kernel.slots()) return;
    for (auto* values : {&state.sign, &state.beta, &state.penalty_factor, &state.ridge}) {
        for (std::size_t k = 0; k < kept.size(); ++k) (*values)[k] = (*values)[kept[k]];
        values->resize(kept.size());
    }
    for (auto* marks : {&state.active, &state.held}) {
        for (std::size_t k = 0; k < kept.size(); ++k) (*marks)[k] = (*marks)[kept[k]];
        marks->resize(kept.size());
    }
    machine.kernel.keep(kept);
    machine.systems.reset();
}

}  // namespace sven::reduction
