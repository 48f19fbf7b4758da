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

// The coefficients of a solution in the scaled columns, and what they predict.
struct NaiveFit {
    const Data& data;
    NaiveLoss loss;
    NaiveColumns scaled;
    std::vector<std::vector<Real>> X;       // centred and scaled, without the roots of the weights
    std::vector<std::vector<Real>> always;  // the intercept, and columns without a penalty
    std::vector<Real> beta;
    std::vector<Real> eta;
    Real h;
    Real l2;

    NaiveFit(const Data& of, const Solution& solution)
        : data(of),
          loss(of),
          X(static_cast<std::size_t>(of.p)),
          beta(X.size(), 0),
          eta(static_cast<std::size_t>(of.n), solution.intercept),
          h(static_cast<Real>(solution.l1) / 2),
          l2(solution.l2) {
        Data plain = data;
        scaled = standardize(plain);
        for (std::size_t i = 0; i < data.offset.size(); ++i) eta[i] += data.offset[i];
        for (const Coefficient& b : solution.coefficients) {
            beta[b.feature] = static_cast<Real>(b.value) * scaled.scale[b.feature];
            for (Index i = 0; i < data.n; ++i)
                eta[i] += static_cast<Real>(b.value) * data.at(i, b.feature);
        }
        if (data.intercept) always.emplace_back(eta.size(), 1);
        for (Index j = 0; j < data.p; ++j) {
            for (Index i = 0; i < data.n; ++i)
                X[j].push_back((data.at(i, j) - (data.intercept ? scaled.mean[j] : 0)) /
                               scaled.scale[j]);
            if (factor(j) == 0) always.push_back(X[j]);
        }
    }
    Real factor(Index j) const { return data.factors.empty() ? 1 : data.factors[j]; }
    bool is_penalised(Index j) const { return factor(j) != 0 && !std::isinf(factor(j)); }
    Real along(Real product) const {
        return data.nonnegative ? std::max<Real>(0, product) : std::abs(product);
    }
    Real null_deviance() const {
        std::vector<Real> at(data.offset.begin(), data.offset.end());
        at.resize(eta.size(), 0);
        std::vector<std::vector<Real>> columns;
        if (data.intercept) columns.emplace_back(eta.size(), 1);
        settle(loss, columns, at);
        return 2 * loss.half_deviance(at);
    }
    Real penalty() const {
        Real sum = 0;
        for (Index j = 0; j < data.p; ++j)
            if (!std::isinf(factor(j)))
                sum += factor(j) * (2 * h * std::abs(beta[j]) + l2 * beta[j] * beta[j]);
        return sum;
    }
};

// A dual point u, and its products with the columns.
struct NaiveDual {
    const NaiveFit& fit;
    std::vector<Real> u;
    std::vector<Real> products;
    Real steepest;

    explicit NaiveDual(const NaiveFit& of)
        : fit(of), products(static_cast<std::size_t>(of.data.p), 0), steepest(of.h) {
        const Data& data = fit.data;
        std::vector<Real> settled = fit.eta;
        settle(fit.loss, fit.always, settled);
        for (Index i = 0; i < data.n; ++i)
            u.push_back(fit.loss.weights[i] * (data.y[i] - naive_mean(data.family, settled[i])));
        for (Index j = 0; j < data.p; ++j) {
            if (!fit.is_penalised(j)) continue;
            for (Index i = 0; i < data.n; ++i) products[j] += fit.X[j][i] * u[i];
            const Real g = products[j] - fit.l2 * fit.factor(j) * fit.beta[j];
            steepest = std::max(steepest, fit.along(g) / fit.factor(j));
        }
    }
    // Of the point s u; the ridge may count as data.
    Real value(Real s, bool ridge_is_data) const {
        const Data& data = fit.data;
        Real value = 0;
        for (Index i = 0; i < data.n; ++i) {
            const Real w = fit.loss.weights[i];
            if (w == 0) continue;
            const Real q = data.y[i] - s * u[i] / w;
            value -= w * (conjugate(data.family, q) - conjugate(data.family, data.y[i]));
            if (!data.offset.empty()) value -= s * u[i] * data.offset[i];
        }
        for (Index j = 0; j < data.p; ++j) {
            if (!fit.is_penalised(j)) continue;
            const Real ridge = fit.l2 * fit.factor(j);
            const Real over = std::max<Real>(0, fit.along(s * products[j]) - fit.h * fit.factor(j));
            if (ridge_is_data) {
                value -= s * s * ridge * fit.beta[j] * fit.beta[j] / 2;
            } else if (ridge > 0) {
                const std::vector<double>& limits = products[j] > 0 ? data.upper : data.lower;
                const Real room =
                    limits.empty() ? HUGE_VALL : std::abs(limits[j]) * fit.scaled.scale[j];
                const Real b = std::min(over / ridge, room);
                value -= over * b - ridge * b * b / 2;
            } else if (over > 0) {
                return -HUGE_VALL;
            }
        }
        return 2 * value;
    }
};

inline NaiveOutcome certify_outcome(const Data& data, const Solution& solution) {
    const NaiveFit fit(data, solution);
    NaiveOutcome naive;
    naive.deviance = 2 * fit.loss.half_deviance(fit.eta);
    naive.null_deviance = fit.null_deviance();
    naive.objective = naive.deviance + fit.penalty();
    const NaiveDual dual(fit);
    Real best = dual.value(1, false);
    if (data.lower.empty() && data.upper.empty()) {
        const Real s = dual.steepest > fit.h ? fit.h / dual.steepest * (1 - 1e-18L) : 1;
        best = std::max({best, dual.value(s, true), dual.value(s, false)});
    }
    naive.gap = (naive.objective - best) / naive.null_deviance;
    return naive;
}

}  // namespace sven::test
