#pragma once
// The thresholds of this module. Each has a unit, a reason, and the measurement behind it where one
// was made; the others say what they balance. The soak (tests/soak) tests that the bounds on
// rounding hold: no certificate of 100,000 problems was below the true error.

#include "sven/index.hpp"

namespace sven::problem {

// Rounding (docs/maths.md, section "Rounding")

// One rounding, relative: 2^-53 = 1.11e-16 and a little more, for terms of second order.
inline constexpr double unit_roundoff = 1.2e-16;
// A product of two vectors of length n is off by product_roundings + sqrt(n) / product_lanes
// roundings. The kernels sum in lanes and blocks, so that the walk is that much shorter.
inline constexpr double product_roundings = 8;
inline constexpr double product_lanes = 16;
// A sum of k vectors is off by combination_roundings + sqrt(k) roundings.
inline constexpr double combination_roundings = 4;

// Certificates

// h and a penalty factor carry a few roundings of their own; relative.
inline constexpr double penalty_rounding = 1e-15;
// Sums of non-negative terms, relative: enough for thousands of terms in a row.
inline constexpr double sum_rounding = 1e-12;
// A dual point is scaled down by this much more than needed, so that rounding does not leave a
// product above its bound; relative.
inline constexpr double shrink_excess = 1e-15;
// A coefficient this close to its limit is at it when a dual point is scaled, relative: a budget
// that is met but for rounding may have moved it.
inline constexpr double near_limit = 1e-12;
// The residual is accurate if its error is below this fraction of its length: its squares are then
// known to nearly as many digits.
inline constexpr double accurate_residual = 1e-9;
// h and the scales of the columns carry a few roundings when a feature is proven zero; relative.
inline constexpr double bound_rounding = 4e-15;
// By how much the diagonal of an inverse, computed from a well-conditioned factor, is enlarged.
inline constexpr double inverse_excess = 1.01;

// Losses

// (1 + d) log(1 + d) - d cancels for small d: below these it is summed from its series, whose
// terms beyond the last are below 1e-17 of the sum.
inline constexpr double series_reach = 0.05;
inline constexpr int series_terms = 14;
inline constexpr double short_series_reach = 1e-4;
inline constexpr int short_series_terms = 6;
// Roundings of y - mean, of its weight and of the dual point made of them.
inline constexpr double row_roundings = 4;
// Where q exceeds the mean this many times, q log(q / mean) is made of two logarithms: the ratio
// may overflow.
inline constexpr double largest_ratio = 1e10;
// A tilt of the dual point beyond this leads its means out of their domain, or nearly so: the
// linear predictor is far from where intercept and free features want it.
inline constexpr double largest_tilt = 0.5;
// What a sum of divergences is enlarged by, for rounding of second order: the means are those of a
// linear predictor that is off by 1e-10 at most; relative.
inline constexpr double divergence_rounding = 1e-9;

// Standardisation

// Standard deviations of a mean from zero beyond which a column is left out: the intercept, which
// is one number, would have too few digits for predictions, and what varies in the column is mostly
// rounding.
inline constexpr double largest_mean = 1e10;
// Deviations outside this range, or coefficients for them, have squares that are not representable.
inline constexpr double largest_deviation = 1e75;
inline constexpr double smallest_deviation = 1e-75;
// Standard deviations of a mean from zero beyond which it is subtracted entry by entry. Below it, a
// rank-one correction of the product loses less than two digits.
inline constexpr double shifted_mean = 30;
// Sums of squares in this range need no std::hypot, which takes as long as the rest of a column's
// preparation.
inline constexpr double smallest_square = 1e-200;
inline constexpr double largest_square = 1e200;
// The fraction of a sum of squares that must remain after subtracting the mean, for the moments of
// a Gram matrix to be used: three digits may be lost.
inline constexpr double remaining_squares = 1e-3;

// Blocks and shares

// Operations that a row takes in a sum over the response, a column in its standardisation, and an
// entry in the scaling of a Gram matrix: they decide when a team starts.
inline constexpr double response_operations = 4;
inline constexpr double column_operations = 20;
inline constexpr double scaling_operations = 4;
// Columns of a share of their standardisation.
inline constexpr Index standardized_columns = 2048;
// Rows of a piece of a sum over the losses of rows, some 40 operations each: an exponential and a
// logarithm.
inline constexpr Index loss_rows = 2048;
inline constexpr double loss_operations = 40;
// Columns to whose multiples the shares of threads are aligned when a Gram matrix is scaled.
inline constexpr Index scaled_columns = 8;
// Rows and columns of a tile that is transposed: 32 KiB, in the L1 cache.
inline constexpr Index mirror_tile = 64;

}  // namespace sven::problem
