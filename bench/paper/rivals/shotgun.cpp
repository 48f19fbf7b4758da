#include "shotgun.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

namespace rivals {
namespace {

constexpr double stage_ratio = 0.5;  // of the penalties of two stages
constexpr double stage_tolerance =
    1e-2;  // of the stages before the last one, which only lead there
constexpr Index max_sweeps = 10'000'000;  // the caller has a clock

class Shotgun {
  public:
    explicit Shotgun(const Lasso& problem)
        : problem_(problem),
          X_(*problem.X, problem.threads),
          threads_(std::max(problem.threads, 1)),
          squares_(X_.squares()),
          beta_(static_cast<std::size_t>(X_.cols()), 0.0),
          residual_(problem.y.begin(), problem.y.end()),
          everyone_(static_cast<std::size_t>(X_.cols())) {
        for (double& square : squares_) square += problem.l2;
        std::iota(everyone_.begin(), everyone_.end(), Index{0});
        scale_ = std::sqrt(
            std::inner_product(residual_.begin(), residual_.end(), residual_.begin(), 0.0));
    }

    std::vector<double> solve() {
        const double last = problem_.l1 / 2;
        double h = largest_product() * stage_ratio;
        while (h > last) {
            settle(h, std::max(stage_tolerance, problem_.tolerance));
            h *= stage_ratio;
        }
        settle(last, problem_.tolerance);
        return beta_;
    }

  private:
    double largest_product() const {
        std::vector<double> products(beta_.size());
        X_.correlate(residual_.data(), products.data());
        double largest = 0;
        for (const double product : products) largest = std::max(largest, std::abs(product));
        return largest;
    }

    // Sweeps at the penalty 2h until nothing moves.
    void settle(double h, double tolerance) {
        double before = std::numeric_limits<double>::infinity();
        std::vector<Index> active;
        for (Index sweeps = 0; sweeps < max_sweeps; ++sweeps) {
            if (sweep(everyone_, h) <= tolerance * scale_) return;
            active.clear();
            for (Index j = 0; j < X_.cols(); ++j)
                if (beta_[static_cast<std::size_t>(j)] != 0) active.push_back(j);
            while (sweep(active, h) > tolerance * scale_ && ++sweeps < max_sweeps) {
            }
            const double now = objective(h);
            if (threads_ > 1 && !(now <= before * (1 + 1e-12))) go_on_alone();
            before = now;
        }
    }

    // The largest move. Each coordinate is drawn once: no two threads hold the same.
    double sweep(std::vector<Index>& coordinates, double h) {
        std::shuffle(coordinates.begin(), coordinates.end(), random_);
        const auto count = static_cast<Index>(coordinates.size());
        double largest = 0;
#pragma omp parallel for num_threads(threads_) schedule(static) reduction(max : largest)
        for (Index k = 0; k < count; ++k)
            largest = std::max(largest, update(coordinates[static_cast<std::size_t>(k)], h));
        return largest;
    }

    // The residual is read while others write it: stale entries are the price of not waiting.
    double update(Index j, double h) {
        const auto at = static_cast<std::size_t>(j);
        if (squares_[at] == 0) return 0;
        const double old = beta_[at];
        const double product = X_.dot(j, residual_.data()) + (squares_[at] - problem_.l2) * old;
        const double size = std::max(std::abs(product) - h, 0.0) / squares_[at];
        const double move = std::copysign(size, product) - old;
        if (move == 0) return 0;
        beta_[at] = std::copysign(size, product);
        if (threads_ > 1)
            X_.add_shared(j, -move, residual_.data());
        else
            X_.add(j, -move, residual_.data());
        return std::abs(move) * std::sqrt(squares_[at]);
    }

    double objective(double h) const {
        double sum = std::inner_product(residual_.begin(), residual_.end(), residual_.begin(), 0.0);
        for (const double b : beta_) sum += problem_.l2 * b * b + 2 * h * std::abs(b);
        return sum;
    }

    // More coordinates at once than the columns' correlation allows (the paper's theorem 3.2): the
    // objective grows. One at a time always descends.
    void go_on_alone() {
        threads_ = 1;
        X_.multiply(beta_.data(), residual_.data());
        for (std::size_t i = 0; i < residual_.size(); ++i)
            residual_[i] = problem_.y[i] - residual_[i];
    }

    const Lasso& problem_;
    Columns X_;
    int threads_;
    std::vector<double> squares_;  // ||x_j||^2 + l2
    std::vector<double> beta_;
    std::vector<double> residual_;
    std::vector<Index> everyone_;
    double scale_ = 0;
    std::mt19937_64 random_{1};
};

}  // namespace

std::vector<double> shotgun(const Lasso& problem) {
    return Shotgun(problem).solve();
}

}  // namespace rivals
