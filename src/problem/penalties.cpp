#include "problem/penalties.hpp"

#include <algorithm>

namespace sven::problem {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// max (2 b e - curvature b^2) over 0 <= b <= limit (maths.md, eq. 27), from b where that is to be
// subtracted: 2 (b' - b) e - curvature (b'^2 - b^2) of the best b'.
double gain_over(double beta, double excess, double curvature, double limit) {
    if (excess <= curvature * limit && curvature > 0) {
        const double miss = curvature * beta - excess;
        return miss * miss / curvature;
    }
    if (excess == 0) return 0;
    if (!std::isfinite(limit)) return infinity;
    // both parts of the sum are not negative where beta keeps its limit
    return std::max(0.0, limit - beta) *
           ((excess - curvature * limit) + (excess - curvature * beta));
}

}  // namespace

double Penalties::dual_term(Index j, double beta, double product, const Strength& strength) const {
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
