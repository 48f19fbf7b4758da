#include "reduction/systems/row_factor.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/cholesky.hpp"
#include "linalg/dense.hpp"
#include "linalg/outer_product.hpp"
#include "reduction/tuning.hpp"

namespace sven::reduction {
namespace {

constexpr Index gathered = 64;  // columns that are added at a time

}  // namespace

bool RowFactor::update(const SystemRequest& request) {
    take(request);
    for (auto* values : {&scaled_, &image_, &correction_}) values->resize(active_.size());
    const Index n = kernel_->rows();
    row_.resize(static_cast<std::size_t>(n));
    if (!follow_support() && l2_ == factored_l2_) return true;
    factored_l2_ = -1;
    U_.reserve(n * n);
    for (Index j = 0; j < n; ++j) {
        std::copy_n(sum_.data() + j * n, j + 1, U_.data() + j * n);
        U_[j * n + j] += l2_;
    }
    if (!linalg::cholesky_upper(n, U_.data(), n, execution_)) return false;
    factored_l2_ = l2_;
    return true;
}

// Whether the sum has changed.
bool RowFactor::follow_support() {
    const Index n = kernel_->rows();
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
        sum_.reserve(n * n);
        std::fill_n(sum_.data(), n * n, 0.0);
    }
    for (std::size_t slot = 0; slot < active_.size(); ++slot) {
        const Index j = kernel_->feature(static_cast<Index>(slot));
        if (!active_[slot] || is_member_[j]) continue;
        weight_[j] = l2_ / ridge_[slot];
        entering_.push_back(j);
    }
    add(leaving_, -1);
    add(entering_, 1);
    for (const Index j : leaving_) is_member_[j] = 0;
    for (const Index j : entering_) is_member_[j] = 1;
    members_.insert(members_.end(), entering_.begin(), entering_.end());
    return !entering_.empty() || !leaving_.empty();
}

// The upper triangle of the sum += sign X F^-1 X'.
void RowFactor::add(std::span<const Index> features, double sign) {
    const Index n = kernel_->rows();
    block_.reserve(n * gathered);
    for (std::size_t begin = 0; begin < features.size(); begin += gathered) {
        const auto list =
            features.subspan(begin, std::min<std::size_t>(gathered, features.size() - begin));
        kernel_->gather(list, block_.data());
        for (std::size_t c = 0; c < list.size(); ++c) {
            const double root = std::sqrt(weight_[list[c]]);
            if (root != 1) linalg::scale(n, root, block_.data() + static_cast<Index>(c) * n);
        }
        linalg::add_outer_product({block_.data(), n, static_cast<Index>(list.size())}, sign,
                                  linalg::Triangle::upper, execution_, sum_.data());
    }
}

// K^-1 = R^-1 (I - l2 X' W^-1 X R^-1), R = l2 F.
void RowFactor::apply(const double* b, double* x) {
    const Index n = kernel_->rows();
    for (std::size_t slot = 0; slot < active_.size(); ++slot)
        scaled_[slot] = active_[slot] ? b[slot] / ridge_[slot] : 0;
    kernel_->multiply(scaled_, row_.data());
    linalg::solve_upper_transposed({n, U_.data(), n}, row_.data());
    linalg::solve_upper({n, U_.data(), n}, row_.data());
    kernel_->correlate_slots(row_, image_.data());
    for (std::size_t slot = 0; slot < active_.size(); ++slot)
        x[slot] = active_[slot] ? (b[slot] - l2_ * image_[slot]) / ridge_[slot] : 0;
}

// Corrected once at least: what apply() loses is the share of l2 in W.
bool RowFactor::solve(const double* b, double* x, SolveGoal& /*goal*/) {
    apply(b, x);
    double before = 0;
    for (int k = 0; k < 4; ++k) {
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
        if (k > 0 && !(rest < 0.1 * before)) return false;
        before = rest;
        apply(correction_.data(), correction_.data());
        for (std::size_t slot = 0; slot < active_.size(); ++slot) x[slot] += correction_[slot];
        if (rest <= tuning::nearly_there * largest) return true;
    }
    return false;
}

}  // namespace sven::reduction
