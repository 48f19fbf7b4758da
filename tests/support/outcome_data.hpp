#pragma once
// Seeded problems whose response is binomial or poisson.

#include <cmath>

#include "support/problems.hpp"

namespace sven::test {

// A response of the family whose linear predictor is that of a regression.
inline Data outcome_data(Family family, Index n, Index p, unsigned seed) {
    Data data = random_regression(n, p, seed);
    Random random(seed + 1000);
    double mean = 0;
    double squares = 0;
    for (const double y : data.y) mean += y / static_cast<double>(n);
    for (const double y : data.y) squares += (y - mean) * (y - mean) / static_cast<double>(n);
    for (double& y : data.y) {
        const double eta = 1.5 * (y - mean) / std::sqrt(squares);
        if (family == Family::binomial) {
            y = random.uniform() < 1 / (1 + std::exp(-eta)) ? 1 : 0;
        } else {
            double product = random.uniform();
            y = 0;
            for (const double limit = std::exp(-std::exp(eta)); product > limit; ++y)
                product *= random.uniform();
        }
    }
    data.y[0] = 0;
    data.y[1] = 1;
    data.family = family;
    return data;
}

}  // namespace sven::test
