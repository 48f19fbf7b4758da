// The guarantee behind the Newton steps: a monotone active-set method on the penalty form. Each
// step goes from the current point towards the minimum on its support, exactly as far as the
// piecewise quadratic falls; coefficients that reach zero leave, violators enter when the support
// is done. The objective falls strictly, so no support returns (maths.md, section "Descent").

#include <algorithm>
#include <cmath>

#include "reduction/active_set.hpp"

namespace sven::reduction {
namespace {

constexpr Index largest_bulk = 64;

}  // namespace

Index ActiveSet::descend() {
    // The joint budget step has no objective of its own to descend on; h is found from outside.
    if (budgeting_ == Budgeting::joint) {
        is_lost_ = true;
        return 0;
    }
    if (!is_descending_ && can_damp()) return is_damping_ ? damped_step() : start_damping();
    if (!is_descending_) return start_descent();
    Index fresh = 0;
    for (Index slot = 0; slot < kernel_.slots(); ++slot)
        fresh += active_[slot] && beta_[slot] == 0 && sign_[slot] != 0;
    if (fresh == 0 && !factor_.refused().empty()) {
        const Index slot = factor_.refused().front();
        if (!exchange(slot)) {
            is_ignored_[kernel_.feature(slot)] = 1;
            ignored_features_.push_back(kernel_.feature(slot));
        }
        return 1;
    }
    std::vector<double>& goal = direction_;
    closed_form(goal.data());
    const Index wrong = drop_wrong_way(goal);
    if (wrong > 0) {
        // A single violator moves the right way but for rounding: then it is a tie.
        if (wrong == fresh && bulk_ == 1) {
            for (const Violator& v : violators_) {
                is_ignored_[v.feature] = 1;
                ignored_features_.push_back(v.feature);
            }
        }
        if (wrong == fresh) bulk_ = 1;
        return wrong;
    }
    if (fresh > 0) bulk_ = largest_bulk;
    if (search_line(goal)) return 1;
    return finish_descent();
}

// From the last solution: whatever its setting, its coefficients agree with their signs.
Index ActiveSet::start_descent() {
    is_descending_ = true;
    factor_.expect_small_steps();
    bulk_ = largest_bulk;
    load(start_);
    for (Index slot = 0; slot < kernel_.slots(); ++slot) {
        if (!active_[slot] || sign_[slot] == 0 || sign_[slot] * beta_[slot] > 0) continue;
        active_[slot] = 0;
        beta_[slot] = 0;
    }
    return 1;
}

Index ActiveSet::drop_wrong_way(std::span<const double> goal) {
    Index dropped = 0;
    for (Index slot = 0; slot < kernel_.slots(); ++slot) {
        if (!active_[slot] || sign_[slot] == 0 || beta_[slot] != 0) continue;
        if (sign_[slot] * goal[slot] > 0) continue;
        active_[slot] = 0;
        ++dropped;
    }
    return dropped;
}

// Moves beta towards goal. The slope along the way is -(1 - tau) d'Kd, plus 2 h f_j |d_j| for each
// coefficient that has crossed zero (maths.md, eq. 22). True when the support or its signs may have
// changed.
bool ActiveSet::search_line(std::span<const double> goal) {
    breakpoints_.clear();
    for (Index slot = 0; slot < kernel_.slots(); ++slot) {
        rhs_[slot] = active_[slot] ? goal[slot] - beta_[slot] : 0;
        const bool turns =
            active_[slot] && sign_[slot] != 0 && beta_[slot] != 0 && goal[slot] * beta_[slot] <= 0;
        if (turns) breakpoints_.emplace_back(beta_[slot] / (beta_[slot] - goal[slot]), slot);
    }
    std::sort(breakpoints_.begin(), breakpoints_.end());
    const double curvature = factor_.quadratic(rhs_.data());
    double tau = 1;
    double jump = 0;
    Index hit = -1;
    for (const auto& [at, slot] : breakpoints_) {
        if (curvature > 0 && -(1 - at) * curvature + jump >= 0) break;
        jump += 2 * h_ * factor_of_[slot] * std::abs(rhs_[slot]);
        // Where coefficients may not turn negative, zero is a wall.
        if (penalties_.nonnegative || -(1 - at) * curvature + jump >= 0) {
            tau = at;
            hit = slot;
            break;
        }
    }
    if (hit < 0 && curvature > 0) tau = std::clamp(1 - jump / curvature, 0.0, 1.0);
    for (Index slot = 0; slot < kernel_.slots(); ++slot) {
        if (!active_[slot]) continue;
        const double value = tau == 1 ? goal[slot] : beta_[slot] + tau * rhs_[slot];
        beta_[slot] = slot == hit ? 0 : value;
        if (sign_[slot] == 0) continue;
        if (beta_[slot] == 0)
            active_[slot] = 0;
        else
            sign_[slot] = beta_[slot] > 0 ? 1 : -1;
    }
    return !breakpoints_.empty();
}

// The minimum on the support is reached: what violates, the largest first, joins it.
Index ActiveSet::finish_descent() {
    kernel_.set_coefficients(beta_);
    refine();
    const Index dropped = drop_wrong_signs();
    if (dropped > 0) return dropped;
    find_violators(true);
    if (violators_.empty()) return 0;
    std::sort(violators_.begin(), violators_.end(), [](const Violator& a, const Violator& b) {
        return a.excess != b.excess ? a.excess > b.excess : a.feature < b.feature;
    });
    if (static_cast<Index>(violators_.size()) > bulk_) violators_.resize(bulk_);
    enter(violators_);
    return static_cast<Index>(violators_.size());
}

// Feature j violates but x_j = X_A w: along (-s_j w, s_j) the fit does not change and the penalty
// falls (eq. 23). Go to the coefficient that reaches zero where it stops; j takes its place.
bool ActiveSet::exchange(Index slot) {
    kernel_.set_coefficients(beta_);
    kernel_.slot_correlations(correlation_.data());
    const double sign = correlation_[slot] > 0 ? 1 : -1;
    if (penalties_.nonnegative && sign < 0) return false;
    kernel_.need_gram();
    for (const Index a : factor_.order()) rhs_[a] = kernel_.gram(a, slot);
    factor_.solve(rhs_.data(), u_.data());
    double slope = h_ * factor_of_[slot] - sign * correlation_[slot];
    breakpoints_.clear();
    for (const Index a : factor_.order()) {
        const double d = -sign * u_[a];
        slope += d * (h_ * factor_of_[a] * sign_[a] + ridge_[a] * beta_[a] - correlation_[a]);
        if (sign_[a] != 0 && beta_[a] * d < 0) breakpoints_.emplace_back(-beta_[a] / d, a);
    }
    if (slope >= 0 || breakpoints_.empty()) return false;
    std::sort(breakpoints_.begin(), breakpoints_.end());
    double tau = 0;
    Index hit = -1;
    for (const auto& [at, a] : breakpoints_) {
        slope += 2 * h_ * factor_of_[a] * std::abs(u_[a]);
        tau = at;
        hit = a;
        if (penalties_.nonnegative || slope >= 0) break;
    }
    for (const Index a : factor_.order()) {
        beta_[a] -= tau * sign * u_[a];
        if (sign_[a] != 0) sign_[a] = beta_[a] > 0 ? 1 : -1;
    }
    beta_[hit] = 0;
    active_[hit] = 0;
    beta_[slot] = tau * sign;
    sign_[slot] = sign;
    active_[slot] = 1;
    return true;
}

}  // namespace sven::reduction
