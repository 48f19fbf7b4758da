#include "svm/dual_newton.hpp"

#include <algorithm>
#include <numeric>

#include "linalg/dense.hpp"
#include "svm/cholesky.hpp"
#include "svm/costs.hpp"
#include "svm/tuning.hpp"

namespace sven::svm {

DualNewton::DualNewton(const SquaredHinge& problem)
    : cache_(*problem.samples, std::min(problem.samples->samples(), max_order)),
      factor_(cache_.capacity() * cache_.capacity()),
      constant_(problem.costs.size()),
      is_ordered_(problem.costs.size(), 0),
      alpha_(static_cast<std::size_t>(cache_.capacity())),
      residual_(alpha_.size()),
      by_slot_(alpha_.size()) {
    order_.resize(problem.costs.size());
    std::iota(order_.begin(), order_.end(), Index{0});
    problem.samples->times(order_, problem.centre.data(), constant_.data());
    for (Index i : order_) constant_[i] = problem.offsets[i] - constant_[i];
    order_.clear();
}

double DualNewton::cost(const Iterate& iterate) const {
    return dual_cost(iterate.samples(), static_cast<double>(iterate.support_size()),
                     static_cast<double>(cache_.missing(iterate.support())),
                     static_cast<double>(surviving(iterate)));
}

Index DualNewton::surviving(const Iterate& iterate) const {
    const auto end = std::find_if_not(order_.begin(), order_.end(),
                                      [&](Index i) { return iterate.is_support(i); });
    return end - order_.begin();
}

// Samples that stayed come before new ones: they are more likely to stay next time.
void DualNewton::reorder(const Iterate& iterate, Index kept) {
    std::fill(is_ordered_.begin(), is_ordered_.end(), 0);
    const auto gone = std::remove_if(order_.begin() + kept, order_.end(),
                                     [&](Index i) { return !iterate.is_support(i); });
    order_.erase(gone, order_.end());
    for (Index i : order_) is_ordered_[i] = 1;
    for (Index i : iterate.support()) {
        if (!is_ordered_[i]) order_.push_back(i);
    }
}

// Rows [kept, |S|) of K + D, lower triangle
void DualNewton::fill(const Iterate& iterate, Index kept) {
    const auto order = static_cast<Index>(order_.size());
    for (Index row = kept; row < order; ++row) {
        const double* kernel = cache_.row(order_[row]);
        for (Index column = 0; column <= row; ++column) {
            factor_[row + column * cache_.capacity()] = kernel[cache_.slot(order_[column])];
        }
        factor_[row + row * cache_.capacity()] += 0.5 / iterate.problem().costs[order_[row]];
    }
}

void DualNewton::compute_residual(const Iterate& iterate) {
    const auto order = static_cast<Index>(order_.size());
    std::fill(by_slot_.begin(), by_slot_.end(), 0.0);
    for (Index row = 0; row < order; ++row) by_slot_[cache_.slot(order_[row])] = alpha_[row];
    for (Index row = 0; row < order; ++row) {
        const Index i = order_[row];
        residual_[row] = constant_[i] -
                         linalg::dot(cache_.cached(), cache_.row(i), by_slot_.data()) -
                         0.5 / iterate.problem().costs[i] * alpha_[row];
    }
}

// One step of iterative refinement with the kernel: the kept columns of the factor may be old.
void DualNewton::solve_refined(const Iterate& iterate) {
    const auto order = static_cast<Index>(order_.size());
    const SquareMatrix L{factor_.data(), order, cache_.capacity()};
    for (Index row = 0; row < order; ++row) alpha_[row] = constant_[order_[row]];
    solve_factored(L, alpha_.data());
    compute_residual(iterate);
    solve_factored(L, residual_.data());
    for (Index row = 0; row < order; ++row) alpha_[row] += residual_[row];
}

bool DualNewton::solve(Iterate& iterate) {
    const Index kept = surviving(iterate);
    reorder(iterate, kept);
    cache_.ensure(iterate.support());
    fill(iterate, kept);
    const SquareMatrix system{factor_.data(), iterate.support_size(), cache_.capacity()};
    if (!factorise(system, kept, iterate.samples().execution())) {
        order_.clear();
        return false;
    }
    solve_refined(iterate);
    const auto point = iterate.newton_point();
    iterate.samples().transposed_times(order_, alpha_.data(), point.data());
    for (std::size_t j = 0; j < point.size(); ++j) point[j] += iterate.problem().centre[j];
    for (std::size_t row = 0; row < order_.size(); ++row) {
        const Index i = order_[row];
        iterate.set_newton_margin(i, 0.5 / iterate.problem().costs[i] * alpha_[row]);
    }
    return true;
}

}  // namespace sven::svm
