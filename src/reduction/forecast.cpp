#include "reduction/forecast.hpp"

#include <algorithm>
#include <utility>

#include "reduction/questions.hpp"

namespace sven::reduction {

void Forecast::begin(Machine& machine, State& state, const Target& next) {
    std::swap(before_, last_);
    save(machine, state, last_.support);
    last_.h = state.h;
    by_factor_.clear();
    ratio_ = 0;
    if (next.is_budget() || state.target.is_budget()) return;
    if (before_.h > last_.h && last_.h > next.h())
        ratio_ = std::min(1.0, (last_.h - next.h()) / (before_.h - last_.h));
    if (has_changed()) solve(machine, state, next);
}

// A support that the last setting left as it was will mostly be left so by the next.
bool Forecast::has_changed() const {
    return last_.support.features != before_.support.features;
}

// The derivative along the way (maths.md, eq. 81). At the same l2 the first Newton point costs no
// factor either, and is exact.
void Forecast::solve(Machine& machine, State& state, const Target& next) {
    const double l2 = state.target.l2();
    const SystemRequest request{machine.kernel, state.active, state.ridge, l2};
    if (!(l2 > 0) || next.l2() == l2 || !machine.systems.has_factor_of(request)) return;
    machine.systems.update(request);
    solve_derivative(machine, state, next.h() - state.h, next.l2() - l2, by_factor_);
}

void Forecast::extrapolate(const Machine& machine, State& state) const {
    if (ratio_ == 0) return;
    for (std::size_t k = 0; k < before_.support.features.size(); ++k) {
        const Index slot = machine.kernel.slot_of(before_.support.features[k]);
        if (slot < 0 || !state.active[slot]) continue;
        const double beta = state.beta[slot];
        const double moved = beta + ratio_ * (beta - before_.support.beta[k]);
        if (beta * before_.support.beta[k] > 0) state.beta[slot] = moved * beta > 0 ? moved : 0;
    }
}

}  // namespace sven::reduction
