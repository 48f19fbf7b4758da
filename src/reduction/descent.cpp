#include "reduction/descent.hpp"

#include <algorithm>
#include <cmath>

#include "reduction/tuning.hpp"

namespace sven::reduction {
namespace {

bool may_turn(const Machine& machine, const State& state, Index slot) {
    return machine.penalties.admits(machine.kernel.feature(slot), -state.sign[slot]);
}

// Newcomers: in the support, with coefficient zero.
Index count_newcomers(const State& state) {
    Index count = 0;
    for (std::size_t slot = 0; slot < state.active.size(); ++slot)
        count += state.active[slot] && state.beta[slot] == 0 && state.sign[slot] != 0;
    return count;
}

// Newcomers whose goal has the wrong sign leave again.
Index drop_wrong_way(std::span<const double> goal, State& state) {
    Index dropped = 0;
    for (std::size_t slot = 0; slot < state.active.size(); ++slot) {
        if (!state.active[slot] || state.sign[slot] == 0 || state.beta[slot] != 0) continue;
        if (state.sign[slot] * goal[slot] > 0) continue;
        state.active[slot] = 0;
        ++dropped;
    }
    return dropped;
}

}  // namespace

void Descent::begin(Machine& machine, const Support& start, State& state) {
    machine.systems.expect_small_steps();
    room_ = tuning::descent_room;
    load(machine, start, state);
    for (std::size_t slot = 0; slot < state.active.size(); ++slot) {
        if (!state.active[slot] || state.sign[slot] == 0 || state.sign[slot] * state.beta[slot] > 0)
            continue;
        state.active[slot] = 0;
        state.beta[slot] = 0;
    }
}

Step Descent::take(Machine& machine, State& state) {
    update_systems(machine, state);
    const Index fresh = count_newcomers(state);
    if (fresh == 0 && !machine.systems.refused().empty())
        return exchange(machine, machine.systems.refused().front(), state);
    goal_.resize(state.beta.size());
    closed_form(machine, state, Multiplier::given, Accuracy::full, goal_.data());
    const Index dropped = drop_wrong_way(goal_, state);
    if (dropped > 0) return drop_newcomers(machine, dropped, fresh);
    if (fresh > 0) room_ = tuning::descent_room;
    if (search_line(machine, goal_, state)) return {Verdict::changed, 1};
    return finish(machine, state);
}

// A single violator moves the right way but for rounding: where it does not, it is a tie.
Step Descent::drop_newcomers(Machine& machine, Index dropped, Index fresh) {
    if (dropped == fresh && room_ == 1)
        for (const Violator& v : changes_.violators()) machine.skipped.mark_tied(v.feature);
    if (dropped == fresh) room_ = 1;
    return {Verdict::changed, dropped};
}

// Moves beta towards goal. The slope along the way is -(1 - tau) d'Kd, plus 2 h f_j |d_j| for each
// coefficient that has crossed zero (maths.md, eq. 22). True when the support or its signs may have
// changed.
bool Descent::search_line(Machine& machine, std::span<const double> goal, State& state) {
    std::vector<double>& d = machine.scratch.rhs;
    const std::vector<double>& beta = state.beta;
    breakpoints_.clear();
    for (std::size_t slot = 0; slot < beta.size(); ++slot) {
        d[slot] = state.active[slot] ? goal[slot] - beta[slot] : 0;
        const bool turns = state.active[slot] && state.sign[slot] != 0 && beta[slot] != 0 &&
                           goal[slot] * beta[slot] <= 0;
        if (turns)
            breakpoints_.emplace_back(beta[slot] / (beta[slot] - goal[slot]),
                                      static_cast<Index>(slot));
    }
    std::sort(breakpoints_.begin(), breakpoints_.end());
    const double curvature = machine.systems.quadratic(d.data());
    double tau = 1;
    double jump = 0;
    Index hit = -1;
    for (const auto& [at, slot] : breakpoints_) {
        if (curvature > 0 && -(1 - at) * curvature + jump >= 0) break;
        jump += 2 * state.h * state.penalty_factor[slot] * std::abs(d[slot]);
        // Where a coefficient may not turn, zero is a wall.
        if (!may_turn(machine, state, slot) || -(1 - at) * curvature + jump >= 0) {
            tau = at;
            hit = slot;
            break;
        }
    }
    if (hit < 0 && curvature > 0) tau = std::clamp(1 - jump / curvature, 0.0, 1.0);
    for (Index slot = 0; slot < static_cast<Index>(beta.size()); ++slot) {
        if (!state.active[slot]) continue;
        const double value = tau == 1 ? goal[slot] : beta[slot] + tau * d[slot];
        state.beta[slot] = slot == hit ? 0 : value;
        if (state.sign[slot] == 0) continue;
        if (state.beta[slot] == 0)
            state.active[slot] = 0;
        else
            state.sign[slot] = state.beta[slot] > 0 ? 1 : -1;
    }
    return !breakpoints_.empty();
}

// The minimum on the support is reached: what violates, the largest first, joins it.
Step Descent::finish(Machine& machine, State& state) {
    machine.kernel.set_coefficients(state.beta);
    refine(machine, state, Multiplier::given);
    const Index dropped = changes_.drop_wrong_signs(machine, state);
    if (dropped > 0) return {Verdict::changed, dropped};
    changes_.find_violators(machine, state, SupportChanges::Dependent::listed);
    std::vector<Violator>& violators = changes_.violators();
    if (violators.empty()) return {Verdict::optimal};
    std::sort(violators.begin(), violators.end(), is_larger);
    if (static_cast<Index>(violators.size()) > room_) violators.resize(room_);
    changes_.enter(machine, violators, state);
    return {Verdict::changed, static_cast<Index>(violators.size())};
}

Step Descent::exchange(Machine& machine, Index slot, State& state) {
    if (!try_exchange(machine, slot, state))
        machine.skipped.mark_tied(machine.kernel.feature(slot));
    return {Verdict::changed, 1};
}

// Feature j violates but x_j = X_A w: along (-s_j w, s_j) the fit does not change and the penalty
// falls (eq. 23). Go to the coefficient that reaches zero where it stops; j takes its place.
bool Descent::try_exchange(Machine& machine, Index slot, State& state) {
    Kernel& kernel = machine.kernel;
    SupportSystems& systems = machine.systems;
    const std::vector<double>& products = machine.scratch.correlation;
    std::vector<double>& w = machine.scratch.u;
    std::vector<double>& beta = state.beta;
    kernel.set_coefficients(beta);
    kernel.slot_correlations(machine.scratch.correlation.data());
    const double sign = products[slot] > 0 ? 1 : -1;
    if (!machine.penalties.admits(kernel.feature(slot), sign)) return false;
    kernel.need_gram();
    for (const Index a : systems.order()) machine.scratch.rhs[a] = kernel.gram(a, slot);
    systems.solve(machine.scratch.rhs.data(), w.data());
    double slope = state.h * state.penalty_factor[slot] - sign * products[slot];
    breakpoints_.clear();
    for (const Index a : systems.order()) {
        const double d = -sign * w[a];
        slope += d * (state.h * state.penalty_factor[a] * state.sign[a] + state.ridge[a] * beta[a] -
                      products[a]);
        if (state.sign[a] != 0 && beta[a] * d < 0) breakpoints_.emplace_back(-beta[a] / d, a);
    }
    if (slope >= 0 || breakpoints_.empty()) return false;
    std::sort(breakpoints_.begin(), breakpoints_.end());
    double tau = 0;
    Index hit = -1;
    for (const auto& [at, a] : breakpoints_) {
        slope += 2 * state.h * state.penalty_factor[a] * std::abs(w[a]);
        tau = at;
        hit = a;
        if (!may_turn(machine, state, a) || slope >= 0) break;
    }
    for (const Index a : systems.order()) {
        beta[a] -= tau * sign * w[a];
        if (state.sign[a] != 0) state.sign[a] = beta[a] > 0 ? 1 : -1;
    }
    beta[hit] = 0;
    state.active[hit] = 0;
    beta[slot] = tau * sign;
    state.sign[slot] = sign;
    state.active[slot] = 1;
    return true;
}

}  // namespace sven::reduction
