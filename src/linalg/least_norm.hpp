#pragma once

#include "sven/matrix.hpp"

namespace sven::linalg {

// b := the x of least norm among those of least ||S x - b||, S n x n without padding, which is
// overwritten. Its rank is where the pivots of a QR fall below `tolerance` times the first. For a
// few hundred unknowns: one thread, no blocks.
void solve_least_norm(Index n, double* S, double* b, double tolerance);

}  // namespace sven::linalg
