#include "reduction/systems/row_factor.hpp"

#include <algorithm>
#include <cmath>

#include "reduction/tuning.hpp"

namespace sven::reduction {

bool RowFactor::update(const SystemRequest& request) {
    take(request);
    for (auto* values : {&scaled_, &image_, &correction_}) values->resize(active_.size());
    row_.resize(static_cast<std::size_t>(kernel_->rows()));
    if (!follow_support() && l2_ == factored_l2_) return true;
    factored_l2_ = matrix_.factorise(l2_) ? l2_ : -1;
    return factored_l2_ >= 0;
}

// Whether the sum has changed.
bool RowFactor::follow_support() {
    is_member_.resize(static_cast<std::size_t>(kernel_->features()), 0);
    weight_.resize(is_member_.size());
    entering_.clear();
    leaving_.clear();
    for (std::size_t k = 0; k < members_.size();) {
        const Index slot = kernel_->slot_of(members_[k]);
        if (slot >= 0 && active_[slot]) {
            ++k;
            continue;
        }
        leaving_.push_back(members_[k]);
        members_[k] = members_.back();
        members_.pop_back();
    }
    removed_ += static_cast<Index>(leaving_.size());
    const auto kept = static_cast<Index>(members_.size());
    if (kept == 0 || removed_ > kept) {
        for (const auto* list : {&members_, &leaving_})
            for (const Index j : *list) is_member_[j] = 0;
        members_.clear();
        leaving_.clear();
        removed_ = 0;
        matrix_.begin(kernel_->rows());
    }
    for (std::size_t slot = 0; slot < active_.size(); ++slot) {
        const Index j = kernel_->feature(static_cast<Index>(slot));
        if (!active_[slot] || is_member_[j]) continue;
        weight_[j] = l2_ / ridge_[slot];
        entering_.push_back(j);
    }
    const auto gather = [&](std::span<const Index> features, double* out) {
        kernel_->gather(features, out);
    };
    matrix_.add(leaving_, weight_, -1, gather);
    matrix_.add(entering_, weight_, 1, gather);
    for (const Index j : leaving_) is_member_[j] = 0;
    for (const Index j : entering_) is_member_[j] = 1;
    members_.insert(members_.end(), entering_.begin(), entering_.end());
    return !entering_.empty() || !leaving_.empty();
}

// K^-1 = R^-1 (I - l2 X' W^-1 X R^-1), R = l2 F.
void RowFactor::apply(const double* b, double* x) {
    for (std::size_t slot = 0; slot < active_.size(); ++slot)
        scaled_[slot] = active_[slot] ? b[slot] / ridge_[slot] : 0;
    kernel_->multiply(scaled_, row_.data());
    matrix_.solve(row_.data());
    kernel_->correlate_slots(row_, image_.data());
    for (std::size_t slot = 0; slot < active_.size(); ++slot)
        x[slot] = active_[slot] ? (b[slot] - l2_ * image_[slot]) / ridge_[slot] : 0;
}

// Corrected once at least: what apply() loses is the share of l2 in W.
bool RowFactor::solve(const double* b, double* x, SolveGoal& /*goal*/) {
    apply(b, x);
    double before = 0;
    for (int k = 0; k < tuning::row_corrections; ++k) {
        kernel_->multiply({x, active_.size()}, row_.data());
        kernel_->correlate_slots(row_, image_.data());
        double largest = 0;
        double rest = 0;
        for (std::size_t slot = 0; slot < active_.size(); ++slot) {
            correction_[slot] = active_[slot] ? b[slot] - image_[slot] - ridge_[slot] * x[slot] : 0;
            rest = std::max(rest, std::abs(correction_[slot]));
            if (active_[slot]) largest = std::max(largest, std::abs(b[slot]));
        }
        if (rest <= tuning::row_accuracy * largest) return true;
        if (k > 0 && !(rest < tuning::slow_correction * before)) return false;
        before = rest;
        apply(correction_.data(), correction_.data());
        for (std::size_t slot = 0; slot < active_.size(); ++slot) x[slot] += correction_[slot];
        if (rest <= tuning::nearly_there * largest) return true;
    }
    return false;
}

}  // namespace sven::reduction
