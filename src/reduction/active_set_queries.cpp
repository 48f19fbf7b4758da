// What a support can be asked once it is solved: its derivative along the path, the multiplier of
// another budget, and how well it is determined.

#include <algorithm>
#include <array>
#include <cmath>

#include "linalg/blas.hpp"
#include "reduction/active_set.hpp"

namespace sven::reduction {
namespace {

// Of squared distances: columns that differ by less, relative to their length, are the same.
constexpr double same_column = 1e-22;

}  // namespace

void ActiveSet::derivative(double dh, double dl2, std::vector<double>& out) {
    update_factor();
    out.assign(static_cast<std::size_t>(kernel_.slots()), 0.0);
    for (const Index slot : factor_.order())
        rhs_[slot] = -factor_of_[slot] * (dh * sign_[slot] + dl2 * beta_[slot]);
    factor_.solve(rhs_.data(), out.data(), 1e-3);
}

bool ActiveSet::depends_on_support(Index feature) {
    Index slot = kernel_.slot_of(feature);
    if (slot >= 0 && active_[slot]) return false;
    if (kernel_.has_columns() && repeats_support(feature)) return true;
    if (slot < 0) {
        kernel_.append({&feature, 1});
        grow_slots();
        slot = kernel_.slot_of(feature);
    }
    update_factor();
    if (kernel_.has_columns()) {
        span_rest_.resize(static_cast<std::size_t>(kernel_.rows()));
        kernel_.gather({&feature, 1}, span_rest_.data());
        kernel_.correlate_slots(span_rest_, rhs_.data());
    } else {
        for (Index a = 0; a < kernel_.slots(); ++a) rhs_[a] = kernel_.gram(a, slot);
    }
    const double length = rhs_[slot];
    std::fill(u_.begin(), u_.end(), 0.0);
    factor_.solve(rhs_.data(), u_.data());
    double distance = length;  // ||x - X_A w||^2
    for (const Index a : factor_.order()) distance -= rhs_[a] * u_[a];
    if (!(distance < 1e-10 * length)) return false;
    if (!kernel_.has_columns()) return true;
    // that close, the difference tells nothing: form the vector
    for (const Index a : factor_.order()) u_[a] = -u_[a];
    u_[slot] = 1;
    span_rest_.resize(static_cast<std::size_t>(kernel_.rows()));
    kernel_.multiply(u_, span_rest_.data());
    distance = linalg::dot(kernel_.rows(), span_rest_.data(), span_rest_.data());
    return distance < same_column * length;
}

// Most columns that depend on others are a copy of one, up to its sign, and need no factor to be
// told. Copies have the same length and the same product with y.
bool ActiveSet::repeats_support(Index feature) {
    const Index n = kernel_.rows();
    const double norm = kernel_.column_norm(feature);
    const double product = kernel_.response_product(feature);
    const auto is_near = [](double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(b); };
    for (Index slot = 0; slot < kernel_.slots(); ++slot) {
        const Index other = kernel_.feature(slot);
        const double other_product = kernel_.response_product(other);
        if (!active_[slot] || !is_near(kernel_.column_norm(other), norm) ||
            !is_near(std::abs(other_product), std::abs(product)))
            continue;
        span_rest_.resize(static_cast<std::size_t>(2 * n));
        const std::array<Index, 2> pair{feature, other};
        kernel_.gather(pair, span_rest_.data());
        linalg::axpy(n, product * other_product > 0 ? -1 : 1, span_rest_.data() + n,
                     span_rest_.data());
        if (linalg::dot(n, span_rest_.data(), span_rest_.data()) < same_column * norm * norm)
            return true;
    }
    return false;
}

bool ActiveSet::inverse_diagonal(std::span<const Index> features, std::vector<double>& out) {
    update_factor();
    // a feature that the factor refused has no entry
    if (factor_.order().size() != features.size() || !factor_.inverse_diagonal(rhs_)) return false;
    for (std::size_t k = 0; k < factor_.order().size(); ++k) u_[factor_.order()[k]] = rhs_[k];
    rhs_.resize(active_.size());
    out.clear();
    for (const Index j : features) {
        const Index slot = kernel_.slot_of(j);
        const double norm = kernel_.column_norm(j);
        // a column that close to the span of the others: the factor knows no digit of the distance
        if (!(u_[slot] * (norm * norm + ridge_[slot]) < 1e9)) {
            out.clear();
            return false;
        }
        out.push_back(u_[slot]);
    }
    return true;
}

double ActiveSet::gradient_energy() {
    update_factor();
    kernel_.slot_correlations(correlation_.data());
    for (const Index slot : factor_.order())
        rhs_[slot] = correlation_[slot] - ridge_[slot] * beta_[slot];
    factor_.solve(rhs_.data(), u_.data());
    double energy = 0;
    for (const Index slot : factor_.order()) energy += rhs_[slot] * u_[slot];
    return energy;
}

double ActiveSet::predict_multiplier(double t, double l2) {
    if (support_size() == 0) return 0;
    // One more factor at the new l2 would cost as much as a Newton step; at the old one the
    // prediction is as good where l2 changes little.
    update_factor();
    double use_v = 0;
    double use_b = 0;
    double use_d = 0;
    for (const Index slot : factor_.order()) {
        direction_[slot] = factor_of_[slot] * sign_[slot];
        rhs_[slot] = -factor_of_[slot] * (l2 - target_.l2) * beta_[slot];
    }
    factor_.solve(direction_.data(), v_.data());
    factor_.solve(rhs_.data(), u_.data());
    for (const Index slot : factor_.order()) {
        use_v += direction_[slot] * v_[slot];
        use_b += direction_[slot] * beta_[slot];
        use_d += direction_[slot] * u_[slot];
    }
    return use_v > 0 ? std::max(0.0, h_ - (t - use_b - use_d) / use_v) : 0;
}

}  // namespace sven::reduction
