#pragma once
// What a feature costs and where its coefficient may lie, in one place (maths.md, eq. 2 and 42):
//
//     P_j(b) = l2 f_j b^2 + 2 h f_j |b|   for lower_j <= b <= upper_j,   infinite elsewhere
//
// with lower_j <= 0 <= upper_j, infinite by default. Non-negative coefficients are lower_j = 0.

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "sven/matrix.hpp"

namespace sven::problem {

// Why a feature never enters.
enum Exclusion : char {
    not_excluded,
    is_zero,   // its coefficient is zero in every solution: a constant column, an infinite factor
    left_out,  // constant up to rounding: nothing is claimed about it
};

// The penalties of a setting.
struct Strength {
    double h = 0;
    double l2 = 0;
    double limit_error = 0;  // what the limits may be off by, relative
};

// What a product may exceed its bound by: a share of the bound, and the product's own error.
struct Allowance {
    double share = 0;
    double error = 0;
};

// Spans are kept by reference.
struct Penalties {
    std::span<const double> factors;  // f_j, of the l1 and of the l2 penalty; empty: all one
    std::span<const Exclusion> excluded;
    std::span<const double> lower;  // on the scale of the columns; empty: minus infinity
    std::span<const double> upper;  // the same; empty: infinity
    Index left_out_count = 0;       // entries of `excluded` that are left_out

    double l1_factor(Index j) const { return factors.empty() ? 1 : factors[j]; }
    double l2_factor(Index j) const { return factors.empty() ? 1 : factors[j]; }
    // The bound h f_j on a product x_j'r.
    double bound(Index j, double h) const { return h * l1_factor(j); }

    bool has_limits() const { return !lower.empty() || !upper.empty(); }
    // How far the coefficient may go to the side of a sign: not negative.
    double limit(Index j, double sign) const {
        const std::span<const double> side = sign < 0 ? lower : upper;
        return side.empty() ? std::numeric_limits<double>::infinity() : std::abs(side[j]);
    }
    // Whether the coefficient may have this sign.
    bool admits(Index j, double sign) const { return limit(j, sign) > 0; }
    bool is_at_limit(Index j, double beta) const {
        return beta != 0 && std::abs(beta) >= limit(j, beta);
    }
    bool is_limited(Index j) const {
        return has_limits() && (std::isfinite(limit(j, 1)) || std::isfinite(limit(j, -1)));
    }

    // Unpenalised and without limits: always in the support, no sign.
    bool is_free(Index j) const { return l1_factor(j) == 0 && !excluded[j] && !is_limited(j); }
    // The part of a product x_j'r that counts against the bound h f_j: nothing where the
    // coefficient must not have its sign.
    double magnitude(Index j, double product) const {
        return admits(j, product) ? std::abs(product) : 0;
    }
    double slack(Index j, double h, const Allowance& allowance) const {
        return allowance.share * bound(j, h) + allowance.error;
    }
    // Whether a feature with beta = 0 must enter (maths.md, eq. 21). What must not have the sign of
    // its product is never beyond its bound, but by an allowance that is negative it may be said to
    // be at it.
    bool violates(Index j, double product, double h, const Allowance& allowance) const {
        const double along = admits(j, product) ? std::abs(product) : -std::abs(product);
        return along > bound(j, h) + slack(j, h, allowance);
    }

    // What a coefficient and a product x_j'u add to the gap: the Fenchel-Young loss of P_j
    // (maths.md, eq. 43, 27). Not negative, without cancellation; infinite where the product asks
    // for coefficients without end.
    double dual_term(Index j, double beta, double product, const Strength& strength) const;

  private:
    // max (2 b e - curvature b^2) over 0 <= b <= limit (maths.md, eq. 27), from b where that is to
    // be subtracted: 2 (b' - b) e - curvature (b'^2 - b^2) of the best b'.
    static double gain_over(double beta, double excess, double curvature, double limit);
};

// Asked of every feature at every look of the sweeps: inline.
inline double Penalties::gain_over(double beta, double excess, double curvature, double limit) {
    if (excess <= curvature * limit && curvature > 0) {
        const double miss = curvature * beta - excess;
        return miss * miss / curvature;
    }
    if (excess == 0) return 0;
    if (!std::isfinite(limit)) return std::numeric_limits<double>::infinity();
    // both parts of the sum are not negative where beta keeps its limit
    return std::max(0.0, limit - beta) *
           ((excess - curvature * limit) + (excess - curvature * beta));
}

inline double Penalties::dual_term(Index j, double beta, double product,
                                   const Strength& strength) const {
    const double at = bound(j, strength.h);
    const double curvature = strength.l2 * l2_factor(j);
    const double size = std::abs(beta);
    // a coefficient of zero counts on the side of its product
    const double side = beta != 0 ? beta : product;
    const double along = side < 0 ? -product : product;
    const double excess = along - at;
    const auto reach = [&](double sign) { return limit(j, sign) * (1 + strength.limit_error); };
    if (excess >= 0) return gain_over(size, excess, curvature, reach(side));
    // the product is opposed to the coefficient, or below the bound
    const double against = std::max(0.0, -along - at);
    return curvature * size * size - 2 * size * excess +
           (against > 0 ? gain_over(0, against, curvature, reach(-side)) : 0);
}

}  // namespace sven::problem
