#pragma once
// U'U = K from a QR of [X_A; sqrt(l2 f)] (maths.md, eq. 29), which does not square the condition of
// X_A as the Gram matrix does. Solves from products with X_A do, all the same: they need refinement
// from the residual, which converges. Nothing is updated: every support has a factor of its own.

#include "reduction/systems/triangular_factor.hpp"

namespace sven::reduction {

class OrthogonalFactor final : public TriangularFactor {
  public:
    using TriangularFactor::TriangularFactor;

    bool update(const SystemRequest& request) override;
    // Whether it is the factor of this very support.
    bool is_current(const SystemRequest& request) const;

  private:
    Index factor(const SystemRequest& request, Index rows);

    std::vector<char> is_known_;
    std::vector<Index> slots_;
    linalg::Buffer<double> stacked_;
    std::vector<double> tau_;
};

}  // namespace sven::reduction
