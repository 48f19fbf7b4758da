#include "svm/primal_newton.hpp"

#include <algorithm>

#include "svm/cholesky.hpp"
#include "svm/costs.hpp"
#include "svm/tuning.hpp"

namespace sven::svm {

PrimalNewton::PrimalNewton(const SquaredHinge& problem)
    : step_(problem.centre.size()),
      weights_(problem.costs.size()),
      is_in_hessian_(problem.costs.size(), 0) {
    batch_.reserve(problem.costs.size());
    const Index d = problem.samples->features();
    if (d > max_order) return;
    hessian_.reserve(d * d);
    factor_.reserve(d * d);
}

Index PrimalNewton::count_differences(const Iterate& iterate) const {
    Index differences = 0;
    for (std::size_t i = 0; i < is_in_hessian_.size(); ++i) {
        if (iterate.is_support(static_cast<Index>(i)) != (is_in_hessian_[i] != 0)) ++differences;
    }
    return differences;
}

double PrimalNewton::cost(const Iterate& iterate) const {
    const Index differences = count_differences(iterate);
    const Index changed =
        has_hessian_ ? std::min(differences, iterate.support_size()) : iterate.support_size();
    return primal_cost(iterate.samples(), static_cast<double>(changed));
}

// H += sign 2 sum over the batch of C_i z_i z_i'
void PrimalNewton::add(const Iterate& iterate, double sign) {
    for (std::size_t k = 0; k < batch_.size(); ++k) {
        weights_[k] = 2 * iterate.problem().costs[batch_[k]];
        is_in_hessian_[batch_[k]] = sign > 0 ? 1 : 0;
    }
    iterate.samples().add_outer_products(batch_, weights_.data(), sign, hessian_.data());
}

void PrimalNewton::rebuild(const Iterate& iterate) {
    const Index d = iterate.samples().features();
    std::fill_n(hessian_.data(), d * d, 0.0);
    for (Index j = 0; j < d; ++j) hessian_[j + j * d] = 1;
    std::fill(is_in_hessian_.begin(), is_in_hessian_.end(), 0);
    batch_.assign(iterate.support().begin(), iterate.support().end());
    add(iterate, 1);
    has_hessian_ = true;
}

void PrimalNewton::update(const Iterate& iterate) {
    for (const bool enters : {true, false}) {
        batch_.clear();
        for (std::size_t i = 0; i < is_in_hessian_.size(); ++i) {
            const bool is_support = iterate.is_support(static_cast<Index>(i));
            if (is_support == enters && (is_in_hessian_[i] != 0) != enters) {
                batch_.push_back(static_cast<Index>(i));
            }
        }
        add(iterate, enters ? 1 : -1);
    }
}

bool PrimalNewton::factorise_hessian(const Iterate& iterate) {
    const Index d = iterate.samples().features();
    std::copy_n(hessian_.data(), d * d, factor_.data());
    return factorise({factor_.data(), d, d}, 0, iterate.samples().execution());
}

bool PrimalNewton::solve(Iterate& iterate) {
    const bool is_update = has_hessian_ && count_differences(iterate) < iterate.support_size();
    if (is_update) {
        update(iterate);
    } else {
        rebuild(iterate);
    }
    bool is_factored = factorise_hessian(iterate);
    if (!is_factored && is_update) {  // removed samples leave rounding errors
        rebuild(iterate);
        is_factored = factorise_hessian(iterate);
    }
    if (!is_factored) return false;
    std::copy(iterate.gradient().begin(), iterate.gradient().end(), step_.begin());
    const Index d = iterate.samples().features();
    solve_factored({factor_.data(), d, d}, step_.data());
    const auto point = iterate.newton_point();
    for (Index j = 0; j < d; ++j) point[j] = iterate.w()[j] - step_[j];
    const Selection support = iterate.support();
    iterate.samples().times(support, step_.data(), weights_.data());
    for (std::size_t k = 0; k < support.size(); ++k) {
        iterate.set_newton_margin(support[k], iterate.margin(support[k]) + weights_[k]);
    }
    return true;
}

}  // namespace sven::svm
