#pragma once
// The exact optimum of a setting, and what all optima have in common.

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

// What is the same in every optimum.
struct OptimaSet {
    bool is_unique = true;
    Index zero = 0;      // features that are zero in every optimum
    Index non_zero = 0;  // features that are zero in none; the others are zero in some
};
[[nodiscard]] OptimaSet describe_optima(const Quadratic& problem, const Optimum& optimum);

}  // namespace sven::soak
