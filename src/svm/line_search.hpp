#pragma once
// The exact minimum of a convex piecewise quadratic f along a ray. Its slope is continuous and
// piecewise linear:
//
//     f'(tau) = slope + curvature tau + sum over { i : at_i < tau } of curvature_i (tau - at_i)

#include <limits>
#include <span>

namespace sven::svm {

struct Breakpoint {
    double at = 0;         // >= 0
    double curvature = 0;  // added to f'' from there on; negative where a sample drops out
};

struct PiecewiseQuadratic {
    double slope = 0;                   // at tau = 0, after the breakpoints at 0
    double curvature = 0;               // before the first breakpoint
    double least_curvature = 0;         // a lower bound on f'', whatever the rounding of its sums
    std::span<Breakpoint> breakpoints;  // in any order; reordered by minimise()
};

// The minimiser in [0, limit]: by repeated selection of a median, in time linear in the number of
// breakpoints.
double minimise(PiecewiseQuadratic f, double limit = std::numeric_limits<double>::infinity());

}  // namespace sven::svm
