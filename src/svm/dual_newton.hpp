#pragma once
// The exact Newton point by the system of the support S in the dual (maths.md, eq. 12):
//
//     (K_SS + D) a = b_S - Z_S'w0,   D = diag(1 / (2 C_i)),   w_N = w0 + Z_S a,   m_S = D a
//
// It is the same point as the primal's, from an |S| x |S| system. Kernel rows come from the cache,
// and the leading part of the factor that is still valid is kept.

#include <vector>

#include "linalg/buffer.hpp"
#include "svm/iterate.hpp"
#include "svm/kernel_cache.hpp"

namespace sven::svm {

class DualNewton {
  public:
    explicit DualNewton(const SquaredHinge& problem);

    // The cost of the next solve; infinite if the system is too large.
    double cost(const Iterate& iterate) const;
    // Writes the Newton point; false if the system cannot be factorised.
    [[nodiscard]] bool solve(Iterate& iterate);

  private:
    // Leading samples of the factor that are all in the support.
    Index surviving(const Iterate& iterate) const;
    void reorder(const Iterate& iterate, Index kept);
    void fill(const Iterate& iterate, Index kept);
    // residual_ = right-hand side - (K + D) alpha_
    void compute_residual(const Iterate& iterate);
    void solve_refined(const Iterate& iterate);

    KernelCache cache_;
    linalg::Buffer<double> factor_;
    std::vector<double> constant_;  // b - Z'w0, m
    std::vector<Index> order_;      // samples of the factor's rows
    std::vector<char> is_ordered_;  // scratch, m
    std::vector<double> alpha_;     // by factor row
    std::vector<double> residual_;  // by factor row
    std::vector<double> by_slot_;   // alpha by cache slot
};

}  // namespace sven::svm
