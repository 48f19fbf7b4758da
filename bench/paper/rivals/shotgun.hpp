#pragma once
// Shotgun: J. K. Bradley, A. Kyrola, D. Bickson, C. Guestrin, "Parallel coordinate descent for
// l1-regularized loss minimization", ICML 2011, written from the paper.

#include "columns.hpp"

namespace rivals {

// Coordinates in random order, as many at once as there are threads, each with an atomic update of
// the residual they share (the paper's algorithm 2); the penalty comes down in stages to the one
// asked for, as there. Between sweeps over all coordinates the non-zero ones are swept alone, which
// only helps it. It ends when a sweep over all moves no coordinate by more than tolerance * ||y||
// in
// ||x_j b_j||. Returns the coefficients.
std::vector<double> shotgun(const Lasso& problem);

}  // namespace rivals
