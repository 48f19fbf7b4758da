// Where whole Newton steps lead nowhere: the same steps, cut short by an exact line search in the
// residual (maths.md, eq. 56). The dual objective
//
//     f(theta) = 1/2 ||y - theta||^2 + sum_j (|x_j'theta| - h f_j)_+^2 / (2 l2 f_j)
//
// is convex and piecewise quadratic, a Newton point minimises the piece of its support, and every
// theta on the way is y - X b for some b over the slots. So the line is searched from products that
// are known already: those at the anchor b and those at the Newton point.

#include <algorithm>
#include <cmath>

#include "reduction/active_set.hpp"

namespace sven::reduction {
namespace {

constexpr Index most_damped_steps = 40;

}  // namespace

// A ridge on every feature, large enough that a product above its bound tells a coefficient.
bool ActiveSet::can_damp() const {
    if (!(target_.l2 > 0) || !(h_ > 0) || damped_steps_ >= most_damped_steps) return false;
    for (Index slot = 0; slot < kernel_.slots(); ++slot) {
        const double norm = kernel_.column_norm(kernel_.feature(slot));
        if (active_[slot] && !(ridge_[slot] > 1e-9 * norm * norm)) return false;
    }
    return true;
}

Index ActiveSet::start_damping() {
    is_damping_ = true;
    load(start_);
    kernel_.set_coefficients(beta_);
    anchor_.assign(beta_.begin(), beta_.end());
    anchor_products_.resize(static_cast<std::size_t>(kernel_.features()));
    newton_products_.resize(static_cast<std::size_t>(kernel_.features()));
    note_products(anchor_products_);
    adopt_support();
    return 1;
}

// x_j'r of the slots and the candidates.
void ActiveSet::note_products(std::vector<double>& products) {
    kernel_.slot_correlations(correlation_.data());
    candidate_products_.resize(candidates_.size());
    kernel_.correlations(candidates_, candidate_products_.data());
    for (std::size_t k = 0; k < candidates_.size(); ++k)
        products[candidates_[k]] = candidate_products_[k];
    for (Index slot = 0; slot < kernel_.slots(); ++slot)
        products[kernel_.feature(slot)] = correlation_[slot];
}

// The support at the anchor; how many samples came or went.
Index ActiveSet::adopt_support() {
    Index changes = 0;
    violators_.clear();
    rounding_ = kernel_.rounding();
    double sign = 0;
    for (Index slot = 0; slot < kernel_.slots(); ++slot) {
        const Index j = kernel_.feature(slot);
        const bool is_in = !penalties_.excluded[j] && is_violated(j, anchor_products_[j], sign);
        changes += is_in != (active_[slot] != 0) || (is_in && sign != sign_[slot]);
        active_[slot] = is_in ? 1 : 0;
        if (is_in) sign_[slot] = sign;
        beta_[slot] = is_in ? anchor_[slot] : 0;
    }
    for (const Index j : candidates_)
        if (kernel_.slot_of(j) < 0 && !penalties_.excluded[j] &&
            is_violated(j, anchor_products_[j], sign))
            violators_.push_back({-1, j, sign, std::abs(anchor_products_[j])});
    changes += static_cast<Index>(violators_.size());
    enter(violators_);
    anchor_.resize(active_.size(), 0.0);
    return changes;
}

// After solve(): from the anchor towards the Newton point.
Index ActiveSet::damped_step() {
    ++damped_steps_;
    note_products(newton_products_);
    // on the support the product follows from the coefficient, without cancellation
    for (const Index slot : factor_.order())
        newton_products_[kernel_.feature(slot)] =
            h_ * factor_of_[slot] * sign_[slot] + ridge_[slot] * beta_[slot];
    const double tau = search_dual_line();
    const bool is_whole = tau >= 1;
    for (Index slot = 0; slot < kernel_.slots(); ++slot)
        anchor_[slot] =
            is_whole ? beta_[slot] : anchor_[slot] + tau * (beta_[slot] - anchor_[slot]);
    const auto move = [&](Index j) {
        double& product = anchor_products_[j];
        product = is_whole ? newton_products_[j] : product + tau * (newton_products_[j] - product);
    };
    for (Index slot = 0; slot < kernel_.slots(); ++slot) move(kernel_.feature(slot));
    for (const Index j : candidates_)
        if (kernel_.slot_of(j) < 0) move(j);
    const Index changes = adopt_support();
    if (!is_whole || changes > 0) {
        is_settled_ = changes <= 2;
        return std::max<Index>(1, changes);
    }
    if (factor_.is_iterative() && !is_settled_) {
        is_settled_ = true;
        solve();
        return damped_step();
    }
    has_refused_violators_ = false;
    return finish_full_step();
}

// The slope of f at anchor + tau (Newton point - anchor), over the features in view.
double ActiveSet::dual_slope(double tau) const {
    double slope = 0;
    const auto hinge = [&](Index j) {
        const double at = anchor_products_[j];
        const double step = newton_products_[j] - at;
        const double product = at + tau * step;
        const double f = penalties_.factor(j);
        const double excess = (penalties_.nonnegative ? product : std::abs(product)) - h_ * f;
        if (excess > 0) slope += excess * (product > 0 ? step : -step) / (target_.l2 * f);
    };
    for (Index slot = 0; slot < kernel_.slots(); ++slot) {
        const Index j = kernel_.feature(slot);
        if (penalties_.excluded[j]) continue;
        // y - theta = X b, and X'X (b_new - b) is the difference of the products
        const double gram = anchor_products_[j] - newton_products_[j];
        slope += (anchor_[slot] + tau * (beta_[slot] - anchor_[slot])) * gram;
        hinge(j);
    }
    for (const Index j : candidates_)
        if (kernel_.slot_of(j) < 0 && !penalties_.excluded[j]) hinge(j);
    return slope;
}

// Where the slope, which grows, passes zero: between bounds that close in, by secants kept away
// from the ends. The pieces are linear, so that few evaluations do.
double ActiveSet::search_dual_line() const {
    double low = 0;
    double high = 1;
    double slope_low = dual_slope(0);
    double slope_high = dual_slope(1);
    if (!(slope_high > 1e-10 * std::abs(slope_low)) || !(slope_low < 0)) return 1;
    for (int k = 0; k < 30 && high - low > 1e-6 * high; ++k) {
        const double secant = low - slope_low * (high - low) / (slope_high - slope_low);
        const double margin = 0.05 * (high - low);
        const double tau = std::clamp(secant, low + margin, high - margin);
        const double slope = dual_slope(tau);
        (slope > 0 ? high : low) = tau;
        (slope > 0 ? slope_high : slope_low) = slope;
    }
    return low > 0 ? low : high;
}

}  // namespace sven::reduction
