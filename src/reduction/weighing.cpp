#include "reduction/weighing.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/dense.hpp"
#include "reduction/tuning.hpp"

namespace sven::reduction {

bool Weighing::is_for(const Machine& machine, const State& state, Index changes) {
    const SystemKind kind = machine.systems.kind();
    const bool has_small_steps = kind == SystemKind::appended && !(state.target.l2() > 0);
    return (has_small_steps || kind == SystemKind::stale) && state.h > 0 &&
           !machine.penalties.has_limits() && changes >= tuning::fewest_weighed &&
           changes <= state.support_size() / tuning::support_per_weighed;
}

// At the Newton point the gradient of those that leave is that of their signs, and all others are
// where they would be with them: g = x_C'r - l2 f b + S b.
void Weighing::choose(Machine& machine, std::span<const Leaver> left,
                      std::span<const Violator> entered, State& state) {
    const Kernel& kernel = machine.kernel;
    slots_.clear();
    gradient_.clear();
    for (const Leaver& leaver : left) {
        slots_.push_back(leaver.slot);
        gradient_.push_back(state.h * state.penalty_factor[leaver.slot] * state.sign[leaver.slot]);
    }
    for (const Violator& v : entered) {
        const Index slot = kernel.slot_of(v.feature);
        slots_.push_back(slot);
        gradient_.push_back(v.sign * v.excess * state.penalty_factor[slot]);
    }
    for (const Index slot : slots_) state.active[slot] = 0;
    update_systems(machine, state);
    if (!machine.systems.eliminate(slots_, matrix_)) {
        for (const Violator& v : entered) state.active[kernel.slot_of(v.feature)] = 1;
        return;
    }
    const auto count = static_cast<Index>(slots_.size());
    for (std::size_t k = 0; k < left.size(); ++k)
        linalg::axpy(count, left[k].beta, matrix_.data() + static_cast<Index>(k) * count,
                     gradient_.data());
    descend(machine, state);
    for (std::size_t k = 0; k < slots_.size(); ++k) {
        const Index slot = slots_[k];
        // what the factor cannot tell from the others is for it to refuse
        state.active[slot] = is_weighed_[k] ? beta_[k] != 0 : k >= left.size();
        if (beta_[k] != 0) state.sign[slot] = beta_[k] > 0 ? 1 : -1;
    }
}

// One coordinate after the other.
void Weighing::descend(const Machine& machine, const State& state) {
    const auto count = static_cast<Index>(slots_.size());
    const Kernel& kernel = machine.kernel;
    beta_.assign(slots_.size(), 0.0);
    is_weighed_.resize(slots_.size());
    for (Index k = 0; k < count; ++k)
        is_weighed_[k] =
            matrix_[k * count + k] > tuning::weighed_pivot * kernel.gram(slots_[k], slots_[k]);
    double largest = state.h;
    for (int sweep = 0;
         sweep < tuning::most_weighing_sweeps && largest > tuning::weighing_accuracy * state.h;
         ++sweep) {
        largest = 0;
        for (Index k = 0; k < count; ++k) {
            if (!is_weighed_[k]) continue;
            const double* column = matrix_.data() + k * count;
            const double bound = state.h * state.penalty_factor[slots_[k]];
            const double pull = gradient_[k] + column[k] * beta_[k];
            const double excess = std::max(0.0, std::abs(pull) - bound);
            const double step = std::copysign(excess, pull) / column[k] - beta_[k];
            if (step == 0) continue;
            beta_[k] = excess == 0 ? 0 : beta_[k] + step;
            linalg::axpy(count, -step, column, gradient_.data());
            largest = std::max(largest, std::abs(step) * column[k]);
        }
    }
}

}  // namespace sven::reduction
