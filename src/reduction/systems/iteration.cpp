#include "reduction/systems/iteration.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "linalg/dense.hpp"
#include "reduction/tuning.hpp"

namespace sven::reduction {
namespace {

// Of eight side by side, which become vectors.
double largest(std::span<const double> values) {
    constexpr std::size_t lanes = 8;
    std::array<double, lanes> result{};
    const std::size_t whole = values.size() / lanes * lanes;
    for (std::size_t k = 0; k < whole; k += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane)
            result[lane] = std::max(result[lane], std::abs(values[k + lane]));
    for (std::size_t k = whole; k < values.size(); ++k)
        result[0] = std::max(result[0], std::abs(values[k]));
    return *std::max_element(result.begin(), result.end());
}

}  // namespace

void Iteration::prepare(const SystemRequest& request) {
    take(request);
    for (auto* values : {&residual_, &direction_, &image_, &scaled_})
        values->resize(active_.size(), 0.0);
}

bool Iteration::solve(const double* b, double* x, SolveGoal& goal) {
    const std::size_t slots = active_.size();
    for (std::size_t slot = 0; slot < slots; ++slot)
        if (!active_[slot]) x[slot] = residual_[slot] = direction_[slot] = scaled_[slot] = 0;
    const bool is_zero = largest({x, slots}) == 0;
    if (!is_zero) multiply(x, image_.data());
    for (const Index slot : order_) residual_[slot] = b[slot] - (is_zero ? 0 : image_[slot]);
    goal.tolerance = std::max(goal.tolerance, goal.reduction * largest(residual_));
    goal.reduction = 0;
    return run(x, goal.tolerance);
}

// From the residual at hand. All vectors are zero off the support, so that loops go over all slots.
bool Iteration::run(double* x, double tolerance) {
    const auto slots = static_cast<Index>(active_.size());
    const Index limit = most_iterations();
    double energy = 0;
    Index k = 0;
    bool is_done = largest(residual_) <= tolerance;
    for (; !is_done && k < limit; ++k) {
        execution_.check();
        precondition();
        const double next = linalg::dot(slots, residual_.data(), scaled_.data());
        if (!(next > 0)) break;
        const double share = k == 0 ? 0 : next / energy;
        energy = next;
        for (Index slot = 0; slot < slots; ++slot)
            direction_[slot] = scaled_[slot] + share * direction_[slot];
        multiply(direction_.data(), image_.data());
        const double curvature = linalg::dot(slots, direction_.data(), image_.data());
        if (!(curvature > 0)) break;
        const double step = energy / curvature;
        linalg::axpy(slots, step, direction_.data(), x);
        linalg::axpy(slots, -step, image_.data(), residual_.data());
        is_done = largest(residual_) <= tolerance;
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
    inverse_.assign(active_.size(), 0.0);
    for (const Index slot : order_) {
        const double norm = kernel_->column_norm(kernel_->feature(slot));
        inverse_[slot] = 1 / (norm * norm + ridge_[slot]);
    }
    return true;
}

void DiagonalIteration::precondition() {
    for (std::size_t slot = 0; slot < inverse_.size(); ++slot)
        scaled_[slot] = residual_[slot] * inverse_[slot];
}

}  // namespace sven::reduction
