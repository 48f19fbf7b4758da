#include "l1_ls.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "conjugate_gradients.hpp"

namespace rivals {
namespace {

// The paper's section III and its own code's constants.
constexpr double barrier_growth = 2;  // mu
constexpr double good_step = 0.5;     // s_min: shorter steps leave the barrier's weight alone
constexpr double decrease = 0.01;     // alpha of the line search
constexpr double shortening = 0.5;    // beta of the line search
constexpr int max_shortenings = 100;
constexpr int max_newton_steps = 1000;
constexpr int max_inner_steps = 5000;  // of the conjugate gradients
constexpr double inner_share = 1e-3;   // eta: of the gap, for the accuracy of a Newton step
constexpr double inner_coarsest = 0.1;

double dot(const Vector& a, const Vector& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

class InteriorPoint {
  public:
    explicit InteriorPoint(const Lasso& problem)
        : problem_(problem),
          X_(*problem.X, problem.threads),
          p_(static_cast<std::size_t>(X_.cols())),
          system_(X_, problem.l2),
          b_(p_, 0.0),
          u_(p_, 1.0),
          z_(problem.y.size()),
          products_(p_),
          gradient_(2 * p_),
          step_(2 * p_, 0.0) {
        const double most = 2 * static_cast<double>(p_) / 1e-3;
        weight_ = std::min(std::max(1.0, 1 / problem.l1), most);
        look();
    }

    Vector solve() {
        double length = std::numeric_limits<double>::infinity();
        for (int k = 0; k < max_newton_steps && !is_done(); ++k) {
            if (length >= good_step) sharpen();
            form_newton_system();
            const double size = std::sqrt(dot(gradient_, gradient_));
            double accuracy = std::min(inner_coarsest, inner_share * gap_ / std::min(1.0, size));
            if (k > 0 && inner_steps_ == 0) accuracy *= 0.1;
            inner_steps_ =
                solve_newton_system(system_, gradient_, accuracy, max_inner_steps, step_);
            length = search_line();
            if (length == 0) break;  // rounding: no shorter step is lower
            look();
        }
        return b_;
    }

  private:
    // Residual, products and the duality gap of the point.
    void look() {
        X_.multiply(b_.data(), z_.data());
        for (std::size_t i = 0; i < z_.size(); ++i) z_[i] -= problem_.y[i];
        X_.correlate(z_.data(), products_.data());
        double largest = 0, norm = 0, size = 0;
        for (std::size_t j = 0; j < p_; ++j) {
            products_[j] = 2 * (products_[j] + problem_.l2 * b_[j]);
            largest = std::max(largest, std::abs(products_[j]));
            norm += std::abs(b_[j]);
            size += problem_.l2 * b_[j] * b_[j];
        }
        size += dot(z_, z_);  // of the residual on the augmented rows
        const double scale = largest > problem_.l1 ? problem_.l1 / largest : 1;
        const double crossed = std::inner_product(z_.begin(), z_.end(), problem_.y.begin(), 0.0);
        // -nu'nu/4 - nu'y at nu = 2 scale z
        dual_ = std::max(dual_, -scale * scale * size - 2 * scale * crossed);
        gap_ = size + problem_.l1 * norm - dual_;
    }

    bool is_done() const { return gap_ <= problem_.tolerance * std::abs(dual_); }

    void sharpen() {
        const double target = 2 * static_cast<double>(p_) * barrier_growth / gap_;
        weight_ = std::max(std::min(target, barrier_growth * weight_), weight_);
    }

    void form_newton_system() {
        for (std::size_t j = 0; j < p_; ++j) {
            const double upper = 1 / (u_[j] + b_[j]), lower = 1 / (u_[j] - b_[j]);
            system_.set(j, (upper * upper + lower * lower) / weight_,
                        (upper * upper - lower * lower) / weight_);
            gradient_[j] = products_[j] - (upper - lower) / weight_;
            gradient_[p_ + j] = problem_.l1 - (upper + lower) / weight_;
        }
    }

    // Objective with barrier, infinite outside.
    double barrier_objective(const Vector& b, const Vector& u, const Vector& z) const {
        double sum = dot(z, z), logarithms = 0;
        for (std::size_t j = 0; j < p_; ++j) {
            if (!(u[j] > std::abs(b[j]))) return std::numeric_limits<double>::infinity();
            sum += problem_.l2 * b[j] * b[j] + problem_.l1 * u[j];
            logarithms += std::log(u[j] + b[j]) + std::log(u[j] - b[j]);
        }
        return sum - logarithms / weight_;
    }

    // Moves the point; how long the step was. X times the step is computed once for all lengths.
    double search_line() {
        Vector b(p_), u(p_), z(z_.size()), moved(z_.size());
        X_.multiply(step_.data(), moved.data());
        const double before = barrier_objective(b_, u_, z_);
        const double slope = dot(gradient_, step_);
        double length = 1;
        for (int k = 0; k < max_shortenings; ++k, length *= shortening) {
            for (std::size_t j = 0; j < p_; ++j) {
                b[j] = b_[j] + length * step_[j];
                u[j] = u_[j] + length * step_[p_ + j];
            }
            for (std::size_t i = 0; i < z.size(); ++i) z[i] = z_[i] + length * moved[i];
            if (barrier_objective(b, u, z) - before <= decrease * length * slope) {
                b_.swap(b);
                u_.swap(u);
                return length;
            }
        }
        return 0;
    }

    const Lasso& problem_;
    Columns X_;
    std::size_t p_;
    NewtonSystem system_;
    Vector b_, u_;
    Vector z_;         // Xb - y
    Vector products_;  // gradient of the squares
    Vector gradient_;
    Vector step_;
    double weight_ = 1;  // t of the paper
    double dual_ = -std::numeric_limits<double>::infinity();
    double gap_ = 0;
    int inner_steps_ = 0;
};

}  // namespace

std::vector<double> l1_ls(const Lasso& problem) {
    return InteriorPoint(problem).solve();
}

}  // namespace rivals
