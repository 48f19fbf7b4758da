#pragma once
// Bounds on the rounding of the inputs of a certificate (maths.md, section "Rounding"). They are
// statistical estimates, a few times the errors observed: errors that all had the same sign would
// be proportional to n. The soak (tests/soak) tests that the bounds hold.

#include <cmath>

#include "problem/tuning.hpp"
#include "sven/matrix.hpp"

namespace sven::problem {

// Of a product of two vectors of length n, relative to the product of their lengths. The kernels
// sum in several lanes and blocks.
inline double product_rounding(Index n) {
    return unit_roundoff * (product_roundings + std::sqrt(static_cast<double>(n)) / product_lanes);
}

// Of an entry of a sum of `terms` vectors, relative to the sum of their lengths.
inline double combination_rounding(std::size_t terms) {
    return unit_roundoff * (combination_roundings + std::sqrt(static_cast<double>(terms)));
}

}  // namespace sven::problem
