#include "svm/conjugate_gradient.hpp"

#include <algorithm>
#include <cmath>

#include "svm/tuning.hpp"

namespace sven::svm {
namespace {

double dot(const std::vector<double>& x, const std::vector<double>& y) {
    double sum = 0;
    for (std::size_t j = 0; j < x.size(); ++j) sum += x[j] * y[j];
    return sum;
}

// r'M^-1 r with the diagonal M
double preconditioned_square(const std::vector<double>& r, const std::vector<double>& diagonal) {
    double sum = 0;
    for (std::size_t j = 0; j < r.size(); ++j) sum += r[j] * r[j] / diagonal[j];
    return sum;
}

}  // namespace

ConjugateGradient::ConjugateGradient(const SquaredHinge& problem)
    : diagonal_(problem.centre.size()),
      step_(diagonal_.size()),
      residual_(diagonal_.size()),
      direction_(diagonal_.size()),
      image_(diagonal_.size()),
      scratch_(problem.costs.size()) {}

void ConjugateGradient::set_preconditioner(const Iterate& iterate) {
    const Selection support = iterate.support();
    for (std::size_t k = 0; k < support.size(); ++k) {
        scratch_[k] = 2 * iterate.problem().costs[support[k]];
    }
    iterate.samples().transposed_squares_times(support, scratch_.data(), diagonal_.data());
    for (double& entry : diagonal_) entry += 1;
}

// The support is read off margins that shrink like 1 / (2 C) relative to the data. The larger H is
// relative to the identity, the more accurate a rough point must be for its support to be useful.
double ConjugateGradient::reduction(bool is_exact) const {
    if (is_exact) return exact_reduction;
    const double scale = *std::max_element(diagonal_.begin(), diagonal_.end());
    return std::clamp(1 / scale, exact_reduction, rough_reduction);
}

void ConjugateGradient::apply(const Iterate& iterate, const std::vector<double>& v,
                              std::vector<double>& out) {
    const Selection support = iterate.support();
    iterate.samples().times(support, v.data(), scratch_.data());
    for (std::size_t k = 0; k < support.size(); ++k) {
        scratch_[k] *= 2 * iterate.problem().costs[support[k]];
    }
    iterate.samples().transposed_times(support, scratch_.data(), out.data());
    for (std::size_t j = 0; j < out.size(); ++j) out[j] += v[j];
}

// w_N = w + d, m_N = m - Z'd on the support
void ConjugateGradient::take_step(Iterate& iterate) {
    const auto point = iterate.newton_point();
    for (std::size_t j = 0; j < step_.size(); ++j) point[j] = iterate.w()[j] + step_[j];
    const Selection support = iterate.support();
    iterate.samples().times(support, step_.data(), scratch_.data());
    for (std::size_t k = 0; k < support.size(); ++k) {
        iterate.set_newton_margin(support[k], iterate.margin(support[k]) - scratch_[k]);
    }
}

IterativeOutcome ConjugateGradient::solve(Iterate& iterate, const IterativeLimits& limits) {
    set_preconditioner(iterate);
    std::fill(step_.begin(), step_.end(), 0.0);
    for (std::size_t j = 0; j < residual_.size(); ++j) {
        residual_[j] = -iterate.gradient()[j];
        direction_[j] = residual_[j] / diagonal_[j];
    }
    double square = preconditioned_square(residual_, diagonal_);
    const double enough = std::pow(reduction(limits.is_exact), 2) * square;
    Index steps = 0;
    for (; steps < limits.max_steps && square > enough; ++steps) {
        iterate.samples().execution().check();
        apply(iterate, direction_, image_);
        const double length = square / dot(direction_, image_);
        for (std::size_t j = 0; j < step_.size(); ++j) {
            step_[j] += length * direction_[j];
            residual_[j] -= length * image_[j];
        }
        const double next = preconditioned_square(residual_, diagonal_);
        for (std::size_t j = 0; j < step_.size(); ++j) {
            direction_[j] = residual_[j] / diagonal_[j] + next / square * direction_[j];
        }
        square = next;
    }
    take_step(iterate);
    return {steps, square <= enough};
}

}  // namespace sven::svm
