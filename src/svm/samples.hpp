#pragma once
// The sample set that the Newton driver sees when the samples are rows of a matrix. Each Newton
// point is computed the cheaper way: by conjugate gradients while the support is large and far
// from final, then exactly, by the primal or the dual system.

#include <algorithm>
#include <cmath>
#include <limits>

#include "svm/conjugate_gradient.hpp"
#include "svm/costs.hpp"
#include "svm/iterate.hpp"

namespace sven::svm {

template <class System>  // PrimalNewton or DualNewton
class Samples {
  public:
    Samples(const SquaredHinge& problem, std::span<const double> start, bool shrinks)
        : iterate_(problem, start, shrinks), system_(problem), iterative_(problem) {}

    double gap() { return iterate_.gap(); }

    void solve() {
        iterate_.gap();  // for the gradient
        const double direct = system_.cost(iterate_);
        if (prefers_iterative(direct) && solve_iteratively(direct)) return;
        if (std::isfinite(direct) && system_.solve(iterate_)) return;
        solve_iteratively(std::numeric_limits<double>::infinity());
    }

    Index full_step() { return iterate_.full_step(); }
    Index descend() { return iterate_.descend(); }
    Index recheck() { return iterate_.recheck(); }

    const Iterate& iterate() const { return iterate_; }

  private:
    // Few changes, also when all numbers are small.
    bool is_settling() const {
        return 20 * iterate_.changes() <= std::max<Index>(iterate_.support_size(), 100);
    }

    double step_cost() const {
        const auto support = static_cast<double>(iterate_.support_size());
        return iterative_cost(iterate_.samples(), support, 1);
    }

    // A support that hardly changes is worth an exact solve at several times the price: it ends
    // the iteration, where an inexact one only comes closer.
    bool prefers_iterative(double direct) const {
        return expected_steps_ * step_cost() * (is_settling() ? 8 : 1) < direct;
    }

    // False where it did not get there for twice the price of a direct solve: a sign of bad
    // conditioning, in which half-solved systems lead nowhere. Without a direct solve to turn to,
    // what it got to has to do; exact arithmetic would take one step a dimension.
    bool solve_iteratively(double direct) {
        const Index order = std::min(iterate_.support_size(), iterate_.samples().features()) + 1;
        const double most_steps =
            std::min(2 * direct / step_cost(), 20 * static_cast<double>(order) + 100);
        const auto outcome =
            iterative_.solve(iterate_, {is_settling(), static_cast<Index>(most_steps)});
        expected_steps_ = static_cast<double>(outcome.steps);
        return outcome.has_converged || std::isinf(direct);
    }

    Iterate iterate_;
    System system_;
    ConjugateGradient iterative_;
    double expected_steps_ = 15;  // of conjugate gradients: a guess at first, then the last count
};

}  // namespace sven::svm
