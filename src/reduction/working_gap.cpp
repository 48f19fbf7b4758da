#include "reduction/working_gap.hpp"

#include <algorithm>
#include <cmath>

namespace sven::reduction {

// Unpenalised features are for exact steps: the dual point must be orthogonal to them. Without an
// l1 penalty there is nothing to find out.
bool can_be_judged(const Machine& machine, const State& state) {
    const std::span<const double> factors = machine.penalties.factors;
    return state.h > 0 && machine.skipped.is_empty() &&
           std::none_of(factors.begin(), factors.end(), [](double f) { return f == 0; });
}

double WorkingGap::of_slots(Machine& machine, const State& state) {
    Kernel& kernel = machine.kernel;
    products_.resize(state.beta.size());
    candidate_.clear();
    kernel.slot_correlations(products_.data());
    const double squares = kernel.residual_squares();
    problem::DualPoint point;
    point.length = std::sqrt(squares);
    const auto question = problem::Question::of(state.target, state.h, false);
    if (!sum_)
        sum_.emplace(question, machine.penalties, point);
    else
        sum_->begin(question, point);
    for (Index slot = 0; slot < kernel.slots(); ++slot)
        sum_->add(kernel.feature(slot), products_[slot], 0, state.beta[slot]);
    return sum_->close(squares, kernel.response_squares()).relative;
}

double WorkingGap::of_candidates(Machine& machine) {
    Kernel& kernel = machine.kernel;
    const std::span<const Index> candidates = machine.candidates;
    candidate_.resize(candidates.size());
    kernel.correlations(candidates, candidate_.data());
    for (std::size_t k = 0; k < candidates.size(); ++k)
        if (kernel.slot_of(candidates[k]) < 0 && !machine.penalties.excluded[candidates[k]])
            sum_->add(candidates[k], candidate_[k], 0, 0);
    return sum_->close(kernel.residual_squares(), kernel.response_squares()).relative;
}

std::span<const Violator> WorkingGap::violators(const Machine& machine, const State& state) {
    const ViolationRule rule(machine, state.h);
    const Kernel& kernel = machine.kernel;
    violators_.clear();
    const auto note = [&](Index slot, Index j, double product) {
        if (!machine.penalties.excluded[j] && rule.violates(j, product))
            violators_.push_back({slot, j, product > 0 ? 1.0 : -1.0, std::abs(product)});
    };
    for (Index slot = 0; slot < kernel.slots(); ++slot)
        if (state.beta[slot] == 0) note(slot, kernel.feature(slot), products_[slot]);
    for (std::size_t k = 0; k < candidate_.size(); ++k)
        if (kernel.slot_of(machine.candidates[k]) < 0)
            note(-1, machine.candidates[k], candidate_[k]);
    return violators_;
}

}  // namespace sven::reduction
