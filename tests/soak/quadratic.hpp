#pragma once
// The dimensionless problem, and a minimum of it for a given multiplier:
//
//     min  b'K b - 2 c'b + 2 h sum_j a_j |b_j|   between limits of b,     K with a unit diagonal
//
// by a monotone active-set method. Every move lowers the objective strictly, so that it ends;
// what it ends at is checked against the optimality conditions by `worst_violation`.

#include <optional>
#include <stdexcept>
#include <vector>

#include "soak/exact_problem.hpp"
#include "soak/factor.hpp"

namespace sven::soak {

// The judge could not solve: no verdict, and a fault of the judge's.
struct Unjudged : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Quadratic {
    Symmetric K;
    Reals c;
    Reals a;                         // what one unit of h costs in each coefficient
    Reals units;                     // b on the standardised scale is b here over these
    std::vector<char> is_fixed;      // coefficient zero by definition
    std::vector<char> is_uncounted;  // of those: no proof may speak of it
    std::vector<std::optional<Real>> lower, upper;  // limits of b; none: infinite
    Real response_norm;                             // 1 where the response is zero

    Quadratic(const ExactProblem& problem, const Target& target);
    [[nodiscard]] Index size() const { return K.order; }
    // How far a coefficient may go to the side of a sign; none: without end.
    [[nodiscard]] std::optional<Real> room(Index j, int sign) const {
        const std::optional<Real>& limit = sign < 0 ? lower[j] : upper[j];
        return limit ? std::optional<Real>(abs(*limit)) : std::nullopt;
    }
    [[nodiscard]] bool admits(Index j, int sign) const {
        const std::optional<Real>& limit = sign < 0 ? lower[j] : upper[j];
        return !limit || *limit != 0;
    }
    [[nodiscard]] bool is_limited(Index j) const { return lower[j] || upper[j]; }
    // Whether a coefficient other than zero is a limit.
    [[nodiscard]] bool is_held(Index j, const Real& b) const {
        return (b > 0 && upper[j] && b >= *upper[j]) || (b < 0 && lower[j] && b <= *lower[j]);
    }
    // The part of a product that counts against the bound of a coefficient at zero.
    [[nodiscard]] Real pressure(Index j, const Real& g) const {
        return admits(j, g < 0 ? -1 : 1) ? Real(abs(g)) : Real(-abs(g));
    }
};

struct Minimum {
    Reals b;
    Reals g;  // c - K b
    Real h;
    std::vector<Index> support;  // independent columns; the others are zero or at a limit
    Real used;                   // sum a |b|
    Real slope;                  // -d used / d h as long as the support stays
    Reals direction;             // -d b / d h, by feature
};

// From `start`, whose signs are kept where they can be. `is_shut`: features that stay zero.
[[nodiscard]] Minimum minimize(const Quadratic& problem, const Real& h, const Reals& start,
                               const std::vector<char>& is_shut);

// By how much the optimality conditions are missed, the largest of all features.
[[nodiscard]] Real worst_violation(const Quadratic& problem, const Minimum& minimum,
                                   const std::vector<char>& is_shut);

// b'K b - 2 c'b + 2 h sum a |b| + 1: the objective over the squares of the response.
[[nodiscard]] Real value(const Quadratic& problem, const Minimum& minimum, const Real& h);

}  // namespace sven::soak
