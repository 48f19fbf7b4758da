#include "conjugate_gradients.hpp"

#include <cmath>
#include <numeric>

namespace rivals {
namespace {

double dot(const Vector& a, const Vector& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

NewtonSystem::NewtonSystem(const Columns& X, double l2)
    : X_(X),
      l2_(l2),
      diagonal_(X.squares()),
      d1_(diagonal_.size()),
      d2_(diagonal_.size()),
      image_(static_cast<std::size_t>(X.rows())) {
    for (double& entry : diagonal_) entry = 2 * (entry + l2);
}

void NewtonSystem::apply(const Vector& v, Vector& out) const {
    const std::size_t p = d1_.size();
    X_.multiply(v.data(), image_.data());
    X_.correlate(image_.data(), out.data());
    for (std::size_t j = 0; j < p; ++j) {
        out[j] = 2 * (out[j] + l2_ * v[j]) + d1_[j] * v[j] + d2_[j] * v[p + j];
        out[p + j] = d2_[j] * v[j] + d1_[j] * v[p + j];
    }
}

void NewtonSystem::precondition(const Vector& v, Vector& out) const {
    const std::size_t p = d1_.size();
    for (std::size_t j = 0; j < p; ++j) {
        const double corner = diagonal_[j] + d1_[j];
        const double determinant = corner * d1_[j] - d2_[j] * d2_[j];
        out[j] = (d1_[j] * v[j] - d2_[j] * v[p + j]) / determinant;
        out[p + j] = (corner * v[p + j] - d2_[j] * v[j]) / determinant;
    }
}

int solve_newton_system(const NewtonSystem& system, const Vector& gradient, double accuracy,
                        int max_steps, Vector& step) {
    Vector residual(gradient.size()), z(gradient.size()), image(gradient.size());
    system.apply(step, residual);
    for (std::size_t k = 0; k < residual.size(); ++k) residual[k] = -gradient[k] - residual[k];
    const double target = accuracy * std::sqrt(dot(gradient, gradient));
    system.precondition(residual, z);
    Vector direction = z;
    double product = dot(residual, z);
    for (int steps = 0; steps < max_steps; ++steps) {
        if (std::sqrt(dot(residual, residual)) <= target) return steps;
        system.apply(direction, image);
        const double curvature = dot(direction, image);
        if (!(curvature > 0)) return steps;
        const double length = product / curvature;
        for (std::size_t k = 0; k < step.size(); ++k) {
            step[k] += length * direction[k];
            residual[k] -= length * image[k];
        }
        system.precondition(residual, z);
        const double next = dot(residual, z);
        for (std::size_t k = 0; k < step.size(); ++k)
            direction[k] = z[k] + next / product * direction[k];
        product = next;
    }
    return max_steps;
}

}  // namespace rivals
