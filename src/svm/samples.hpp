#pragma once
// The sample set of the Newton driver for samples that are rows of a matrix. Each Newton point is
// computed in the cheapest way: by conjugate gradients while the support is large and far from
// final, then exactly, by the primal or the dual system.

#include <algorithm>
#include <cmath>
#include <limits>

#include "svm/conjugate_gradient.hpp"
#include "svm/costs.hpp"
#include "svm/iterate.hpp"
#include "svm/tuning.hpp"

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
    // Few changes, also for small supports.
    bool is_settling() const {
        return settled_share * iterate_.changes() <=
               std::max(iterate_.support_size(), small_support);
    }

    double step_cost() const {
        const auto support = static_cast<double>(iterate_.support_size());
        return iterative_cost(iterate_.samples(), support, 1);
    }

    // A support that hardly changes is worth an exact solve at several times the cost: it ends the
    // iteration, an inexact one only gets closer.
    bool prefers_iterative(double direct) const {
        return expected_steps_ * step_cost() * (is_settling() ? settled_price : 1) < direct;
    }

    // False if it did not converge at a multiple of the cost of a direct solve: a sign of bad
    // conditioning, where inexact solutions do not help. Without a direct solve as an alternative
    // the last iterate is used.
    bool solve_iteratively(double direct) {
        const Index order = std::min(iterate_.support_size(), iterate_.samples().features()) + 1;
        const double most_steps =
            std::min(iterative_price * direct / step_cost(),
                     steps_per_order * static_cast<double>(order) + extra_steps);
        const auto outcome =
            iterative_.solve(iterate_, {is_settling(), static_cast<Index>(most_steps)});
        expected_steps_ = static_cast<double>(outcome.steps);
        return outcome.has_converged || std::isinf(direct);
    }

    Iterate iterate_;
    System system_;
    ConjugateGradient iterative_;
    double expected_steps_ = expected_steps;  // of conjugate gradients
};

}  // namespace sven::svm
