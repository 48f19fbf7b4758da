// One setting from the current support: Newton steps, and for a budget the search for its
// multiplier where the joint step fails.

#include <algorithm>
#include <cmath>

#include "reduction/active_set.hpp"
#include "reduction/root_bracket.hpp"

namespace sven::reduction {

Outcome ActiveSet::run(const Target& target, Index max_iterations) {
    target_ = target;
    set_ridge();
    for (const Index j : refused_features_) is_refused_[j] = 0;
    for (const Index j : ignored_features_) is_ignored_[j] = 0;
    refused_features_.clear();
    ignored_features_.clear();
    save(start_);
    if (!target.is_budget) {
        budgeting_ = Budgeting::fixed;
        h_ = target.h;
        return run_newton(max_iterations);
    }
    budgeting_ = Budgeting::joint;
    if (h_ == 0) h_ = target.h;
    const double h_before = h_;
    Outcome outcome = run_newton(max_iterations);
    if (is_lost_ || outcome.status != Status::optimal) {
        h_ = h_before;
        budgeting_ = Budgeting::fixed;
        const Index spent = outcome.iterations;
        outcome = run_guarded_budget(max_iterations);
        outcome.iterations += spent;
    }
    h_ = std::max(0.0, h_);  // corrections may leave less
    shrink_into_budget();
    return outcome;
}

// Whatever was reached, the budget is kept: the certificate speaks of feasible points only.
void ActiveSet::shrink_into_budget() {
    const double use = budget_use();
    if (use <= target_.t * (1 + 1e-13)) return;
    for (Index slot = 0; slot < kernel_.slots(); ++slot)
        if (factor_of_[slot] > 0) beta_[slot] *= target_.t / use;
    kernel_.set_coefficients(beta_);
}

Outcome ActiveSet::run_newton(Index max_iterations) {
    is_lost_ = false;
    is_descending_ = false;
    is_damping_ = false;
    damped_steps_ = 0;
    must_descend_ = false;
    is_settled_ = false;
    steps_ = 0;
    svm::NewtonOptions options;
    options.max_iterations = max_iterations;
    options.execution = execution_;
    // A warm start rarely needs more than four steps; measured, that costs least. Rough ones may
    // take detours.
    options.patience = factor_.is_iterative() ? 8 : 4;
    const svm::NewtonReport report = svm::newton(*this, options);
    // Cut off in the middle of a step, the residual is still that of the coefficients before it.
    if (report.status != Status::optimal) kernel_.set_coefficients(beta_);
    return {report.status, report.iterations, false};
}

// No multiplier is small enough: the solution without l1 penalty, if it keeps the budget.
Outcome ActiveSet::run_slack(Index max_iterations, Outcome outcome) {
    h_ = 0;
    save(start_);
    const Outcome step = run_newton(max_iterations);
    outcome.iterations += step.iterations;
    outcome.status = step.status;
    outcome.is_slack = budget_use() <= target_.t * (1 + 1e-12);
    if (outcome.is_slack) return outcome;
    beyond_.h = 0;
    save(beyond_.support);
    interpolate();
    return outcome;
}

// Between two solutions whose multipliers are as good as the same, of which one leaves some of the
// budget unused and the other exceeds it: the point that uses it up.
void ActiveSet::interpolate() {
    const auto expand = [&](const Support& support) {
        std::vector<double> values(beta_.size(), 0.0);
        for (std::size_t k = 0; k < support.features.size(); ++k)
            values[kernel_.slot_of(support.features[k])] = support.beta[k];
        return values;
    };
    const std::vector<double> from = expand(within_.support);
    const std::vector<double> to = expand(beyond_.support);
    const auto spare = [&](double share) {
        double use = 0;
        for (std::size_t slot = 0; slot < to.size(); ++slot)
            use += factor_of_[slot] * std::abs(from[slot] + share * (to[slot] - from[slot]));
        return target_.t - use;
    };
    if (!(spare(0) > 0) || !(spare(1) < 0)) return;
    RootBracket bracket({0, spare(0)}, {1, spare(1)});
    double share = 0;
    for (int k = 0; k < 100 && !bracket.is_exhausted(); ++k) {
        share = bracket.next();
        bracket.add({share, spare(share)});
    }
    for (std::size_t slot = 0; slot < to.size(); ++slot) {
        beta_[slot] = from[slot] + share * (to[slot] - from[slot]);
        active_[slot] =
            beta_[slot] != 0 || penalties_.is_free(kernel_.feature(static_cast<Index>(slot)));
        if (factor_of_[slot] > 0) sign_[slot] = beta_[slot] > 0 ? 1 : -1;
    }
    h_ = within_.h + share * (beyond_.h - within_.h);
    kernel_.set_coefficients(beta_);
}

// The budget used, sum f |beta(h)|, falls with h and is linear while the support stays: a secant
// step on the support of the last h, kept inside a bracket, ends in finitely many steps (maths.md,
// eq. 24).
Outcome ActiveSet::run_guarded_budget(Index max_iterations) {
    const double h_max = target_.h;
    within_.h = h_max;
    within_.support.clear();
    beyond_.h = 0;
    beyond_.support.clear();
    double h = std::clamp(h_, 1e-12 * h_max, 0.9 * h_max);
    Outcome outcome;
    load(start_);
    for (;;) {
        execution_.check();
        h_ = h;
        save(start_);
        const Outcome step = run_newton(max_iterations);
        outcome.iterations += step.iterations;
        outcome.status = step.status;
        if (step.status != Status::optimal) return outcome;
        const double use = budget_use();
        if (std::abs(use - target_.t) <= 1e-14 * target_.t) return outcome;
        BudgetEnd& end = use < target_.t ? within_ : beyond_;
        end.h = h;
        save(end.support);
        if (within_.h <= 1e-13 * h_max) return run_slack(max_iterations, outcome);
        // rounding: the bracket cannot be narrowed further
        if (within_.h - beyond_.h <= 1e-15 * within_.h) {
            interpolate();
            return outcome;
        }
        const double secant = predict_multiplier(target_.t, target_.l2);
        const double middle = beyond_.h > 0 ? std::sqrt(beyond_.h * within_.h) : 0.1 * within_.h;
        h = secant > beyond_.h && secant < within_.h ? secant : middle;
    }
}

}  // namespace sven::reduction
