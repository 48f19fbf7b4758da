#include "svm/certificate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "svm/tuning.hpp"

namespace sven::svm {
namespace {

double square(double x) {
    return x * x;
}

double loss_at(double margin, double kept) {
    return margin > 0 ? square(margin - kept) : kept * (kept - 2 * margin);
}

}  // namespace

CarefulSums Certificate::Memory::view(std::size_t count) {
    high.resize(count);
    low.resize(count);
    size.resize(count);
    return {high.data(), low.data(), size.data()};
}

Certificate::Certificate(const SquaredHinge& problem, Products products)
    : problem_(problem),
      has_whole_products_(products == Products::whole),
      margins_(of_margins_.view(problem.costs.size())),
      gradient_(of_gradient_.view(problem.centre.size())),
      margin_errors_(problem.costs.size()),
      gradient_errors_(problem.centre.size()),
      weights_(problem.costs.size()),
      all_(problem.costs.size()) {
    std::iota(all_.begin(), all_.end(), Index{0});
    support_.reserve(all_.size());
    if (has_whole_products_) sample_.resize(problem.centre.size());
}

// margins_ -= Z'w
void Certificate::subtract_products(std::span<const double> w) {
    if (!has_whole_products_) return problem_.samples->subtract_products(all_, w.data(), margins_);
    linalg::Poll poll(problem_.samples->execution());
    for (Index i : all_) {
        if (poll.stops_after(whole_product_operations * static_cast<double>(w.size())))
            throw linalg::Cancelled();
        problem_.samples->copy_sample(i, sample_.data(), 1);
        CarefulSum sum = margins_.get(i);
        for (std::size_t j = 0; j < w.size(); ++j) sum.add_product(-sample_[j], w[j]);
        margins_.set(i, sum);
    }
}

// gradient_ -= Za
void Certificate::subtract_combination() {
    if (!has_whole_products_)
        return problem_.samples->subtract_combination(support_, weights_.data(), gradient_);
    linalg::Poll poll(problem_.samples->execution());
    for (std::size_t k = 0; k < support_.size(); ++k) {
        if (poll.stops_after(whole_product_operations * static_cast<double>(sample_.size())))
            throw linalg::Cancelled();
        problem_.samples->copy_sample(support_[k], sample_.data(), 1);
        for (std::size_t j = 0; j < sample_.size(); ++j) {
            CarefulSum sum = gradient_.get(static_cast<Index>(j));
            sum.add_product(-sample_[j], weights_[k]);
            gradient_.set(static_cast<Index>(j), sum);
        }
    }
}

void Certificate::measure(std::span<const double> w) {
    double lost = 0;
    double distance = 0;
    for (std::size_t j = 0; j < w.size(); ++j) {
        lost += underflow_size * std::abs(w[j]);
        distance += 0.5 * square(w[j] - problem_.centre[j]);
    }
    for (Index i : all_) margins_.set(i, {problem_.offsets[i]});
    subtract_products(w);
    const Index features = problem_.samples->features();
    objective_ = least_objective_ = distance;
    for (Index i : all_) {
        margin_errors_[i] = margins_.error(i, features, has_whole_products_) + lost;
        objective_ += problem_.costs[i] * square(std::max(0.0, margin(i)));
        least_objective_ += problem_.costs[i] * square(std::max(0.0, margin(i) - margin_error(i)));
    }
}

void Certificate::combine(std::span<const double> w, std::span<const double> alpha) {
    support_.clear();
    double lost = 0;
    for (Index i : all_) {
        if (alpha[i] == 0) continue;
        weights_[support_.size()] = alpha[i];
        support_.push_back(i);
        lost += underflow_size * alpha[i];
    }
    const auto features = static_cast<Index>(w.size());
    for (Index j = 0; j < features; ++j) {
        const linalg::Twofold moved = linalg::two_sum(w[j], -problem_.centre[j]);
        gradient_.set(j, {moved.high, moved.low});
    }
    subtract_combination();
    const auto terms = static_cast<Index>(support_.size());
    for (Index j = 0; j < features; ++j)
        gradient_errors_[j] = gradient_.error(j, terms, has_whole_products_) + lost;
}

double Certificate::loss(Index i, double alpha) const {
    const double kept = alpha / (2 * problem_.costs[i]);
    const double error = margin_error(i) + few_roundings * kept;
    return problem_.costs[i] *
           std::max(loss_at(margin(i) - error, kept), loss_at(margin(i) + error, kept));
}

// The optimum is not negative, so the relative gap is at most one.
Gap Certificate::relative(double gap) const {
    // sums of that many non-negative terms
    const auto terms = static_cast<double>(all_.size() + gradient_errors_.size());
    const double rounding = quotient_rounding + few_roundings * terms;
    const double ratio = gap * (1 + rounding) / (least_objective_ * (1 - rounding));
    return {gap == 0 ? 0 : ratio <= 1 ? ratio : 1, objective_};
}

Gap Certificate::close(std::span<const double> w, std::span<const double> alpha) {
    combine(w, alpha);
    double gap = 0;
    for (std::size_t j = 0; j < w.size(); ++j) {
        const auto k = static_cast<Index>(j);
        gap += 0.5 * square(std::abs(gradient(k)) + gradient_error(k));
    }
    for (Index i : all_) gap += loss(i, alpha[i]);
    return relative(gap);
}

}  // namespace sven::svm
