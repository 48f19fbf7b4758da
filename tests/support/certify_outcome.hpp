#pragma once
// The certificate of a binomial or poisson fit by plain loops in long double, from X, y and the
// coefficients alone: the primal objective less the dual one, at the better of two dual points,
// with intercept and free features moved to where the errors are orthogonal to them.

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "support/certify.hpp"
#include "support/eliminate.hpp"
#include "support/problems.hpp"

namespace sven::test {

struct NaiveOutcome {
    Real deviance = 0;
    Real null_deviance = 0;
    Real objective = 0;  // of the penalty form
    Real gap = 0;        // relative to the null deviance
};

inline Real naive_mean(Family family, Real eta) {
    return family == Family::binomial ? 1 / (1 + std::exp(-eta)) : std::exp(eta);
}
inline Real naive_curvature(Family family, Real eta) {
    const Real m = naive_mean(family, eta);
    return family == Family::binomial ? m * naive_mean(family, -eta) : m;
}
inline Real x_log_x(Real x) {
    return x > 0 ? x * std::log(x) : 0;
}
// A(eta), and its conjugate.
inline Real cumulant(Family family, Real eta) {
    if (family == Family::poisson) return std::exp(eta);
    return std::max<Real>(eta, 0) + std::log1p(std::exp(-std::abs(eta)));
}
inline Real conjugate(Family family, Real q) {
    return family == Family::binomial ? x_log_x(q) + x_log_x(1 - q) : x_log_x(q) - q;
}

struct NaiveLoss {
    const Data& data;
    std::vector<Real> weights;

    explicit NaiveLoss(const Data& of) : data(of) {
        for (Index i = 0; i < data.n; ++i)
            weights.push_back(data.weights.empty() ? 1 : data.weights[i]);
    }
    // sum w KL(y, mean)
    Real half_deviance(const std::vector<Real>& eta) const {
        Real sum = 0;
        for (Index i = 0; i < data.n; ++i)
            sum += weights[i] * (cumulant(data.family, eta[i]) - data.y[i] * eta[i] +
                                 conjugate(data.family, data.y[i]));
        return sum;
    }
};

// Moves the linear predictor along some columns until the errors are orthogonal to them.
inline void settle(const NaiveLoss& loss, const std::vector<std::vector<Real>>& columns,
                   std::vector<Real>& eta) {
    const Data& data = loss.data;
    const auto m = static_cast<Index>(columns.size());
    if (m == 0) return;
    for (int step = 0; step < 60; ++step) {
        std::vector<Real> H(static_cast<std::size_t>(m * m), 0);
        std::vector<Real> g(static_cast<std::size_t>(m), 0);
        for (Index i = 0; i < data.n; ++i) {
            const Real u = loss.weights[i] * (data.y[i] - naive_mean(data.family, eta[i]));
            const Real k = loss.weights[i] * naive_curvature(data.family, eta[i]);
            for (Index a = 0; a < m; ++a) {
                g[a] += u * columns[a][i];
                for (Index b = 0; b < m; ++b) H[a * m + b] += k * columns[a][i] * columns[b][i];
            }
        }
        const std::vector<Real> move = eliminate(H, g);
        Real largest = 0;
        for (Index a = 0; a < m; ++a)
            for (Index i = 0; i < data.n; ++i)
                largest = std::max(largest, std::abs(move[a] * columns[a][i]));
        const Real share = largest > 1 ? 1 / largest : 1;
        for (Index a = 0; a < m; ++a)
            for (Index i = 0; i < data.n; ++i) eta[i] += share * move[a] * columns[a][i];
        if (largest < 1e-18L) return;
    }
}

inline NaiveOutcome certify_outcome(const Data& data, const Solution& solution) {
    const NaiveLoss loss(data);
    Data plain = data;  // columns centred and scaled, without the roots of the weights
    const NaiveColumns c = standardize(plain);
    std::vector<std::vector<Real>> X(static_cast<std::size_t>(data.p));
    std::vector<Real> beta(static_cast<std::size_t>(data.p), 0);
    for (const Coefficient& b : solution.coefficients)
        beta[b.feature] = static_cast<Real>(b.value) * c.scale[b.feature];
    std::vector<Real> eta(static_cast<std::size_t>(data.n), solution.intercept);
    std::vector<Real> null_eta(static_cast<std::size_t>(data.n), 0);
    for (std::size_t i = 0; i < data.offset.size(); ++i) {
        eta[i] += data.offset[i];
        null_eta[i] = data.offset[i];
    }
    for (const Coefficient& b : solution.coefficients)
        for (Index i = 0; i < data.n; ++i)
            eta[i] += static_cast<Real>(b.value) * data.at(i, b.feature);
    const auto factor = [&](Index j) -> Real { return data.factors.empty() ? 1 : data.factors[j]; };
    std::vector<std::vector<Real>> always;
    std::vector<Real> ones(static_cast<std::size_t>(data.n), 1);
    if (data.intercept) always.push_back(ones);
    for (Index j = 0; j < data.p; ++j) {
        for (Index i = 0; i < data.n; ++i)
            X[j].push_back((data.at(i, j) - (data.intercept ? c.mean[j] : 0)) / c.scale[j]);
        if (factor(j) == 0) always.push_back(X[j]);
    }
    std::vector<std::vector<Real>> null_columns;
    if (data.intercept) null_columns.push_back(ones);
    settle(loss, null_columns, null_eta);
    const Real h = static_cast<Real>(solution.l1) / 2;
    const Real l2 = solution.l2;
    NaiveOutcome naive;
    naive.deviance = 2 * loss.half_deviance(eta);
    naive.null_deviance = 2 * loss.half_deviance(null_eta);
    Real use = 0;
    Real ridge = 0;
    for (Index j = 0; j < data.p; ++j) {
        if (std::isinf(factor(j))) continue;
        use += factor(j) * std::abs(beta[j]);
        ridge += factor(j) * beta[j] * beta[j];
    }
    naive.objective = naive.deviance + 2 * h * use + l2 * ridge;
    // the dual point
    std::vector<Real> settled = eta;
    settle(loss, always, settled);
    std::vector<Real> u;
    for (Index i = 0; i < data.n; ++i)
        u.push_back(loss.weights[i] * (data.y[i] - naive_mean(data.family, settled[i])));
    std::vector<Real> products(static_cast<std::size_t>(data.p), 0);
    Real steepest = h;
    for (Index j = 0; j < data.p; ++j) {
        if (factor(j) == 0 || std::isinf(factor(j))) continue;
        for (Index i = 0; i < data.n; ++i) products[j] += X[j][i] * u[i];
        const Real g = products[j] - l2 * factor(j) * beta[j];
        const Real size = data.nonnegative ? std::max<Real>(0, g) : std::abs(g);
        steepest = std::max(steepest, size / factor(j));
    }
    const auto dual = [&](Real s, bool ridge_is_data) {
        Real value = 0;
        for (Index i = 0; i < data.n; ++i) {
            if (loss.weights[i] == 0) continue;
            const Real q = data.y[i] - s * u[i] / loss.weights[i];
            value -=
                loss.weights[i] * (conjugate(data.family, q) - conjugate(data.family, data.y[i]));
            if (!data.offset.empty()) value -= s * u[i] * data.offset[i];
        }
        for (Index j = 0; j < data.p; ++j) {
            const Real f = factor(j);
            if (f == 0 || std::isinf(f)) continue;
            const Real up =
                data.nonnegative ? std::max<Real>(0, s * products[j]) : std::abs(s * products[j]);
            const Real over = std::max<Real>(0, up - h * f);
            const std::vector<double>& limits = products[j] > 0 ? data.upper : data.lower;
            if (ridge_is_data)
                value -= s * s * l2 * f * beta[j] * beta[j] / 2;
            else if (l2 > 0) {
                const Real room = limits.empty() ? HUGE_VALL : std::abs(limits[j]) * c.scale[j];
                const Real b = std::min(over / (l2 * f), room);
                value -= over * b - l2 * f * b * b / 2;
            } else if (over > 0)
                return -HUGE_VALL;
        }
        return 2 * value;
    };
    const Real s = steepest > h ? h / steepest * (1 - 1e-18L) : 1;
    Real best = dual(1, false);
    const bool has_limits = !data.lower.empty() || !data.upper.empty();
    if (!has_limits) best = std::max({best, dual(s, true), dual(s, false)});
    naive.gap = (naive.objective - best) / naive.null_deviance;
    return naive;
}

}  // namespace sven::test
