#include "reduction/systems/device_factor.hpp"

#include "reduction/tuning.hpp"

namespace sven::reduction {

bool DeviceFactor::update(const SystemRequest& request) {
    take(request);
    systems_ = kernel_->systems();
    if (systems_ == nullptr) return false;
    members_.clear();
    ridges_.clear();
    for (const Index slot : order_) {
        members_.push_back(kernel_->member_of(slot));
        ridges_.push_back(request.ridge[slot]);
    }
    // whoever asked must know before a solve which features are refused
    return is_factored() || has_large_pivots() || factor({}, nullptr);
}

// A pivot is not below its ridge.
bool DeviceFactor::has_large_pivots() const {
    for (std::size_t k = 0; k < order_.size(); ++k) {
        const double norm = kernel_->column_norm(kernel_->feature(order_[k]));
        if (!(ridges_[k] > 2 * tuning::coarse_pivot * (norm * norm + ridges_[k]))) return false;
    }
    return true;
}

bool DeviceFactor::factor(std::span<const double> b, double* x) {
    factored_.clear();  // until it is there
    if (!systems_->factor({members_, ridges_}, tuning::coarse_pivot, b, x)) return false;
    factored_ = order_;
    factored_ridges_ = ridges_;
    return true;
}

bool DeviceFactor::solve(const double* b, double* x, SolveGoal& /*goal*/) {
    b_.resize(order_.size());
    x_.resize(order_.size());
    for (std::size_t k = 0; k < order_.size(); ++k) b_[k] = b[order_[k]];
    if (is_factored())
        systems_->solve(b_, x_.data());
    else if (!factor(b_, x_.data()))
        return false;  // rounding alone
    for (std::size_t k = 0; k < order_.size(); ++k) x[order_[k]] = x_[k];
    return true;
}

}  // namespace sven::reduction
