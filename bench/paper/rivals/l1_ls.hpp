#pragma once
// L1_LS: S.-J. Kim, K. Koh, M. Lustig, S. Boyd, D. Gorinevsky, "An interior-point method for
// large-scale l1-regularized least squares", IEEE J. Sel. Top. Signal Process. 1(4), 2007, written
// from the paper.

#include "columns.hpp"

namespace rivals {

// A logarithmic barrier for |b_j| <= u_j, Newton steps by preconditioned conjugate gradients,
// backtracking, and the paper's rule for the barrier's weight. It ends when the duality gap is at
// most tolerance times the dual objective. Returns the coefficients, none of which is exactly zero.
std::vector<double> l1_ls(const Lasso& problem);

}  // namespace rivals
