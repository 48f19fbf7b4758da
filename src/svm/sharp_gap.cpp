#include "svm/sharp_gap.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/dense.hpp"
#include "linalg/qr.hpp"
#include "svm/tuning.hpp"

namespace sven::svm {

SharpGap::SharpGap(const SquaredHinge& problem, Certificate& certificate)
    : problem_(problem),
      certificate_(certificate),
      alpha_(problem.costs.size()),
      step_(problem.centre.size()),
      is_curved_(problem.costs.size()),
      spread_(problem.centre.size()) {}

// The QR perturbs A by E with ||E_j|| <= rounding ||A_j||, which changes lengths in the norm of
// H^-1 by at most ||E R^-1||.
bool SharpGap::factorise() {
    const Index d = problem_.samples->features();
    const Index rows = static_cast<Index>(curved_.size()) + d;
    const double entries = static_cast<double>(rows) * static_cast<double>(d);
    if (entries > sharp_entries || 2 * entries * static_cast<double>(d) > sharp_operations)
        return false;
    linalg::Buffer<double> A(rows * d);
    std::fill_n(A.data(), rows * d, 0.0);
    for (std::size_t k = 0; k < curved_.size(); ++k) {
        double* row = A.data() + k;
        problem_.samples->copy_sample(curved_[k], row, rows);
        const double weight = std::sqrt(2 * problem_.costs[curved_[k]]);
        for (Index j = 0; j < d; ++j) row[j * rows] *= weight;
    }
    std::vector<double> lengths;
    for (Index j = 0; j < d; ++j) {
        double* column = A.data() + j * rows;
        column[static_cast<Index>(curved_.size()) + j] = 1;
        lengths.push_back(std::sqrt(linalg::dot(rows, column, column)));
    }
    std::vector<double> tau(static_cast<std::size_t>(d));
    linalg::qr(rows, d, A.data(), tau.data(), problem_.samples->execution());
    factor_.reserve(d * d);
    for (Index j = 0; j < d; ++j) std::copy_n(A.data() + j * rows, d, factor_.data() + j * d);
    if (!linalg::invert_upper<double>({d, factor_.data(), d}, A.data(), rows)) return false;
    change_ = 0;
    for (Index j = 0; j < d; ++j) {
        double squares = 0;
        for (Index k = j; k < d; ++k) squares += A[j + k * rows] * A[j + k * rows];
        spread_[j] = std::sqrt(squares);
        change_ += column_rounding * std::sqrt(static_cast<double>(d)) * lengths[j] * spread_[j];
    }
    return true;
}

double SharpGap::radius() const {
    const auto d = static_cast<Index>(step_.size());
    std::vector<double> scaled(step_.size());
    double errors = 0;
    for (Index j = 0; j < d; ++j) {
        scaled[j] = certificate_.gradient(j);
        errors += certificate_.gradient_error(j) * spread_[j];
    }
    linalg::solve_upper_transposed({d, factor_.data(), d}, scaled.data());
    const double length = std::sqrt(linalg::dot(d, scaled.data(), scaled.data()));
    return (length + errors) * (1 + solve_rounding) / (1 - change_);
}

void SharpGap::solve_step() {
    const auto d = static_cast<Index>(step_.size());
    for (Index j = 0; j < d; ++j) step_[j] = certificate_.gradient(j);
    linalg::solve_upper_transposed({d, factor_.data(), d}, step_.data());
    linalg::solve_upper({d, factor_.data(), d}, step_.data());
}

double SharpGap::gap(double radius) const {
    double errors = 0;
    double rest = 0;
    for (std::size_t i = 0; i < alpha_.size(); ++i) {
        const auto k = static_cast<Index>(i);
        (is_curved_[i] ? errors : rest) += certificate_.loss(k, alpha_[i]);
    }
    const double root = radius / std::sqrt(2.0) + std::sqrt(errors);
    return root * root + rest;
}

bool SharpGap::prepare(std::span<const double> w) {
    curved_.clear();
    for (std::size_t i = 0; i < alpha_.size(); ++i) {
        const auto k = static_cast<Index>(i);
        alpha_[i] = 2 * problem_.costs[i] * std::max(0.0, certificate_.margin(k));
        if (alpha_[i] > 0) curved_.push_back(k);
    }
    certificate_.combine(w, alpha_);
    if (!factorise()) return false;
    solve_step();
    return true;
}

std::optional<Gap> SharpGap::close() {
    for (int attempt = 0; attempt < sharp_attempts; ++attempt) {
        if (change_ >= sharp_change) return std::nullopt;
        const double reach = radius();
        const auto may_turn = [&](Index i) {
            return !(certificate_.margin(i) - certificate_.margin_error(i) >
                     reach / std::sqrt(2 * problem_.costs[i]));
        };
        if (std::erase_if(curved_, may_turn) == 0) {
            std::fill(is_curved_.begin(), is_curved_.end(), 0);
            for (Index i : curved_) is_curved_[i] = 1;
            return certificate_.relative(gap(reach));
        }
        if (!factorise()) return std::nullopt;
    }
    return std::nullopt;
}

}  // namespace sven::svm
