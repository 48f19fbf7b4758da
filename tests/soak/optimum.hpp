#pragma once
// The exact optimum of a setting, and what all optima have in common.

#include <algorithm>
#include <vector>

#include "soak/quadratic.hpp"

namespace sven::soak {

struct Optimum {
    Real value;             // over sum w (y - mean)^2
    Real multiplier;        // h, dimensionless
    Real least_used;        // budget form: what the optimum without a multiplier needs, over t
    bool is_slack = false;  // the budget does not bind
    Real room = 0;          // what this optimum leaves of a slack budget
    Minimum minimum;
    std::vector<char> is_shut;  // features that are zero by definition, or since t = 0
};

// `guess`: coefficients on the scale of the standardised columns, where to begin.
[[nodiscard]] Optimum solve_exactly(const Quadratic& problem, const Target& target,
                                    const std::vector<double>& guess);

// Where the coefficient of a feature is in every optimum; open: in some it is zero or has the other
// sign.
enum class Side : char { open, zero, positive, negative };

// What is the same in every optimum.
struct OptimaSet {
    bool is_unique = true;
    bool is_known = true;  // else nothing is said of the features
    std::vector<Side> sides;

    [[nodiscard]] Index zero() const { return std::count(sides.begin(), sides.end(), Side::zero); }
    [[nodiscard]] Index non_zero() const {
        return std::count(sides.begin(), sides.end(), Side::positive) +
               std::count(sides.begin(), sides.end(), Side::negative);
    }
};
[[nodiscard]] OptimaSet describe_optima(const Quadratic& problem, const Optimum& optimum);

}  // namespace sven::soak
