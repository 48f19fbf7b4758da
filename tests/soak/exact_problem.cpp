#include "soak/exact_problem.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "soak/factor.hpp"

namespace sven::soak {

ExactProblem::ExactProblem(const Data& data) : data_(data), gram_(data.p) {
    form_response();
    form_columns();
    form_products();
}

Real ExactProblem::given_response(Index i) const {
    return data_.offset.empty() ? Real(data_.y[i]) : Real(Real(data_.y[i]) - Real(data_.offset[i]));
}

void ExactProblem::form_response() {
    weights_.assign(static_cast<std::size_t>(data_.n), Real(1));
    for (std::size_t i = 0; i < data_.weights.size(); ++i) weights_[i] = data_.weights[i];
    Real sum = 0;
    total_weight_ = 0;
    for (Index i = 0; i < data_.n; ++i) {
        total_weight_ += weights_[i];
        sum += weights_[i] * given_response(i);
    }
    response_mean_ = data_.intercept ? Real(sum / total_weight_) : Real(0);
    response_.clear();
    squares_ = 0;
    for (Index i = 0; i < data_.n; ++i) {
        response_.push_back(given_response(i) - response_mean_);
        squares_ += weights_[i] * response_[i] * response_[i];
    }
    response_deviation_ = sqrt(Real(squares_ / total_weight_));
}

// A mean of more deviations than this leaves the intercept too few digits: the documented limit.
constexpr double largest_mean = 1e10;

bool ExactProblem::has_few_digits(Index j, const Real& deviation) const {
    if (deviation == 0 || !(data_.intercept || data_.standardize)) return false;
    return abs(means_[j]) > largest_mean * deviation;
}

// A column is left out where its factor is infinite, and where centring or scaling leaves nothing
// of it (maths.md, section "The problem and its forms").
bool ExactProblem::must_be_left_out(Index j, const Real& deviation) const {
    if (!data_.factors.empty() && std::isinf(data_.factors[j])) return true;
    const bool has_lower_zero = data_.nonnegative || (!data_.lower.empty() && data_.lower[j] == 0);
    if (has_lower_zero && !data_.upper.empty() && data_.upper[j] == 0) return true;
    if (deviation != 0) return false;
    return data_.intercept || data_.standardize || means_[j] == 0;
}

// Exactly where the entries that weigh anything are all the same.
Real ExactProblem::mean_of(Index j, bool& is_constant) const {
    Real sum = 0;
    std::optional<double> first;
    is_constant = true;
    for (Index i = 0; i < data_.n; ++i) {
        if (weights_[i] == 0) continue;
        if (!first) first = data_.at(i, j);
        is_constant &= data_.at(i, j) == *first;
        sum += weights_[i] * Real(data_.at(i, j));
    }
    return is_constant ? Real(first.value_or(0)) : Real(sum / total_weight_);
}

void ExactProblem::form_columns() {
    const auto n = static_cast<std::size_t>(data_.n);
    columns_.assign(n * static_cast<std::size_t>(data_.p), Real(0));
    for (Index j = 0; j < data_.p; ++j) {
        bool is_constant = true;
        means_.push_back(mean_of(j, is_constant));
        Real squares = 0;
        for (Index i = 0; i < data_.n; ++i) {
            const Real centred = Real(data_.at(i, j)) - means_[j];
            squares += weights_[i] * centred * centred;
        }
        const Real deviation = is_constant ? Real(0) : Real(sqrt(Real(squares / total_weight_)));
        nearly_constant_.push_back(has_few_digits(j, deviation) ? 1 : 0);
        left_out_.push_back(must_be_left_out(j, deviation) || nearly_constant_[j] != 0 ? 1 : 0);
        scales_.push_back(data_.standardize && deviation != 0 ? deviation : Real(1));
        if (left_out_[j] != 0) continue;
        const Real centre = data_.intercept ? means_[j] : Real(0);
        for (Index i = 0; i < data_.n; ++i)
            columns_[j * data_.n + i] = (Real(data_.at(i, j)) - centre) / scales_[j];
    }
}

void ExactProblem::form_products() {
    for (Index j = 0; j < data_.p; ++j) {
        Reals weighted;
        Real product = 0;
        for (Index i = 0; i < data_.n; ++i) {
            weighted.push_back(weights_[i] * columns_[j * data_.n + i]);
            product += weighted[i] * response_[i];
        }
        products_.push_back(product);
        for (Index k = 0; k <= j; ++k) {
            Real sum = 0;
            for (Index i = 0; i < data_.n; ++i) sum += weighted[i] * columns_[k * data_.n + i];
            gram_(j, k) = sum;
            gram_(k, j) = sum;
        }
    }
}

Target ExactProblem::target(const Setting& setting) const {
    Target target;
    target.factors.assign(static_cast<std::size_t>(data_.p), Real(1));
    Real sum = 0;
    for (Index j = 0; j < data_.p; ++j) {
        if (!data_.factors.empty() && !std::isinf(data_.factors[j]))
            target.factors[j] = data_.factors[j];
        sum += target.factors[j];
    }
    if (const auto* budget = std::get_if<Budget>(&setting)) {
        target.is_infinite = std::isinf(budget->t);
        target.is_budget = !target.is_infinite;
        if (target.is_budget) target.t = budget->t;
        target.l2 = budget->l2;
    } else if (const auto* penalty = std::get_if<Penalty>(&setting)) {
        target.h = Real(penalty->l1) / 2;
        target.l2 = penalty->l2;
    } else {
        const auto& mixing = std::get<Mixing>(setting);
        target.h = total_weight_ * Real(mixing.lambda) * Real(mixing.alpha);
        target.l2 = total_weight_ * Real(mixing.lambda) * (Real(1) - Real(mixing.alpha));
        if (mixing.convention == Convention::glmnet) {
            if (response_deviation_ != 0) target.l2 /= response_deviation_;
            if (sum > 0 && !data_.factors.empty())
                for (Real& f : target.factors) f *= Real(data_.p) / sum;
        }
    }
    return target;
}

Real ExactProblem::objective(const Target& target, double intercept,
                             const std::vector<double>& values) const {
    Real sum = 0;
    for (Index i = 0; i < data_.n; ++i) {
        Real residual = given_response(i) - Real(intercept);
        for (Index j = 0; j < data_.p; ++j)
            if (values[j] != 0) residual -= Real(data_.at(i, j)) * Real(values[j]);
        sum += weights_[i] * residual * residual;
    }
    for (Index j = 0; j < data_.p; ++j) {
        if (values[j] == 0) continue;
        const Real b = Real(values[j]) * scales_[j];
        sum += target.l2 * target.factors[j] * b * b;
    }
    if (!target.is_budget) sum += 2 * target.h * budget_used(target, values);
    return sum;
}

Real ExactProblem::budget_used(const Target& target, const std::vector<double>& values) const {
    Real sum = 0;
    for (Index j = 0; j < data_.p; ++j)
        if (values[j] != 0) sum += target.factors[j] * abs(Real(values[j])) * scales_[j];
    return sum;
}

bool ExactProblem::is_in_range() const {
    const Real largest(1e75);
    const Real smallest(1e-75);
    const Real comparable(1e15);
    const auto fits = [&](const Real& size) { return size < largest && size > smallest; };
    Real y = 0;
    for (Index i = 0; i < data_.n; ++i) y = std::max(y, Real(abs(given_response(i))));
    Real weight = 0;
    for (const Real& w : weights_) weight = std::max(weight, w);
    if ((y != 0 && !fits(y)) || !fits(weight)) return false;
    Real long_column = 0;
    Real short_column = 0;
    for (Index j = 0; j < data_.p; ++j) {
        if (left_out_[j] != 0) continue;
        Real squares = 0;
        for (Index i = 0; i < data_.n; ++i) {
            const Real& x = columns_[j * data_.n + i];
            squares += weights_[i] * x * x;
        }
        const Real length = sqrt(Real(squares / total_weight_)) * scales_[j];
        if (!fits(length)) return false;
        long_column = std::max(long_column, length);
        short_column = short_column == 0 ? length : std::min(short_column, length);
    }
    return data_.standardize || long_column <= comparable * short_column;
}

// Of all columns that are looked at, and of the free ones by themselves: what others have in common
// with those does not help them.
double ExactProblem::condition() const {
    std::vector<Index> looked_at;
    std::vector<Index> free;
    for (Index j = 0; j < data_.p; ++j) {
        if (left_out_[j] != 0) continue;
        looked_at.push_back(j);
        if (!data_.factors.empty() && data_.factors[j] == 0) free.push_back(j);
    }
    return std::max(condition_of(looked_at), condition_of(free));
}

double ExactProblem::condition_of(const std::vector<Index>& features) const {
    const auto count = static_cast<Index>(features.size());
    if (count == 0) return 1;
    Symmetric unit(count);
    for (Index j = 0; j < count; ++j)
        for (Index k = 0; k < count; ++k) {
            const Real norms = gram_(features[j], features[j]) * gram_(features[k], features[k]);
            unit(j, k) = gram_(features[j], features[k]) / sqrt(norms);
        }
    return condition_of_columns(unit);
}

}  // namespace sven::soak
