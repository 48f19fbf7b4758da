#pragma once
// Where whole Newton steps lead nowhere: the same steps, cut short by an exact line search in the
// residual (maths.md, eq. 60). The dual objective
//
//     f(theta) = 1/2 ||y - theta||^2 + sum_j (|x_j'theta| - h f_j)_+^2 / (2 l2 f_j)
//
// is convex and piecewise quadratic, a Newton point minimises the piece of its support, and every
// theta on the way is y - X b for some b over the slots. So the line is searched from products that
// are known already: those at the anchor b and those at the Newton point.

#include "reduction/support_changes.hpp"

namespace sven::reduction {

class DampedSteps {
  public:
    // Whether the support admits them: a ridge on every feature, large enough that a product above
    // its bound tells a coefficient.
    static bool can_begin(const Machine& machine, const State& state);
    // From `start`, which becomes the anchor.
    void begin(Machine& machine, const Support& start, State& state);
    Step take(Machine& machine, State& state);

  private:
    Step move(Machine& machine, State& state);
    void note_products(Machine& machine, std::vector<double>& products);
    Index adopt_support(Machine& machine, State& state);
    double slope(const Machine& machine, const State& state, double tau) const;
    double search_line(const Machine& machine, const State& state) const;

    Index steps_ = 0;
    Accuracy accuracy_ = Accuracy::rough;
    std::vector<double> anchor_;                             // by slot
    std::vector<double> anchor_products_, newton_products_;  // by feature
    std::vector<double> candidate_products_;
    std::vector<Violator> entering_;
    SupportChanges changes_;
};

}  // namespace sven::reduction
