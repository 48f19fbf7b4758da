#pragma once
// Coefficients of solutions, as vectors and beside each other.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sven/elastic_net.hpp"

namespace sven::test {

// On the scale of the standardised columns, by feature.
inline std::vector<double> standardized(const Solution& solution, Index p) {
    std::vector<double> beta(static_cast<std::size_t>(p), 0.0);
    for (const Coefficient& b : solution.coefficients) beta[b.feature] = b.standardized;
    return beta;
}

// The same features, and coefficients as near as this share of the largest.
inline void expect_same_coefficients(const Solution& solution, const Solution& expected,
                                     double tolerance) {
    ASSERT_EQ(solution.coefficients.size(), expected.coefficients.size());
    double largest = 0;
    for (const Coefficient& b : expected.coefficients)
        largest = std::max(largest, std::abs(b.standardized));
    for (std::size_t k = 0; k < solution.coefficients.size(); ++k) {
        EXPECT_EQ(solution.coefficients[k].feature, expected.coefficients[k].feature);
        EXPECT_NEAR(solution.coefficients[k].standardized, expected.coefficients[k].standardized,
                    tolerance * largest);
    }
}

inline void expect_same_bits(const std::vector<Solution>& a, const std::vector<Solution>& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t k = 0; k < a.size(); ++k) {
        EXPECT_EQ(a[k].gap, b[k].gap);
        EXPECT_EQ(a[k].intercept, b[k].intercept);
        ASSERT_EQ(a[k].coefficients.size(), b[k].coefficients.size());
        for (std::size_t c = 0; c < a[k].coefficients.size(); ++c) {
            EXPECT_EQ(a[k].coefficients[c].feature, b[k].coefficients[c].feature);
            EXPECT_EQ(a[k].coefficients[c].value, b[k].coefficients[c].value);
        }
    }
}

}  // namespace sven::test
