#pragma once
// Seeded two-class data, and the squared hinge by plain loops: what the tests judge the solver by.

#include <cmath>
#include <random>
#include <span>
#include <vector>

#include "support/matrix_kinds.hpp"
#include "sven/svm.hpp"

namespace sven::test {

struct TwoClass {
    Index samples = 0;
    Index features = 0;
    std::vector<double> X;  // row-major
    std::vector<double> labels;

    svm::Classification problem(double cost = 1) const {
        return {row_major(X.data(), samples, features), labels, {}, cost};
    }
    const double* row(Index i) const { return X.data() + i * features; }
};

// Two overlapping clouds; `density` of the entries are non-zero.
inline TwoClass random_two_class(Index samples, Index features, unsigned seed, double density = 1) {
    std::mt19937_64 generator(seed);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    TwoClass data{samples, features, {}, {}};
    data.X.resize(static_cast<std::size_t>(samples * features));
    data.labels.resize(static_cast<std::size_t>(samples));
    for (Index i = 0; i < samples; ++i) {
        data.labels[i] = uniform(generator) < 0.5 ? -1 : 1;
        for (Index j = 0; j < features; ++j) {
            const double value = normal(generator) + (j % 3 == 0 ? 0.5 * data.labels[i] : 0);
            data.X[i * features + j] = uniform(generator) < density ? value : 0;
        }
    }
    return data;
}

// The samples in this kind of storage.
inline StoredMatrix stored(const TwoClass& data, const Kind& kind) {
    std::vector<double> columns(data.X.size());
    for (Index i = 0; i < data.samples; ++i)
        for (Index j = 0; j < data.features; ++j) columns[j * data.samples + i] = data.row(i)[j];
    return {kind, data.samples, data.features, columns};
}

inline double dot(const double* x, const double* y, Index n) {
    double sum = 0;
    for (Index j = 0; j < n; ++j) sum += x[j] * y[j];
    return sum;
}

// P(w), costs one a sample
inline double objective(const TwoClass& data, std::span<const double> costs,
                        std::span<const double> w) {
    double value = 0.5 * dot(w.data(), w.data(), data.features);
    for (Index i = 0; i < data.samples; ++i) {
        const double margin = 1 - data.labels[i] * dot(data.row(i), w.data(), data.features);
        if (margin > 0) value += costs[i] * margin * margin;
    }
    return value;
}

// D(a) of the same
inline double dual_objective(const TwoClass& data, std::span<const double> costs,
                             std::span<const double> alpha) {
    std::vector<double> w(static_cast<std::size_t>(data.features));
    double value = 0;
    for (Index i = 0; i < data.samples; ++i) {
        value += alpha[i] - alpha[i] * alpha[i] / (4 * costs[i]);
        for (Index j = 0; j < data.features; ++j) {
            w[j] += alpha[i] * data.labels[i] * data.row(i)[j];
        }
    }
    return value - 0.5 * dot(w.data(), w.data(), data.features);
}

inline std::vector<double> gradient(const TwoClass& data, std::span<const double> costs,
                                    std::span<const double> w) {
    std::vector<double> g(w.begin(), w.end());
    for (Index i = 0; i < data.samples; ++i) {
        const double margin = 1 - data.labels[i] * dot(data.row(i), w.data(), data.features);
        if (margin <= 0) continue;
        for (Index j = 0; j < data.features; ++j) {
            g[j] -= 2 * costs[i] * margin * data.labels[i] * data.row(i)[j];
        }
    }
    return g;
}

inline double largest(std::span<const double> values) {
    double most = 0;
    for (double value : values) most = std::max(most, std::abs(value));
    return most;
}

inline double largest_difference(std::span<const double> a, std::span<const double> b) {
    double most = a.size() == b.size() ? 0 : INFINITY;
    for (std::size_t j = 0; j < std::min(a.size(), b.size()); ++j) {
        most = std::max(most, std::abs(a[j] - b[j]));
    }
    return most;
}

}  // namespace sven::test
