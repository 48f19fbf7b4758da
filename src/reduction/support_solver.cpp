#include "reduction/support_solver.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/blas.hpp"

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

// From this size on a device, transfers and all, takes less time than the threads (docs/gpu.md);
// without a ridge they have a factor that is only appended to.
constexpr Index remote_support = 256;
constexpr Index remote_support_without_ridge = 1024;

// Operations of a product over scattered entries, or of one bound by memory, against those of a
// matrix product.
constexpr double scattered = 150;
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
    is_coarse_ = false;
    supports_ = 0;
    spent_ = 0;
}

void SupportSolver::expect_small_steps() {
    if (way_ != Way::remote && static_cast<Index>(order_.size()) <= largest_factor)
        must_factor_ = true;
}

void SupportSolver::reset() {
    factor_.reset();
    stale_.reset();
    remote_.reset();
}

std::span<const Index> SupportSolver::refused() const {
    return way_ == Way::factor ? factor_.refused() : std::span<const Index>(refused_);
}

std::span<const Index> SupportSolver::order() const {
    return way_ == Way::factor ? factor_.order() : std::span<const Index>(order_);
}

// A factor for this l2 that is at hand is appended to: nothing on the host beats that. Without
// a ridge of its own a feature may depend on others, which only a factor can tell.
SupportSolver::Way SupportSolver::choose_way(const Request& request) const {
    // small steps, once expected without a ridge, are so for the whole path: not for a device
    const bool may_leave = !must_factor_ || !(request.l2 > 0);
    if (may_leave && prefers_remote()) return Way::remote;
    if (must_factor_ || !(request.l2 > 0) || factor_.is_for(request.l2)) return Way::factor;
    for (const Index slot : order_)
        if (!(request.ridge[slot] > 0)) return Way::factor;
    if (prefers_rows()) return Way::rows;
    return static_cast<Index>(order_.size()) >= large_support ? Way::iteration : Way::factor;
}

// Where pivots show that features depend on others, it is left to the host.
bool SupportSolver::prefers_remote() const {
    const auto m = static_cast<Index>(order_.size());
    const Index least = l2_ > 0 ? remote_support : remote_support_without_ridge;
    const bool has_few_rows = kernel_->has_columns() && kernel_->rows() < least;
    return has_remote_ && !is_coarse_ && m >= least && !has_few_rows;
}

// A setting sees some three supports, each with a factor of its own.
bool SupportSolver::prefers_rows() const {
    const auto m = static_cast<double>(order_.size());
    const auto n = static_cast<double>(kernel_->rows());
    if (!kernel_->has_columns() || m <= n) return false;
    const double by_features =
        m < static_cast<double>(large_support)
            ? m * m * m / 3
            : std::min(factor_cost(), static_cast<double>(expected_iterations) * iteration_cost());
    return row_cost() < by_features;
}

double SupportSolver::row_cost() const {
    const auto m = static_cast<double>(order_.size());
    const auto n = static_cast<double>(kernel_->rows());
    return n * n * n + 24 * n * m;
}

// Of a setting by the stale factor: a third of its making, and some iterations.
double SupportSolver::factor_cost() const {
    const auto m = static_cast<double>(order_.size());
    return m * m * m / 9 + 10 * streamed * m * m;
}

// Of one by the diagonal.
double SupportSolver::iteration_cost() const {
    return scattered * kernel_->multiply_cost();
}

Index SupportSolver::diagonal_limit() const {
    return static_cast<Index>(factor_cost() / iteration_cost());
}

double SupportSolver::cost() const {
    const auto m = static_cast<double>(order().size());
    if (way_ == Way::factor) return m * m * m / 3 + 4 * m * m;
    if (way_ == Way::rows) return row_cost() / 3;
    if (way_ == Way::remote) return 1e7 + m * m * m / 300;
    if (uses_factor_) return factor_cost() / 2;
    return 100 * iteration_cost();
}

void SupportSolver::update(const Request& request) {
    kernel_ = &request.kernel;
    active_ = request.active;
    ridge_ = request.ridge;
    begin(request.l2);
    order_.clear();
    for (std::size_t slot = 0; slot < active_.size(); ++slot)
        if (active_[slot]) order_.push_back(static_cast<Index>(slot));
    way_ = choose_way(request);
    if (way_ == Way::remote) {
        if (remote_.update(*kernel_, order_, ridge_)) return;
        has_remote_ = kernel_->systems() != nullptr;
        is_coarse_ = true;
        way_ = choose_way(request);
    }
    if (way_ == Way::rows) {
        if (!rows_.update(*kernel_, active_, ridge_, l2_)) turn_to_factor();
        return;
    }
    if (way_ == Way::factor) {
        factor_.update(request);
        return;
    }
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
    if (way_ == Way::iteration) {
        for (const Index slot : order_) x[slot] = 0;
        iterate(b, x, 0, accuracy);
    } else {
        solve_directly(b, x);
    }
}

void SupportSolver::improve(const double* b, double* x, double tolerance, double reduction) {
    if (way_ == Way::iteration)
        iterate(b, x, tolerance, reduction);
    else
        solve_directly(b, x);
}

void SupportSolver::solve_directly(const double* b, double* x) {
    if (way_ == Way::factor)
        factor_.solve(b, x);
    else if (way_ == Way::remote)
        remote_.solve(b, x);
    else if (!rows_.solve(b, x))
        solve_by_factor(b, x);
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
    // By the diagonal for as long as a factor would not have been cheaper, all the supports of
    // this setting together.
    const bool may_factor = static_cast<Index>(order_.size()) <= largest_factor;
    const Index limit = may_factor ? diagonal_limit() - spent_ : 20000;
    const bool is_done = run(x, tolerance, limit);
    spent_ += iterations_;
    if (is_done) return;
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
    way_ = Way::factor;
    factor_.update({*kernel_, active_, ridge_, l2_});
}

// K is too ill-conditioned for anything else.
void SupportSolver::solve_by_factor(const double* b, double* x) {
    turn_to_factor();
    factor_.solve(b, x);
    for (const Index slot : factor_.refused()) x[slot] = 0;
}

double SupportSolver::quadratic(const double* d) {
    if (way_ == Way::factor) return factor_.quadratic(d);
    direction_.assign(active_.size(), 0.0);
    for (const Index slot : order_) direction_[slot] = d[slot];
    double sum = 0;
    if (kernel_->has_columns()) {  // ||X d||^2, and no Gram matrix
        row_image_.resize(static_cast<std::size_t>(kernel_->rows()));
        kernel_->multiply(direction_, row_image_.data());
        sum = linalg::dot(kernel_->rows(), row_image_.data(), row_image_.data());
        for (const Index slot : order_) sum += ridge_[slot] * d[slot] * d[slot];
        return sum;
    }
    image_.resize(active_.size());
    multiply(direction_.data(), image_.data());
    for (const Index slot : order_) sum += d[slot] * image_[slot];
    return sum;
}

bool SupportSolver::inverse_diagonal(std::vector<double>& out) {
    if (way_ != Way::factor || factor_.is_orthogonal()) return false;
    factor_.inverse_diagonal(out);
    return true;
}

}  // namespace sven::reduction
