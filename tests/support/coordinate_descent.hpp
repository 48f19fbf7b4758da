#pragma once
// The elastic net by coordinate descent with plain loops, run until nothing moves: slow and sure.

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "sven/matrix.hpp"

namespace sven::test {

struct Regression {
    Index rows = 0;
    Index cols = 0;
    std::vector<double> X;  // column-major
    std::vector<double> y;

    const double* column(Index j) const { return X.data() + j * rows; }
    double product(Index j, const std::vector<double>& v) const {
        double sum = 0;
        for (Index i = 0; i < rows; ++i) sum += column(j)[i] * v[i];
        return sum;
    }
};

inline Regression random_regression(Index rows, Index cols, unsigned seed) {
    std::mt19937_64 generator(seed);
    std::normal_distribution<double> normal;
    Regression data{rows, cols, {}, std::vector<double>(static_cast<std::size_t>(rows))};
    for (Index k = 0; k < rows * cols; ++k) data.X.push_back(normal(generator));
    for (Index i = 0; i < rows; ++i) {
        data.y[i] = normal(generator);
        for (Index j = 0; j < std::min<Index>(cols, 6); ++j) {
            data.y[i] += (j % 2 == 0 ? 1.5 : -1) * data.column(j)[i];
        }
    }
    return data;
}

// min ||y - Xb||^2 + l2 ||b||^2 + l1 ||b||_1, b >= 0 where asked
inline std::vector<double> coordinate_descent(const Regression& data, double l1, double l2,
                                              bool nonnegative) {
    std::vector<double> beta(static_cast<std::size_t>(data.cols));
    std::vector<double> residual = data.y;
    for (int sweep = 0; sweep < 200000; ++sweep) {
        double moved = 0;
        for (Index j = 0; j < data.cols; ++j) {
            double square = l2;
            for (Index i = 0; i < data.rows; ++i) square += data.column(j)[i] * data.column(j)[i];
            const double pull = data.product(j, residual) + (square - l2) * beta[j];
            double next = std::max(0.0, std::abs(pull) - l1 / 2) / square;
            if (pull < 0) next = nonnegative ? 0 : -next;
            const double step = next - beta[j];
            for (Index i = 0; i < data.rows; ++i) residual[i] -= step * data.column(j)[i];
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

inline double objective(const Regression& data, const std::vector<double>& beta, double l2) {
    std::vector<double> residual = data.y;
    double value = 0;
    for (Index j = 0; j < data.cols; ++j) {
        value += l2 * beta[j] * beta[j];
        for (Index i = 0; i < data.rows; ++i) residual[i] -= data.column(j)[i] * beta[j];
    }
    for (const double r : residual) value += r * r;
    return value;
}

}  // namespace sven::test
