#pragma once
// The elastic net by coordinate descent with plain loops, run until nothing moves: slow and sure.

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/problems.hpp"

namespace sven::test {

// x_j'v
inline double product(const Data& data, Index j, const std::vector<double>& v) {
    double sum = 0;
    for (Index i = 0; i < data.n; ++i) sum += data.at(i, j) * v[i];
    return sum;
}

// Independent columns about zero, six of them in the response.
inline Data independent_regression(Index n, Index p, unsigned seed) {
    Random random(seed);
    Data data;
    data.n = n;
    data.p = p;
    for (Index k = 0; k < n * p; ++k) data.X.push_back(random.normal());
    for (Index i = 0; i < n; ++i) {
        data.y.push_back(random.normal());
        for (Index j = 0; j < std::min<Index>(p, 6); ++j)
            data.y[i] += (j % 2 == 0 ? 1.5 : -1) * data.at(i, j);
    }
    return data;
}

// min ||y - Xb||^2 + l2 ||b||^2 + l1 ||b||_1, b >= 0 where asked
inline std::vector<double> coordinate_descent(const Data& data, double l1, double l2,
                                              bool nonnegative) {
    std::vector<double> beta(static_cast<std::size_t>(data.p));
    std::vector<double> residual = data.y;
    for (int sweep = 0; sweep < 200000; ++sweep) {
        double moved = 0;
        for (Index j = 0; j < data.p; ++j) {
            double square = l2;
            for (Index i = 0; i < data.n; ++i) square += data.at(i, j) * data.at(i, j);
            const double pull = product(data, j, residual) + (square - l2) * beta[j];
            double next = std::max(0.0, std::abs(pull) - l1 / 2) / square;
            if (pull < 0) next = nonnegative ? 0 : -next;
            const double step = next - beta[j];
            for (Index i = 0; i < data.n; ++i) residual[i] -= step * data.at(i, j);
            beta[j] = next;
            moved = std::max(moved, std::abs(step));
        }
        if (moved < 1e-15) break;
    }
    return beta;
}

inline double norm_1(const std::vector<double>& beta) {
    double sum = 0;
    for (const double value : beta) sum += std::abs(value);
    return sum;
}

inline double objective(const Data& data, const std::vector<double>& beta, double l2) {
    std::vector<double> residual = data.y;
    double value = 0;
    for (Index j = 0; j < data.p; ++j) {
        value += l2 * beta[j] * beta[j];
        for (Index i = 0; i < data.n; ++i) residual[i] -= data.at(i, j) * beta[j];
    }
    for (const double r : residual) value += r * r;
    return value;
}

}  // namespace sven::test
