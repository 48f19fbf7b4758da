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
    return true;
}

bool DeviceFactor::solve(const double* b, double* x, SolveGoal& /*goal*/) {
    b_.resize(order_.size());
    x_.resize(order_.size());
    for (std::size_t k = 0; k < order_.size(); ++k) b_[k] = b[order_[k]];
    if (order_ == factored_ && ridges_ == factored_ridges_) {
        systems_->solve(b_, x_.data());
    } else {
        factored_.clear();  // until it is there
        if (!systems_->factor({members_, ridges_}, tuning::coarse_pivot, b_, x_.data()))
            return false;
        factored_ = order_;
        factored_ridges_ = ridges_;
    }
    for (std::size_t k = 0; k < order_.size(); ++k) x[order_[k]] = x_[k];
    return true;
}

}  // namespace sven::reduction
