#include "reduction/working_gap.hpp"

#include <algorithm>
#include <cmath>

namespace sven::reduction {
namespace {

bool has_closed_form(const Machine& machine, const State& state) {
    return state.target.l2() > 0 && !state.target.is_budget() && !machine.penalties.has_limits();
}

// The conjugate of l2 f b^2 + 2 h f |b|.
double conjugate(double product, double bound, double ridge) {
    const double excess = std::max(0.0, std::abs(product) - bound);
    return excess * excess / ridge;
}

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
    if (has_closed_form(machine, state)) return in_closed_form(machine, state);
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

double WorkingGap::of_candidates(Machine& machine, const State& state) {
    look_at_candidates(machine);
    if (has_closed_form(machine, state)) return in_closed_form(machine, state);
    for_outside(machine, candidate_, [&](Index j, double product) { sum_->add(j, product, 0, 0); });
    return sum_->close(squares_, machine.kernel.response_squares()).relative;
}

// Of the dual points r, and r scaled down until every product satisfies its bound, the better one.
double WorkingGap::in_closed_form(const Machine& machine, const State& state) const {
    double steepest = 0;
    for (std::size_t slot = 0; slot < products_.size(); ++slot)
        steepest =
            std::max(steepest, std::abs(products_[slot] - state.ridge[slot] * state.beta[slot]) /
                                   state.penalty_factor[slot]);
    for_outside(machine, candidate_, [&](Index j, double product) {
        steepest = std::max(steepest, std::abs(product) / machine.penalties.l1_factor(j));
    });
    double gap = closed_form_at(1, machine, state);
    if (steepest > state.h) gap = std::min(gap, closed_form_at(state.h / steepest, machine, state));
    return gap / machine.kernel.response_squares();
}

double WorkingGap::closed_form_at(double kappa, const Machine& machine, const State& state) const {
    double gap = (1 - kappa) * (1 - kappa) * squares_;
    for (std::size_t slot = 0; slot < products_.size(); ++slot) {
        const double beta = state.beta[slot];
        const double product = kappa * products_[slot];
        const double bound = state.h * state.penalty_factor[slot];
        gap += (state.ridge[slot] * beta - 2 * product) * beta + 2 * bound * std::abs(beta) +
               conjugate(product, bound, state.ridge[slot]);
    }
    for_outside(machine, candidate_, [&](Index j, double product) {
        gap += conjugate(kappa * product, machine.penalties.bound(j, state.h),
                         state.target.l2() * machine.penalties.l2_factor(j));
    });
    return gap;
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
