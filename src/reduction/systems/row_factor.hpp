#pragma once
// Solves with K = X_A'X_A + l2 F over a support of more features than there are rows, by a factor
// of the order of the rows (maths.md, eq. 59): W = l2 I + X_A F^-1 X_A'. The sum X_A F^-1 X_A' does
// not depend on l2: it follows the support, feature by feature.

#include <span>
#include <vector>

#include "reduction/systems/row_matrix.hpp"
#include "reduction/systems/system.hpp"

namespace sven::reduction {

class RowFactor final : public KernelSystem {
  public:
    explicit RowFactor(const linalg::Execution& execution)
        : KernelSystem(execution), matrix_(execution) {}

    // Every ridge is positive. False where W has no factor.
    bool update(const SystemRequest& request) override;
    // False where l2 is too small beside X for this to be accurate.
    bool solve(const double* b, double* x, SolveGoal& goal) override;
    void reset() override {}  // it goes by feature, not by slot

  private:
    bool follow_support();
    // x = K^-1 b but for rounding.
    void apply(const double* b, double* x);

    RowMatrix matrix_;
    double factored_l2_ = -1;      // of the factor; negative: there is none
    std::vector<char> is_member_;  // by feature: part of the sum
    std::vector<double> weight_;   // by feature: 1 / f, as it was added
    std::vector<Index> members_;
    std::vector<Index> entering_, leaving_;
    Index removed_ = 0;  // since the sum was begun: each leaves its rounding behind
    std::vector<double> scaled_, image_, correction_, row_;
};

}  // namespace sven::reduction
