#pragma once
// The Newton point by conjugate gradients: H d = -g with H = I + 2 sum over the support of C_i z_i
// z_i', known by products alone, preconditioned by its diagonal. Two passes over the support per
// step; the best choice while the support is large and far from final.

#include <vector>

#include "svm/iterate.hpp"

namespace sven::svm {

struct IterativeLimits {
    bool is_exact = false;  // as accurate as rounding allows
    Index max_steps = 0;
};

struct IterativeOutcome {
    Index steps = 0;
    bool has_converged = false;
};

class ConjugateGradient {
  public:
    explicit ConjugateGradient(const SquaredHinge& problem);

    // Writes the Newton point, or the last iterate.
    IterativeOutcome solve(Iterate& iterate, const IterativeLimits& limits);

  private:
    void set_preconditioner(const Iterate& iterate);
    // The required reduction of the residual, relative to its initial size, which is the
    // gradient's.
    double reduction(bool is_exact) const;
    void take_step(Iterate& iterate);
    // out = H v
    void apply(const Iterate& iterate, const std::vector<double>& v, std::vector<double>& out);

    std::vector<double> diagonal_;
    std::vector<double> step_;
    std::vector<double> residual_;
    std::vector<double> direction_;
    std::vector<double> image_;
    std::vector<double> scratch_;  // m
};

}  // namespace sven::svm
