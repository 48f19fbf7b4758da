#pragma once
// Between two looks of the sweeps: conjugate gradients by the diagonal on the coefficients that
// they left non-zero, signs held (maths.md, eq. 80). Sweeps tell soon what is selected
// and converge slowly on it; a few iterations, which cost about a sweep each, see all of it at
// once. They stop early: the next sweep may select something else.

#include <span>
#include <vector>

#include "reduction/machine.hpp"
#include "reduction/systems/iteration.hpp"

namespace sven::reduction {

class SweptSupport {
  public:
    explicit SweptSupport(const linalg::Execution& execution) : iteration_(execution) {}

    // Whether products with the Gram matrix cost no more than the looks at the entries do.
    static bool can_begin(const Kernel& kernel);
    // A new setting.
    void begin();
    // Moves the coefficients; the objective does not rise. `products` are x_j'r by slot, of the
    // slots that had coefficients. Returns the iterations that it took.
    Index descend(Machine& machine, State& state, std::span<const double> products);

  private:
    // beta = before + step direction, as far as signs and limits admit; how many of them did not.
    Index move(const Machine& machine, double step, State& state) const;

    DiagonalIteration iteration_;
    std::vector<char> active_;
    std::vector<double> gradient_, direction_, before_;
    Index length_ = 0;  // of the next iteration
};

}  // namespace sven::reduction
