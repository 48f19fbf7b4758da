// The multiplier of a budget, searched from outside where the joint step fails. The budget used,
// sum f |beta(h)|, falls with h and is linear while the support stays: a secant step on the support
// of the last h, kept inside a bracket, ends in finitely many steps (maths.md, eq. 24).

#include <algorithm>
#include <cmath>

#include "reduction/active_set.hpp"
#include "reduction/root_bracket.hpp"
#include "reduction/tuning.hpp"

namespace sven::reduction {
// Whatever was reached, the budget is kept: the certificate speaks of feasible points only.
void ActiveSet::shrink_into_budget() {
    const double t = state_.target.t();
    const double used = state_.weighted_l1();
    if (used <= t * (1 + tuning::budget_rounding)) return;
    for (std::size_t slot = 0; slot < state_.beta.size(); ++slot)
        if (state_.penalty_factor[slot] > 0) state_.beta[slot] *= t / used;
    machine_.kernel.set_coefficients(state_.beta);
}

Outcome ActiveSet::search_multiplier() {
    const double h_max = limits_.largest_h;
    const double t = state_.target.t();
    within_.h = h_max;
    within_.support.clear();
    beyond_.h = 0;
    beyond_.support.clear();
    double h =
        std::clamp(state_.h, tuning::least_multiplier * h_max, tuning::largest_multiplier * h_max);
    Outcome outcome;
    load(start_);
    for (;;) {
        machine_.execution.check();
        state_.h = h;
        save(start_);
        const Outcome step = follow(Multiplier::given).outcome;
        outcome.iterations += step.iterations;
        outcome.status = step.status;
        if (step.status != Status::optimal) return outcome;
        const double used = state_.weighted_l1();
        if (std::abs(used - t) <= tuning::budget_accuracy * t) return outcome;
        End& end = used < t ? within_ : beyond_;
        end.h = h;
        save(end.support);
        const double upper = within_.h;
        const double lower = beyond_.h;
        if (upper <= tuning::no_multiplier * h_max) return try_slack(outcome);
        if (upper - lower <= tuning::bracket_rounding * upper) {  // rounding leaves nothing between
            interpolate();
            return outcome;
        }
        const double secant = predict_multiplier(machine_, state_, state_.target);
        const double middle =
            lower > 0 ? std::sqrt(lower * upper) : tuning::next_multiplier * upper;
        h = secant > lower && secant < upper ? secant : middle;
    }
}

// No multiplier is small enough: the solution without l1 penalty, if it keeps the budget.
Outcome ActiveSet::try_slack(Outcome outcome) {
    state_.h = 0;
    save(start_);
    const Outcome step = follow(Multiplier::given).outcome;
    outcome.iterations += step.iterations;
    outcome.status = step.status;
    outcome.is_slack = state_.weighted_l1() <= state_.target.t() * (1 + tuning::slack_rounding);
    if (outcome.is_slack) return outcome;
    beyond_.h = 0;
    save(beyond_.support);
    interpolate();
    return outcome;
}

// Between two solutions whose multipliers are as good as the same, of which one leaves some of the
// budget unused and the other exceeds it: the point that uses it up.
void ActiveSet::interpolate() {
    const Kernel& kernel = machine_.kernel;
    const auto expand = [&](const Support& support) {
        std::vector<double> values(state_.beta.size(), 0.0);
        for (std::size_t k = 0; k < support.features.size(); ++k)
            values[kernel.slot_of(support.features[k])] = support.beta[k];
        return values;
    };
    const std::vector<double> from = expand(within_.support);
    const std::vector<double> to = expand(beyond_.support);
    const auto spare = [&](double share) {
        double used = 0;
        for (std::size_t slot = 0; slot < to.size(); ++slot)
            used += state_.penalty_factor[slot] *
                    std::abs(from[slot] + share * (to[slot] - from[slot]));
        return state_.target.t() - used;
    };
    if (!(spare(0) > 0) || !(spare(1) < 0)) return;
    RootBracket root({0, spare(0)}, {1, spare(1)});
    double share = 0;
    for (int k = 0; k < tuning::most_interpolations && !root.is_exhausted(); ++k) {
        share = root.next();
        root.add({share, spare(share)});
    }
    for (std::size_t slot = 0; slot < to.size(); ++slot) {
        double& beta = state_.beta[slot];
        beta = from[slot] + share * (to[slot] - from[slot]);
        const bool is_free = machine_.penalties.is_free(kernel.feature(static_cast<Index>(slot)));
        state_.active[slot] = beta != 0 || is_free;
        state_.held[slot] = 0;
        if (state_.penalty_factor[slot] > 0) state_.sign[slot] = beta > 0 ? 1 : -1;
        hold_at_limit(machine_, static_cast<Index>(slot), state_);
    }
    state_.h = within_.h + share * (beyond_.h - within_.h);
    machine_.kernel.set_coefficients(state_.beta);
}

}  // namespace sven::reduction
