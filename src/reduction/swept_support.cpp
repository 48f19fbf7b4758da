#include "reduction/swept_support.hpp"

#include <algorithm>
#include <cmath>

#include "reduction/tuning.hpp"

namespace sven::reduction {
namespace {

// Half of ||r||^2 with the penalties.
double objective(Machine& machine, const State& state) {
    double sum = 0.5 * machine.kernel.residual_squares();
    for (std::size_t slot = 0; slot < state.beta.size(); ++slot) {
        const double beta = state.beta[slot];
        if (beta == 0) continue;
        const Index j = machine.kernel.feature(static_cast<Index>(slot));
        sum += (machine.penalties.bound(j, state.h) + 0.5 * state.ridge[slot] * std::abs(beta)) *
               std::abs(beta);
    }
    return sum;
}

}  // namespace

bool SweptSupport::can_begin(const Kernel& kernel) {
    return !kernel.multiplies_by_gram() || kernel.gram_cost() == 0;
}

void SweptSupport::begin() {
    length_ = tuning::shortest_iteration;
}

Index SweptSupport::move(const Machine& machine, double step, State& state) const {
    Index stopped = 0;
    for (std::size_t slot = 0; slot < direction_.size(); ++slot) {
        if (!active_[slot]) continue;
        const Index j = machine.kernel.feature(static_cast<Index>(slot));
        const double sign = before_[slot] > 0 ? 1 : -1;
        const double size = sign * (before_[slot] + step * direction_[slot]);
        const double admitted = std::clamp(size, 0.0, machine.penalties.limit(j, sign));
        stopped += admitted != size;
        state.beta[slot] = sign * admitted;
    }
    return stopped;
}

Index SweptSupport::descend(Machine& machine, State& state, std::span<const double> products) {
    active_.assign(state.beta.size(), 0);
    gradient_.assign(state.beta.size(), 0);
    direction_.assign(state.beta.size(), 0);
    Index moved = 0;
    for (std::size_t slot = 0; slot < products.size(); ++slot) {
        const double beta = state.beta[slot];
        const Index j = machine.kernel.feature(static_cast<Index>(slot));
        if (beta == 0 || machine.penalties.is_at_limit(j, beta)) continue;
        active_[slot] = 1;
        ++moved;
        gradient_[slot] = products[slot] - state.ridge[slot] * beta -
                          std::copysign(machine.penalties.bound(j, state.h), beta);
    }
    iteration_.update({machine.kernel, active_, state.ridge, state.target.l2()});
    iteration_.begin();
    iteration_.set_limit(length_);
    SolveGoal goal{0, tuning::iterated_share};
    iteration_.solve(gradient_.data(), direction_.data(), goal);
    const double least = objective(machine, state);
    before_ = state.beta;
    double step = 1;
    for (int k = 0; k < tuning::most_halvings; ++k, step /= 2) {
        const Index stopped = move(machine, step, state);
        machine.kernel.set_coefficients(state.beta);
        if (!(objective(machine, state) <= least)) continue;
        // What is selected has settled: the next may go further.
        const bool has_settled = step == 1 && stopped <= moved / tuning::support_per_stop;
        length_ = has_settled ? std::min(2 * length_, tuning::longest_iteration)
                              : std::max(length_ / 2, tuning::shortest_iteration);
        return iteration_.spent();
    }
    state.beta = before_;
    machine.kernel.set_coefficients(state.beta);
    length_ = tuning::shortest_iteration;
    return iteration_.spent();
}

}  // namespace sven::reduction
