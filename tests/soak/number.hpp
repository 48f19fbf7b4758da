#pragma once
// The judge's arithmetic: 500 bits, so that the square of a condition of 1e15 costs a fifth of
// them.

#include <boost/multiprecision/mpfr.hpp>
#include <cstdint>
#include <vector>

#include "sven/matrix.hpp"

namespace sven::soak {

using Real = boost::multiprecision::number<
    boost::multiprecision::mpfr_float_backend<150, boost::multiprecision::allocate_stack>,
    boost::multiprecision::et_off>;
using Reals = std::vector<Real>;

// Quantities of the dimensionless problem (unit columns, unit response), 150 digits each. Rounding
// stays below 1e-115 of them for every family; differences that the doubles of a user can make are
// above 1e-65. What lies between is told apart by these.
inline const Real& negligible() {  // a coefficient, a share of the objective
    static const Real value("1e-90");
    return value;
}
inline const Real& violation() {  // of an optimality condition
    static const Real value("1e-85");
    return value;
}
inline const Real& dependence() {  // squared distance of a unit column from the span of others
    static const Real value("1e-110");
    return value;
}

struct Symmetric {
    Index order = 0;
    Reals values;  // order x order

    explicit Symmetric(Index size = 0)
        : order(size), values(static_cast<std::size_t>(size * size)) {}
    Real& operator()(Index i, Index j) { return values[i * order + j]; }
    const Real& operator()(Index i, Index j) const { return values[i * order + j]; }
};

}  // namespace sven::soak
