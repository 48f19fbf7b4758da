#include "reduction/systems/iteration.hpp"

#include <algorithm>
#include <cmath>

#include "reduction/tuning.hpp"

namespace sven::reduction {
namespace {

double largest(std::span<const Index> order, const double* values) {
    double result = 0;
    for (const Index slot : order) result = std::max(result, std::abs(values[slot]));
    return result;
}

}  // namespace

void Iteration::prepare(const SystemRequest& request) {
    take(request);
    for (auto* values : {&residual_, &direction_, &image_, &scaled_})
        values->resize(active_.size(), 0.0);
}

bool Iteration::solve(const double* b, double* x, SolveGoal& goal) {
    for (std::size_t slot = 0; slot < active_.size(); ++slot)
        if (!active_[slot]) x[slot] = residual_[slot] = direction_[slot] = scaled_[slot] = 0;
    const bool is_zero = largest(order_, x) == 0;
    if (!is_zero) multiply(x, image_.data());
    for (const Index slot : order_) residual_[slot] = b[slot] - (is_zero ? 0 : image_[slot]);
    goal.tolerance = std::max(goal.tolerance, goal.reduction * largest(order_, residual_.data()));
    goal.reduction = 0;
    return run(x, goal.tolerance);
}

// From the residual at hand.
bool Iteration::run(double* x, double tolerance) {
    const Index limit = most_iterations();
    double energy = 0;
    Index k = 0;
    bool is_done = largest(order_, residual_.data()) <= tolerance;
    for (; !is_done && k < limit; ++k) {
        execution_.check();
        precondition();
        double next = 0;
        for (const Index slot : order_) next += residual_[slot] * scaled_[slot];
        if (!(next > 0)) break;
        const double share = k == 0 ? 0 : next / energy;
        energy = next;
        for (const Index slot : order_) direction_[slot] = scaled_[slot] + share * direction_[slot];
        multiply(direction_.data(), image_.data());
        double curvature = 0;
        for (const Index slot : order_) curvature += direction_[slot] * image_[slot];
        if (!(curvature > 0)) break;
        const double step = energy / curvature;
        for (const Index slot : order_) {
            x[slot] += step * direction_[slot];
            residual_[slot] -= step * image_[slot];
        }
        is_done = largest(order_, residual_.data()) <= tolerance;
    }
    note_iterations(k);
    return is_done;
}

bool StaleIteration::update(const SystemRequest& request) {
    prepare(request);
    const double last = request.last_l2;
    ahead_ = last > 0 ? std::clamp(l2_ / last, tuning::farthest_ahead, 1.0) : 1;
    return factor_.update({*kernel_, active_, ridge_, l2_, ahead_});
}

bool StaleIteration::eliminate(const SystemRequest& request, std::span<const Index> slots,
                               linalg::Buffer<double>& out) {
    return factor_.eliminate({request.kernel, request.active, request.ridge, l2_, ahead_}, slots,
                             out);
}

Index StaleIteration::most_iterations() const {
    return tuning::most_stale_iterations;
}

void StaleIteration::note_iterations(Index iterations) {
    if (iterations > tuning::fresh_iterations) factor_.expire();
}

bool DiagonalIteration::update(const SystemRequest& request) {
    prepare(request);
    return true;
}

void DiagonalIteration::precondition() {
    for (const Index slot : order_) {
        const double norm = kernel_->column_norm(kernel_->feature(slot));
        scaled_[slot] = residual_[slot] / (norm * norm + ridge_[slot]);
    }
}

}  // namespace sven::reduction
