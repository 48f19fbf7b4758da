#pragma once
// The squared hinge by brute force: of all 2^m supports exactly one reproduces itself.

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "support/eliminate.hpp"
#include "sven/matrix.hpp"

namespace sven::test {

struct SmallHinge {
    Index samples = 0;
    Index features = 0;
    std::vector<double> z;  // samples x features, row-major
    std::vector<double> costs;
    std::vector<double> offsets;
    std::vector<double> centre;

    double margin(Index i, const std::vector<double>& w) const {
        double value = offsets[i];
        for (Index j = 0; j < features; ++j) value -= z[i * features + j] * w[j];
        return value;
    }
};

// w with (I + 2 sum C z z') w = w0 + 2 sum C b z over the support
inline std::vector<double> stationary_point(const SmallHinge& problem, std::uint32_t support) {
    const Index d = problem.features;
    std::vector<double> H(static_cast<std::size_t>(d * d));
    std::vector<double> w = problem.centre;
    for (Index j = 0; j < d; ++j) H[j * d + j] = 1;
    for (Index i = 0; i < problem.samples; ++i) {
        if (!(support >> i & 1)) continue;
        const double* z = problem.z.data() + i * d;
        for (Index j = 0; j < d; ++j) {
            for (Index k = 0; k < d; ++k) H[j * d + k] += 2 * problem.costs[i] * z[j] * z[k];
            w[j] += 2 * problem.costs[i] * problem.offsets[i] * z[j];
        }
    }
    return eliminate(H, w);
}

inline std::optional<std::vector<double>> enumerate_supports(const SmallHinge& problem) {
    for (std::uint32_t support = 0; support < (1U << problem.samples); ++support) {
        const std::vector<double> w = stationary_point(problem, support);
        bool is_consistent = true;
        for (Index i = 0; i < problem.samples; ++i) {
            if ((problem.margin(i, w) > 0) != ((support >> i & 1) != 0)) is_consistent = false;
        }
        if (is_consistent) return w;
    }
    return std::nullopt;
}

}  // namespace sven::test
