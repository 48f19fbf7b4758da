#pragma once
// The squared hinge by brute force: of all 2^m supports exactly one reproduces itself.

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

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

// x = A^-1 x by elimination with row exchanges; A is n x n, row-major.
inline void eliminate(std::vector<double> A, std::vector<double>& x) {
    const auto n = static_cast<Index>(x.size());
    for (Index k = 0; k < n; ++k) {
        Index pivot = k;
        for (Index i = k + 1; i < n; ++i) {
            if (std::abs(A[i * n + k]) > std::abs(A[pivot * n + k])) pivot = i;
        }
        for (Index j = 0; j < n; ++j) std::swap(A[k * n + j], A[pivot * n + j]);
        std::swap(x[k], x[pivot]);
        for (Index i = k + 1; i < n; ++i) {
            const double factor = A[i * n + k] / A[k * n + k];
            for (Index j = k; j < n; ++j) A[i * n + j] -= factor * A[k * n + j];
            x[i] -= factor * x[k];
        }
    }
    for (Index k = n - 1; k >= 0; --k) {
        for (Index j = k + 1; j < n; ++j) x[k] -= A[k * n + j] * x[j];
        x[k] /= A[k * n + k];
    }
}

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
    eliminate(H, w);
    return w;
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
