#include "reduction/support_solver.hpp"

#include <algorithm>
#include <cmath>

namespace sven::reduction {
namespace {

// Below this a factor in double precision costs less than a dozen iterations.
constexpr Index large_support = 256;
// A stale factor and the Gram matrix behind it take 12 bytes for each pair of features.
constexpr Index largest_factor = 8000;
// Iterations that a stale factor should need; more, and it is made anew.
constexpr Index fresh_iterations = 14;
constexpr Index most_iterations = 60;
// Iterations by the diagonal that a setting takes at least.
constexpr Index expected_iterations = 350;
// Supports at one l2 after which a factor that follows them in small steps has paid for itself.
constexpr Index most_supports = 20;

// Operations of a product over scattered entries, or of one bound by memory, against those of a
// matrix product.
constexpr double scattered = 64;
constexpr double streamed = 24;

double largest(std::span<const Index> order, const double* values) {
    double result = 0;
    for (const Index slot : order) result = std::max(result, std::abs(values[slot]));
    return result;
}

}  // namespace

void SupportSolver::begin(double l2) {
    if (l2 == l2_) return;
    last_l2_ = l2_;
    l2_ = l2;
    must_factor_ = false;
    supports_ = 0;
}

void SupportSolver::expect_small_steps() {
    if (static_cast<Index>(order_.size()) <= largest_factor) must_factor_ = true;
}

void SupportSolver::reset() {
    factor_.reset();
    stale_.reset();
}

std::span<const Index> SupportSolver::refused() const {
    return is_iterative_ ? std::span<const Index>(refused_) : factor_.refused();
}

std::span<const Index> SupportSolver::order() const {
    return is_iterative_ ? std::span<const Index>(order_) : factor_.order();
}

// A factor for this l2 that is at hand is appended to: nothing beats that. Without
// a ridge of its own a feature may depend on others, which only a factor can tell.
bool SupportSolver::is_large(const Request& request) const {
    if (must_factor_ || !(request.l2 > 0) || factor_.is_for(request.l2)) return false;
    Index size = 0;
    for (std::size_t slot = 0; slot < request.active.size(); ++slot) {
        if (!request.active[slot]) continue;
        if (!(request.ridge[slot] > 0)) return false;
        ++size;
    }
    return size >= large_support;
}

// Of a setting by the stale factor: a third of its making, and some iterations.
double SupportSolver::factor_cost() const {
    const auto m = static_cast<double>(order_.size());
    return m * m * m / 9 + 10 * streamed * m * m;
}

Index SupportSolver::diagonal_limit() const {
    return static_cast<Index>(factor_cost() / (scattered * kernel_->multiply_cost()));
}

double SupportSolver::cost() const {
    const auto m = static_cast<double>(order().size());
    if (!is_iterative_) return m * m * m / 3 + 4 * m * m;
    if (uses_factor_) return factor_cost() / 2;
    return 100 * scattered * kernel_->multiply_cost();
}

void SupportSolver::update(const Request& request) {
    kernel_ = &request.kernel;
    active_ = request.active;
    ridge_ = request.ridge;
    begin(request.l2);
    is_iterative_ = is_large(request);
    if (!is_iterative_) {
        factor_.update(request);
        return;
    }
    order_.clear();
    for (std::size_t slot = 0; slot < active_.size(); ++slot)
        if (active_[slot]) order_.push_back(static_cast<Index>(slot));
    for (auto* values : {&residual_, &direction_, &image_, &scaled_})
        values->resize(active_.size(), 0.0);
    const bool may_factor = static_cast<Index>(order_.size()) <= largest_factor;
    uses_factor_ = may_factor && (keeps_factor_ || diagonal_limit() < expected_iterations);
    if (!uses_factor_) return;
    if (++supports_ > most_supports) {
        turn_to_factor();
        return;
    }
    const double ratio = last_l2_ > 0 ? std::clamp(l2_ / last_l2_, 0.6, 1.0) : 1;
    if (!stale_.update(*kernel_, active_, ridge_, l2_, ratio)) turn_to_factor();
}

void SupportSolver::solve(const double* b, double* x, double accuracy) {
    if (!is_iterative_) {
        factor_.solve(b, x);
        return;
    }
    for (const Index slot : order_) x[slot] = 0;
    iterate(b, x, 0, accuracy);
}

void SupportSolver::improve(const double* b, double* x, double tolerance, double reduction) {
    if (is_iterative_)
        iterate(b, x, tolerance, reduction);
    else
        factor_.solve(b, x);
}

void SupportSolver::multiply(const double* x, double* out) {
    kernel_->multiply_gram(x, out);
    for (std::size_t slot = 0; slot < active_.size(); ++slot)
        out[slot] = active_[slot] ? out[slot] + ridge_[slot] * x[slot] : 0;
}

void SupportSolver::precondition() {
    if (uses_factor_) {
        stale_.apply(active_, residual_.data(), scaled_.data());
        return;
    }
    for (const Index slot : order_) {
        const double norm = kernel_->column_norm(kernel_->feature(slot));
        scaled_[slot] = residual_[slot] / (norm * norm + ridge_[slot]);
    }
}

void SupportSolver::iterate(const double* b, double* x, double tolerance, double reduction) {
    for (std::size_t slot = 0; slot < active_.size(); ++slot)
        if (!active_[slot]) {
            x[slot] = 0;
            residual_[slot] = direction_[slot] = scaled_[slot] = 0;
        }
    multiply(x, image_.data());
    for (const Index slot : order_) residual_[slot] = b[slot] - image_[slot];
    tolerance = std::max(tolerance, reduction * largest(order_, residual_.data()));
    if (uses_factor_) {
        const bool is_done = run(x, tolerance, most_iterations);
        if (iterations_ > fresh_iterations) stale_.expire();
        if (!is_done) solve_by_factor(b, x);
        return;
    }
    // By the diagonal for as long as a factor would not have been cheaper.
    const bool may_factor = static_cast<Index>(order_.size()) <= largest_factor;
    const Index limit = may_factor ? diagonal_limit() : 20000;
    if (run(x, tolerance, limit)) return;
    if (may_factor && stale_.update(*kernel_, active_, ridge_, l2_, 1)) {
        uses_factor_ = keeps_factor_ = true;
        if (run(x, tolerance, most_iterations)) return;
    }
    solve_by_factor(b, x);
}

// Conjugate gradients from the residual at hand. False where `limit` iterations did not do.
bool SupportSolver::run(double* x, double tolerance, Index limit) {
    double energy = 0;
    for (iterations_ = 0; iterations_ < limit; ++iterations_) {
        if (largest(order_, residual_.data()) <= tolerance) return true;
        execution_.check();
        precondition();
        double next = 0;
        for (const Index slot : order_) next += residual_[slot] * scaled_[slot];
        if (!(next > 0)) return false;
        const double share = iterations_ == 0 ? 0 : next / energy;
        energy = next;
        for (const Index slot : order_) direction_[slot] = scaled_[slot] + share * direction_[slot];
        multiply(direction_.data(), image_.data());
        double curvature = 0;
        for (const Index slot : order_) curvature += direction_[slot] * image_[slot];
        if (!(curvature > 0)) return false;
        const double step = energy / curvature;
        for (const Index slot : order_) {
            x[slot] += step * direction_[slot];
            residual_[slot] -= step * image_[slot];
        }
    }
    return largest(order_, residual_.data()) <= tolerance;
}

void SupportSolver::turn_to_factor() {
    must_factor_ = true;
    is_iterative_ = false;
    factor_.update({*kernel_, active_, ridge_, l2_});
}

// K is too ill-conditioned to iterate on.
void SupportSolver::solve_by_factor(const double* b, double* x) {
    turn_to_factor();
    factor_.solve(b, x);
    for (const Index slot : factor_.refused()) x[slot] = 0;
}

double SupportSolver::quadratic(const double* d) {
    if (!is_iterative_) return factor_.quadratic(d);
    for (const Index slot : order_) direction_[slot] = d[slot];
    multiply(direction_.data(), image_.data());
    double sum = 0;
    for (const Index slot : order_) sum += d[slot] * image_[slot];
    return sum;
}

bool SupportSolver::inverse_diagonal(std::vector<double>& out) {
    if (is_iterative_ || factor_.is_orthogonal()) return false;
    factor_.inverse_diagonal(out);
    return true;
}

}  // namespace sven::reduction
