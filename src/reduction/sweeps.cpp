#include "reduction/sweeps.hpp"

#include <algorithm>
#include <cmath>

#include "reduction/tuning.hpp"

namespace sven::reduction {
namespace {

SupportSystems::Expected expect_exact(Machine& machine, const State& state) {
    SupportSystems::Expected expected =
        machine.systems.expect({machine.kernel, state.active, state.ridge, state.target.l2()});
    expected.cost *= tuning::exact_steps;
    return expected;
}

// Few candidates are looked at before the first sweep, so that it has all that enters; many cost
// more than that, and are looked at after it.
bool enters_at_once(const Machine& machine) {
    return static_cast<Index>(machine.candidates.size()) <= machine.kernel.slots();
}

}  // namespace

bool Sweeps::can_begin(Machine& machine, const State& state) {
    if (!has_loop_ || machine.gap_goal == 0 || !can_be_judged(machine, state) ||
        state.target.is_budget())
        return false;
    slots_.clear();
    for (Index slot = 0; slot < machine.kernel.slots(); ++slot)
        if (state.active[slot] || state.held[slot]) slots_.push_back(slot);
    const double expected = expected_sweeps_ * machine.kernel.sweep_cost(slots_);
    const SupportSystems::Expected exact = expect_exact(machine, state);
    // Where exact steps have a factor they are exact at once; without a ridge they also tell
    // whether there are other solutions.
    if (!machine.stops_short && (!iterates(exact.kind) || !(state.target.l2() > 0))) return false;
    if (expected + machine.block_cost <= exact.cost) return true;
    // supports change along a path: ask again before long
    expected_sweeps_ *= tuning::forgotten_sweeps;
    return false;
}

void Sweeps::begin(Machine& machine, State& state) {
    last_gap_ = spent_ = judged_ = 0;
    iterates_ = false;
    iterated_speed_ *= tuning::forgotten_speed;
    support_.begin();
    machine.kernel.set_coefficients(state.beta);
    if (state.support_size() == 0 || enters_at_once(machine))
        SupportChanges().enter(machine, gap_.entering(machine, state), state);
}

// The minimum over one coefficient: with z = x_j'r + x_j'x_j b_j, b_j := S(z, h f_j) / (x_j'x_j +
// l2 f_j), S the soft threshold (maths.md, eq. 61).
bool Sweeps::sweep(Machine& machine, State& state, int rounds) {
    const Kernel& kernel = machine.kernel;
    slots_.clear();
    inverse_.clear();
    for (Index slot = 0; slot < kernel.slots(); ++slot) {
        const double norm = kernel.column_norm(kernel.feature(slot));
        const double curvature = norm * norm + state.ridge[slot];
        if (!(curvature > 0)) continue;
        slots_.push_back(slot);
        inverse_.push_back(1 / curvature);
    }
    machine.work += rounds * kernel.sweep_cost(slots_);
    const Penalties& penalties = machine.penalties;
    return machine.kernel.sweep(slots_, rounds, [&](Index c, double product) {
        const Index slot = slots_[c];
        const double before = state.beta[slot];
        const double z = product + (1 / inverse_[c] - state.ridge[slot]) * before;
        const Index j = kernel.feature(slot);
        const double excess = penalties.magnitude(j, z) - penalties.bound(j, state.h);
        const double size = excess > 0 ? std::min(excess * inverse_[c], penalties.limit(j, z)) : 0;
        state.beta[slot] = z > 0 ? size : -size;
        return state.beta[slot] - before;
    });
}

double Sweeps::in_sweeps(const Machine& machine, double operations) const {
    return slots_.empty() ? 0 : operations / machine.kernel.sweep_cost(slots_);
}

Step Sweeps::take(Machine& machine, State& state) {
    const bool is_first = last_gap_ == 0;
    const double before = machine.work;
    // One is often enough where little is asked for, and after iterations.
    const bool is_one = iterates_ || (is_first && expected_sweeps_ <= tuning::sweeps_a_look);
    if (iterates_) {
        const Index iterations = support_.descend(machine, state, gap_.slot_products());
        machine.work += static_cast<double>(iterations) * machine.kernel.sweep_cost(slots_);
    }
    if (!sweep(machine, state, is_one ? 1 : tuning::sweeps_a_look)) {
        has_loop_ = false;
        settle(machine, state);
        return {Verdict::stuck};
    }
    const double cost = machine.work - before;
    spent_ += cost;
    // What is to come in has, or shows at the first look; what else comes, as the slots come
    // closer.
    double gap = gap_.of_slots(machine, state);
    if (is_first) looked_gap_ = gap;
    if (gap <= machine.gap_goal || gap < tuning::closer_slots * looked_gap_ ||
        (is_first && !enters_at_once(machine))) {
        looked_gap_ = gap;
        gap = gap_.of_candidates(machine);
    }
    const bool is_done = gap <= machine.gap_goal;
    if (is_done) expected_sweeps_ = in_sweeps(machine, spent_);
    if (is_done || is_too_slow(machine, state, gap, cost)) {
        settle(machine, state);
        return {is_done ? Verdict::near : Verdict::stuck};
    }
    const std::span<const Violator> entering = gap_.violators(machine, state);
    SupportChanges().enter(machine, entering, state);
    return {Verdict::changed, static_cast<Index>(entering.size())};
}

// The gap falls by about the same share with every sweep's worth of work: by that of the last two
// looks, the better one, since features that came in made a step of their own.
bool Sweeps::is_too_slow(Machine& machine, const State& state, double gap, double cost) {
    const double fall = last_gap_ > 0 ? std::log(last_gap_ / gap) : 0;
    last_gap_ = gap;
    // A gap that rose has found features that enter: it is judged from here.
    if (fall < 0) judged_ = 0;
    if (judged_++ == 0) {
        last_speed_ = 0;
        return false;
    }
    const double sweeps = in_sweeps(machine, cost);
    const double speed = std::max({fall, last_speed_ * sweeps, tuning::slowest_fall}) / sweeps;
    last_speed_ = fall / sweeps;
    const double more = std::log(gap / machine.gap_goal) / speed;
    if (takes_turns(machine, speed, more)) {
        judged_ = 0;
        return false;
    }
    const double exact = expect_exact(machine, state).cost;
    if (judged_ < tuning::least_looks && spent_ <= exact) return false;
    expected_sweeps_ = in_sweeps(machine, spent_) + more;
    return more * machine.kernel.sweep_cost(slots_) > exact;
}

// Where many more sweeps would be needed, iterations go between them, if there are such, as long as
// the gap falls faster by those; `speed` is its fall by a sweep's worth of work. What they did at
// settings before counts, but fades.
bool Sweeps::takes_turns(const Machine& machine, double speed, double more) {
    if (iterates_) {
        iterated_speed_ = speed;
        if (judged_ < tuning::least_looks || speed >= tuning::slower_iteration * swept_speed_)
            return false;
    } else {
        swept_speed_ = speed;
        if (more <= tuning::most_sweeps || iterated_speed_ < tuning::slower_iteration * speed ||
            !SweptSupport::can_begin(machine.kernel))
            return false;
    }
    iterates_ = !iterates_;
    return true;
}

void Sweeps::settle(Machine& machine, State& state) {
    for (Index slot = 0; slot < machine.kernel.slots(); ++slot) {
        const double beta = state.beta[slot];
        state.active[slot] = beta != 0;
        state.held[slot] = 0;
        if (beta != 0) state.sign[slot] = beta > 0 ? 1 : -1;
        hold_at_limit(machine, slot, state);
    }
    machine.kernel.set_coefficients(state.beta);
}

}  // namespace sven::reduction
