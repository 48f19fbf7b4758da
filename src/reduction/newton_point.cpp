// The Newton point of a support: solves with K, and refinement from the residual.

#include <algorithm>
#include <cmath>

#include "reduction/machine.hpp"
#include "reduction/tuning.hpp"

namespace sven::reduction {
namespace {

// Of a gradient that should vanish.
double step_tolerance(const Machine& machine, const State& state) {
    double scale = state.h;
    for (const Index slot : machine.systems.order()) {
        const double f = state.penalty_factor[slot];
        if (state.h == 0) scale = std::max(scale, std::abs(machine.scratch.rhs[slot]));
        if (f < 1 && state.h > 0) scale = std::min(scale, state.h * f);
    }
    return tuning::step_accuracy * scale;
}

// The multiplier at which beta + u - (h - h_before) v uses the budget up, v = K^-1 (f s) left in
// the scratch; `used` of the budget by beta. Not positive where there is none.
struct JointStep {
    double along_u = 0;  // (f s)'u
    double along_v = 0;  // (f s)'v
};

JointStep solve_joint(Machine& machine, const State& state) {
    Scratch& scratch = machine.scratch;
    JointStep step;
    for (const Index slot : machine.systems.order())
        scratch.direction[slot] = state.penalty_factor[slot] * state.sign[slot];
    machine.systems.solve(scratch.direction.data(), scratch.v.data());
    for (const Index slot : machine.systems.order()) {
        step.along_u += scratch.direction[slot] * scratch.u[slot];
        step.along_v += scratch.direction[slot] * scratch.v[slot];
    }
    return step;
}

// G b of the coefficients that are held at their limits, or null where none is.
const double* held_products(Machine& machine, const State& state) {
    if (std::find(state.held.begin(), state.held.end(), char{1}) == state.held.end())
        return nullptr;
    std::vector<double>& held = machine.scratch.direction;
    for (std::size_t slot = 0; slot < held.size(); ++slot)
        held[slot] = state.held[slot] ? state.beta[slot] : 0;
    machine.kernel.multiply_gram(held.data(), machine.scratch.given.data());
    return machine.scratch.given.data();
}

// A solve leaves zeros off the slots that it solves for.
void put_back_held(const Machine& machine, const State& state, double* out) {
    for (std::size_t slot = 0; slot < state.held.size(); ++slot) {
        if (!state.held[slot]) continue;
        const double sign = state.sign[slot];
        const Index j = machine.kernel.feature(static_cast<Index>(slot));
        out[slot] = sign * machine.penalties.limit(j, sign);
    }
}

// One step of refinement. False when there was nothing left to correct.
bool refine_once(Machine& machine, State& state, Multiplier multiplier) {
    Kernel& kernel = machine.kernel;
    SupportSystems& systems = machine.systems;
    Scratch& scratch = machine.scratch;
    kernel.slot_correlations(scratch.correlation.data());
    double largest = 0;
    double scale = 0;
    for (const Index slot : systems.order()) {
        const double bound = state.h * state.penalty_factor[slot] * state.sign[slot];
        scratch.rhs[slot] =
            scratch.correlation[slot] - bound - state.ridge[slot] * state.beta[slot];
        largest = std::max(largest, std::abs(scratch.rhs[slot]));
        scale = std::max(scale, kernel.column_norm(kernel.feature(slot)));
    }
    if (largest <= scale * kernel.settled()) return false;
    systems.solve(scratch.rhs.data(), scratch.u.data(), tuning::correction_accuracy);
    double dh = 0;
    if (multiplier == Multiplier::joint) {
        const JointStep step = solve_joint(machine, state);
        double used = 0;
        for (const Index slot : systems.order()) used += scratch.direction[slot] * state.beta[slot];
        used += state.held_l1();
        if (step.along_v > 0) dh = (step.along_u - (state.target.t() - used)) / step.along_v;
        state.h += dh;
    }
    for (const Index slot : systems.order())
        state.beta[slot] += scratch.u[slot] - (dh != 0 ? dh * scratch.v[slot] : 0);
    kernel.set_coefficients(state.beta);
    return true;
}

}  // namespace

void update_systems(Machine& machine, State& state) {
    machine.systems.update({machine.kernel, state.active, state.ridge, state.target.l2()});
    for (const Index slot : machine.systems.refused()) {
        if (!hold_at_limit(machine, slot, state)) hold(slot, 0, state);
        machine.skipped.refuse(machine.kernel.feature(slot));
    }
    machine.work += machine.systems.cost();
}

bool closed_form(Machine& machine, State& state, Multiplier multiplier, Accuracy accuracy,
                 double* out) {
    const Kernel& kernel = machine.kernel;
    SupportSystems& systems = machine.systems;
    Scratch& scratch = machine.scratch;
    const double* held = held_products(machine, state);
    const double held_budget = state.held_l1();
    // where the solver iterates, it starts from here
    if (out != state.beta.data()) std::copy(state.beta.begin(), state.beta.end(), out);
    for (Index slot = 0; slot < kernel.slots(); ++slot)
        if (!state.active[slot]) out[slot] = 0;
    const double h = multiplier == Multiplier::joint ? 0 : state.h;
    for (const Index slot : systems.order())
        scratch.rhs[slot] = kernel.response_product(kernel.feature(slot)) -
                            h * state.penalty_factor[slot] * state.sign[slot] -
                            (held != nullptr ? held[slot] : 0);
    if (multiplier == Multiplier::given) {
        // While the support still changes, a rough solution shows what comes and goes as well as
        // an exact one.
        systems.improve(scratch.rhs.data(), out,
                        {step_tolerance(machine, state),
                         accuracy == Accuracy::rough ? tuning::rough_accuracy : 0});
        put_back_held(machine, state, out);
        return true;
    }
    systems.solve(scratch.rhs.data(), scratch.u.data());
    const JointStep step = solve_joint(machine, state);
    put_back_held(machine, state, out);
    const double rest = state.target.t() - held_budget;
    const double joint = step.along_v > 0 ? (step.along_u - rest) / step.along_v : -1;
    if (!(joint > 0)) return false;
    state.h = joint;
    for (const Index slot : systems.order()) out[slot] = scratch.u[slot] - joint * scratch.v[slot];
    return true;
}

bool move_to_newton_point(Machine& machine, State& state, Multiplier multiplier,
                          Accuracy accuracy) {
    update_systems(machine, state);
    if (!closed_form(machine, state, multiplier, accuracy, state.beta.data())) return false;
    machine.kernel.set_coefficients(state.beta);
    machine.work += 2.0 * static_cast<double>(machine.kernel.rows()) *
                    static_cast<double>(machine.kernel.slots());
    // The factor of a QR is accurate, but a solve from the products X_A'y squares the condition all
    // the same: a few corrections from the residual bring the step to full accuracy.
    if (machine.systems.is_orthogonal()) refine(machine, state, multiplier);
    return true;
}

void refine(Machine& machine, State& state, Multiplier multiplier) {
    const int steps =
        machine.systems.is_orthogonal() ? tuning::refinements_after_qr : tuning::refinements;
    for (int k = 0; k < steps && refine_once(machine, state, multiplier); ++k) {
    }
}

}  // namespace sven::reduction
