#pragma once
// Bounds on the rounding of what a certificate is computed from (maths.md, section "Rounding").
// They are estimates of the statistical kind, a few times what is seen: an error that always went
// one way would be proportional to n. The soak (tests/soak) tests that they cover.

#include <cmath>

#include "sven/matrix.hpp"

namespace sven::problem {

inline constexpr double unit_roundoff = 1.2e-16;

// Of a product of two vectors of length n, relative to the product of their lengths. The kernels
// sum in several lanes and blocks.
inline double product_rounding(Index n) {
    return unit_roundoff * (8 + std::sqrt(static_cast<double>(n)) / 16);
}

// Of an entry of a sum of `terms` vectors, relative to the sum of their lengths.
inline double combination_rounding(std::size_t terms) {
    return unit_roundoff * (4 + std::sqrt(static_cast<double>(terms)));
}

}  // namespace sven::problem
