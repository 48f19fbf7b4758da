#pragma once
// The Newton system of L1_LS, and preconditioned conjugate gradients on it.

#include "columns.hpp"

namespace rivals {

using Vector = std::vector<double>;

// [2 (X'X + l2 I) + D1, D2; D2, D1], D1 and D2 diagonal; its preconditioner has the diagonal of
// X'X.
class NewtonSystem {
  public:
    NewtonSystem(const Columns& X, double l2);

    void set(std::size_t j, double d1, double d2) {
        d1_[j] = d1;
        d2_[j] = d2;
    }
    void apply(const Vector& v, Vector& out) const;
    void precondition(const Vector& v, Vector& out) const;

  private:
    const Columns& X_;
    double l2_;
    Vector diagonal_, d1_, d2_;
    mutable Vector image_;  // Xv
};

// Brings `step` to -H^-1 gradient from where it stands, to `accuracy` of the size of the gradient.
// Returns the steps it took.
int solve_newton_system(const NewtonSystem& system, const Vector& gradient, double accuracy,
                        int max_steps, Vector& step);

}  // namespace rivals
