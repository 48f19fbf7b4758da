#pragma once
// The number that plain loops sum in, and those that are none.

#include <limits>

namespace sven::test {

using Real = long double;

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

}  // namespace sven::test
