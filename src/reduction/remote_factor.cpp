#include "reduction/remote_factor.hpp"

#include <algorithm>

#include "reduction/support_factor.hpp"

namespace sven::reduction {

bool RemoteFactor::update(Kernel& kernel, std::span<const Index> slots,
                          std::span<const double> ridge) {
    systems_ = kernel.systems();
    if (systems_ == nullptr) return false;
    x_.resize(slots.size());
    for (std::size_t k = 0; k < slots.size(); ++k) x_[k] = ridge[slots[k]];
    if (std::ranges::equal(slots, slots_) && x_ == ridge_) return true;
    members_.clear();
    for (const Index slot : slots) members_.push_back(kernel.member_of(slot));
    slots_.clear();  // until it is there
    if (!systems_->factor(members_, x_, SupportFactor::coarse_pivot)) return false;
    slots_.assign(slots.begin(), slots.end());
    ridge_.swap(x_);
    return true;
}

void RemoteFactor::solve(const double* b, double* x) {
    b_.resize(slots_.size());
    x_.resize(slots_.size());
    for (std::size_t k = 0; k < slots_.size(); ++k) b_[k] = b[slots_[k]];
    systems_->solve(b_, x_.data());
    for (std::size_t k = 0; k < slots_.size(); ++k) x[slots_[k]] = x_[k];
}

}  // namespace sven::reduction
