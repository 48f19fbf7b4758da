#include "reduction/working_gap.hpp"

#include <algorithm>
#include <cmath>

namespace sven::reduction {
namespace {

// The candidates that are none of the slots, with their products.
template <class Body>
void for_outside(const Machine& machine, std::span<const double> products, const Body& body) {
    for (std::size_t k = 0; k < products.size(); ++k) {
        const Index j = machine.candidates[k];
        if (machine.kernel.slot_of(j) < 0 && !machine.penalties.excluded[j]) body(j, products[k]);
    }
}

}  // namespace

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
    squares_ = kernel.residual_squares();
    problem::DualPoint point;
    point.length = std::sqrt(squares_);
    const auto question = problem::Question::of(state.target, state.h, false);
    if (!sum_)
        sum_.emplace(question, machine.penalties, point);
    else
        sum_->begin(question, point);
    for (Index slot = 0; slot < kernel.slots(); ++slot)
        sum_->add(kernel.feature(slot), products_[slot], 0, state.beta[slot]);
    return sum_->close(squares_, kernel.response_squares()).relative;
}

void WorkingGap::look_at_candidates(Machine& machine) {
    candidate_.resize(machine.candidates.size());
    machine.kernel.correlations(machine.candidates, candidate_.data());
}

double WorkingGap::of_candidates(Machine& machine) {
    look_at_candidates(machine);
    for_outside(machine, candidate_, [&](Index j, double product) { sum_->add(j, product, 0, 0); });
    return sum_->close(squares_, machine.kernel.response_squares()).relative;
}

std::span<const Violator> WorkingGap::violators(const Machine& machine, const State& state) {
    const ViolationRule rule(machine, state.h);
    const Kernel& kernel = machine.kernel;
    violators_.clear();
    const auto note = [&](Index slot, Index j, double product) {
        if (!machine.penalties.excluded[j] && rule.violates(j, product))
            violators_.push_back({slot, j, product > 0 ? 1.0 : -1.0, std::abs(product)});
    };
    for (Index slot = 0; slot < static_cast<Index>(products_.size()); ++slot)
        if (state.beta[slot] == 0) note(slot, kernel.feature(slot), products_[slot]);
    for_outside(machine, candidate_, [&](Index j, double product) { note(-1, j, product); });
    return violators_;
}

std::span<const Violator> WorkingGap::entering(Machine& machine, const State& state) {
    products_.clear();
    look_at_candidates(machine);
    return violators(machine, state);
}

}  // namespace sven::reduction
