#include "reduction/descent.hpp"

#include <algorithm>
#include <cmath>

#include "reduction/tuning.hpp"

namespace sven::reduction {
namespace {

bool may_turn(const Machine& machine, const State& state, Index slot) {
    return machine.penalties.admits(machine.kernel.feature(slot), -state.sign[slot]);
}

// Newcomers: in the support, with a coefficient that still is zero, or at the limit where it was
// held.
bool is_newcomer(const Machine& machine, const State& state, Index slot) {
    if (!state.active[slot] || state.sign[slot] == 0) return false;
    const double beta = state.beta[slot];
    return beta == 0 || machine.penalties.is_at_limit(machine.kernel.feature(slot), beta);
}

Index count_newcomers(const Machine& machine, const State& state) {
    Index count = 0;
    for (Index slot = 0; slot < machine.kernel.slots(); ++slot)
        count += is_newcomer(machine, state, slot) ? 1 : 0;
    return count;
}

// Newcomers whose goal lies on the wrong side leave again.
Index drop_wrong_way(const Machine& machine, std::span<const double> goal, State& state) {
    Index dropped = 0;
    for (Index slot = 0; slot < machine.kernel.slots(); ++slot) {
        if (!is_newcomer(machine, state, slot)) continue;
        const double beta = state.beta[slot];
        const double inwards = beta == 0 ? state.sign[slot] : -state.sign[slot];
        if (inwards * (goal[slot] - beta) > 0) continue;
        hold(slot, beta, state);
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
        hold(static_cast<Index>(slot), 0, state);
    }
}

Step Descent::take(Machine& machine, State& state) {
    update_systems(machine, state);
    const Index fresh = count_newcomers(machine, state);
    if (fresh == 0 && !machine.systems.refused().empty())
        return exchange(machine, machine.systems.refused().front(), state);
    goal_.resize(state.beta.size());
    closed_form(machine, state, Multiplier::given, Accuracy::full, goal_.data());
    const Index dropped = drop_wrong_way(machine, goal_, state);
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

// Where a coefficient of the support that moves by `step` meets zero, and where its limit.
void Descent::note_breakpoints(const Machine& machine, const State& state, Index slot,
                               double step) {
    if (state.sign[slot] == 0 || step == 0) return;
    const double beta = state.beta[slot];
    if (beta * step < 0) breakpoints_.push_back({-beta / step, slot, 0});
    const double limit = machine.penalties.limit(machine.kernel.feature(slot), step);
    if (std::isfinite(limit) && limit > 0)
        breakpoints_.push_back(
            {(std::copysign(limit, step) - beta) / step, slot, std::copysign(limit, step)});
}

// A limit is a wall, and so is zero where a coefficient may not turn.
bool Descent::is_wall(const Machine& machine, const State& state, const Breakpoint& at) {
    return at.value != 0 || !may_turn(machine, state, at.slot);
}

// Moves beta towards goal. The slope along the way is -(1 - tau) d'Kd, plus 2 h f_j |d_j| for each
// coefficient that has crossed zero (maths.md, eq. 22). True when the support or its signs may have
// changed.
bool Descent::search_line(Machine& machine, std::span<const double> goal, State& state) {
    std::vector<double>& d = machine.scratch.rhs;
    const std::vector<double>& beta = state.beta;
    breakpoints_.clear();
    for (Index slot = 0; slot < machine.kernel.slots(); ++slot) {
        d[slot] = state.active[slot] ? goal[slot] - beta[slot] : 0;
        if (state.active[slot]) note_breakpoints(machine, state, slot, d[slot]);
    }
    std::erase_if(breakpoints_, [](const Breakpoint& point) { return point.at > 1; });
    std::sort(breakpoints_.begin(), breakpoints_.end());
    const double curvature = machine.systems.quadratic(d.data());
    double tau = 1;
    double jump = 0;
    Breakpoint hit;
    for (const Breakpoint& point : breakpoints_) {
        const double slope = -(1 - point.at) * curvature;
        if (curvature > 0 && slope + jump >= 0) break;
        jump += 2 * state.h * state.penalty_factor[point.slot] * std::abs(d[point.slot]);
        if (is_wall(machine, state, point) || slope + jump >= 0) {
            tau = point.at;
            hit = point;
            break;
        }
    }
    if (hit.slot < 0 && curvature > 0) tau = std::clamp(1 - jump / curvature, 0.0, 1.0);
    for (Index slot = 0; slot < machine.kernel.slots(); ++slot) {
        if (!state.active[slot]) continue;
        const double value = tau == 1 ? goal[slot] : beta[slot] + tau * d[slot];
        state.beta[slot] = slot == hit.slot ? hit.value : value;
        if (state.sign[slot] == 0) continue;
        if (state.beta[slot] == 0)
            hold(slot, 0, state);
        else if (!hold_at_limit(machine, slot, state))
            state.sign[slot] = state.beta[slot] > 0 ? 1 : -1;
    }
    return !breakpoints_.empty();
}

// The minimum on the support is reached: what violates, the largest first, joins it.
Step Descent::finish(Machine& machine, State& state) {
    machine.kernel.set_coefficients(state.beta);
    refine(machine, state, Multiplier::given);
    const Index dropped = changes_.correct(machine, state);
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
// falls (eq. 23). Go to the coefficient that reaches zero or a limit where it stops; j takes its
// place. What was held at a limit goes inwards.
bool Descent::try_exchange(Machine& machine, Index slot, State& state) {
    Kernel& kernel = machine.kernel;
    SupportSystems& systems = machine.systems;
    const std::vector<double>& products = machine.scratch.correlation;
    std::vector<double>& w = machine.scratch.u;
    std::vector<double>& beta = state.beta;
    kernel.set_coefficients(beta);
    kernel.slot_correlations(machine.scratch.correlation.data());
    const bool was_held = beta[slot] != 0;
    const double side = was_held ? state.sign[slot] : (products[slot] > 0 ? 1 : -1);
    const double sign = was_held ? -side : side;
    if (!machine.penalties.admits(kernel.feature(slot), side)) return false;
    state.sign[slot] = side;
    kernel.need_gram();
    for (const Index a : systems.order()) machine.scratch.rhs[a] = kernel.gram(a, slot);
    systems.solve(machine.scratch.rhs.data(), w.data());
    const auto slope_of = [&](Index a, double d) {
        return d * (state.h * state.penalty_factor[a] * state.sign[a] + state.ridge[a] * beta[a] -
                    products[a]);
    };
    double slope = slope_of(slot, sign);
    w[slot] = -1;
    breakpoints_.clear();
    note_breakpoints(machine, state, slot, sign);
    for (const Index a : systems.order()) {
        slope += slope_of(a, -sign * w[a]);
        note_breakpoints(machine, state, a, -sign * w[a]);
    }
    if (slope >= 0 || breakpoints_.empty()) return false;
    std::sort(breakpoints_.begin(), breakpoints_.end());
    Breakpoint hit;
    for (const Breakpoint& point : breakpoints_) {
        slope += 2 * state.h * state.penalty_factor[point.slot] * std::abs(w[point.slot]);
        hit = point;
        if (is_wall(machine, state, point) || slope >= 0) break;
    }
    const auto move = [&](Index a) {
        beta[a] -= hit.at * sign * w[a];
        if (state.sign[a] != 0) state.sign[a] = beta[a] > 0 ? 1 : -1;
    };
    for (const Index a : systems.order()) move(a);
    state.active[slot] = 1;
    state.held[slot] = 0;
    move(slot);
    hold(hit.slot, hit.value, state);
    return true;
}

}  // namespace sven::reduction
