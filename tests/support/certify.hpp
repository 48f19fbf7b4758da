#pragma once
// The certificate by plain loops in long double, from X, y and the coefficients alone, so that no
// mistake of the library can certify itself.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/problems.hpp"

namespace sven::test {

struct Naive {
    Real objective = 0;  // of the form asked for
    Real gap = 0;        // relative
    Real use = 0;        // sum f |b|
};

// The columns as the problem asks for them: centred, scaled, weighted.
struct NaiveColumns {
    std::vector<Real> X;  // n x p
    std::vector<Real> y;
    std::vector<Real> scale, mean;
    Real y_mean = 0;
    Real total = 0;
    Real squares = 0;  // ||y||^2
};

inline NaiveColumns standardize(const Data& data) {
    NaiveColumns c;
    const auto weight = [&](Index i) -> Real { return data.weights.empty() ? 1 : data.weights[i]; };
    const auto response = [&](Index i) -> Real {
        return data.offset.empty() ? data.y[i] : data.y[i] - data.offset[i];
    };
    for (Index i = 0; i < data.n; ++i) {
        c.total += weight(i);
        c.y_mean += weight(i) * response(i);
    }
    c.y_mean = data.intercept ? c.y_mean / c.total : 0;
    for (Index i = 0; i < data.n; ++i) {
        c.y.push_back(std::sqrt(weight(i)) * (response(i) - c.y_mean));
        c.squares += c.y.back() * c.y.back();
    }
    c.X.resize(data.X.size());
    for (Index j = 0; j < data.p; ++j) {
        // about the first entry: far from zero even a long double has few digits left
        const Real origin = data.n > 0 ? data.at(0, j) : 0;
        Real mean = 0;
        Real variance = 0;
        for (Index i = 0; i < data.n; ++i) mean += weight(i) * (data.at(i, j) - origin);
        mean /= c.total;
        for (Index i = 0; i < data.n; ++i) {
            const Real d = (data.at(i, j) - origin) - mean;
            variance += weight(i) * d * d;
        }
        Real low = HUGE_VALL;
        Real high = -HUGE_VALL;
        for (Index i = 0; i < data.n; ++i) {
            if (weight(i) == 0) continue;
            low = std::min<Real>(low, data.at(i, j));
            high = std::max<Real>(high, data.at(i, j));
        }
        const bool is_constant = low == high;
        const Real scale =
            data.standardize && !is_constant ? std::sqrt(variance / c.total) : Real{1};
        c.scale.push_back(scale);
        c.mean.push_back(origin + mean);
        for (Index i = 0; i < data.n; ++i) {
            const Real d = (data.at(i, j) - origin) + (data.intercept ? -mean : origin);
            const bool is_empty = is_constant && (data.intercept || data.standardize);
            c.X[j * data.n + i] = is_empty ? 0 : std::sqrt(weight(i)) * d / scale;
        }
    }
    return c;
}

// How much of r the columns could still explain: the gap of least squares, which no dual point
// tells. With non-negativity the columns in use, and any other that would go up from zero.
inline Real explained(const Data& data, const NaiveColumns& c, const std::vector<Real>& beta,
                      const std::vector<Real>& r) {
    Real sum = 0;
    std::vector<std::vector<Real>> basis;
    for (Index j = 0; j < data.p; ++j) {
        if (!data.factors.empty() && std::isinf(data.factors[j])) continue;
        std::vector<Real> q;
        for (Index i = 0; i < data.n; ++i) q.push_back(c.X[j * data.n + i]);
        const auto dot = [&](const std::vector<Real>& a, const std::vector<Real>& b) {
            Real total = 0;
            for (Index i = 0; i < data.n; ++i) total += a[i] * b[i];
            return total;
        };
        const Real length = dot(q, q);
        if (length == 0) continue;
        if (data.nonnegative && beta[j] == 0) {
            const Real up = std::max<Real>(0, dot(q, r));
            sum += up * up / length;
            continue;
        }
        for (int pass = 0; pass < 2; ++pass)
            for (const auto& other : basis) {
                const Real product = dot(other, q);
                for (Index i = 0; i < data.n; ++i) q[i] -= product * other[i];
            }
        const Real rest = dot(q, q);
        if (rest < 1e-24L * length) continue;
        for (Real& value : q) value /= std::sqrt(rest);
        sum += dot(q, r) * dot(q, r);
        basis.push_back(q);
    }
    return sum;
}

// How far a coefficient may go to one side, on the scale of the standardised columns.
inline Real room(const Data& data, const NaiveColumns& c, Index j, Real side) {
    if (side < 0 && data.nonnegative) return 0;
    const std::vector<double>& limits = side < 0 ? data.lower : data.upper;
    return limits.empty() ? HUGE_VALL : std::abs(limits[j] * c.scale[j]);
}

// The gap of the penalty form at h between limits, by the dual point kappa r: the largest value of
// 2 b c - l2 f b^2 - 2 h f |b| is at 0, at a limit or between them.
struct BoxedGap {
    const Data& data;
    const NaiveColumns& c;
    const std::vector<Real>& beta;
    const std::vector<Real>& products;  // x_j'r
    Real h, l2, y_r, rr, primal;

    Real factor(Index j) const { return data.factors.empty() ? 1 : Real{data.factors[j]}; }
    bool is_out(Index j) const { return std::isinf(factor(j)); }
    Real at(Real kappa) const {
        Real dual = 2 * kappa * y_r - kappa * kappa * rr;
        for (Index j = 0; j < data.p; ++j) {
            if (is_out(j)) continue;
            const Real product = kappa * products[j];
            const Real excess = std::abs(product) - h * factor(j);
            const Real most = room(data, c, j, product);
            const Real curvature = l2 * factor(j);
            if (excess <= 1e-16L * h * factor(j) || most == 0) continue;
            if (factor(j) == 0 && std::isinf(most)) continue;  // its product is rounding
            const Real b = curvature > 0 ? std::min(most, excess / curvature) : most;
            if (std::isinf(b)) return HUGE_VALL;
            dual -= 2 * b * excess - curvature * b * b;
        }
        return primal - dual;
    }
    Real gap() const {
        Real steepest = 0;
        Real unlimited = 0;
        for (Index j = 0; j < data.p; ++j) {
            const Real f = factor(j);
            if (is_out(j) || f == 0) continue;
            const Real g = products[j] - l2 * f * beta[j];
            const Real most = room(data, c, j, g);
            if (most == 0) continue;
            const bool is_held = g * beta[j] > 0 && std::abs(beta[j]) >= most * (1 - 1e-12L);
            if (!is_held) steepest = std::max(steepest, std::abs(g) / f);
            if (std::isinf(most)) unlimited = std::max(unlimited, std::abs(g) / f);
        }
        Real gap = at(1);
        for (const Real most : {steepest, unlimited})
            if (most > h) gap = std::min(gap, at(h / most));
        return gap;
    }
};

// By the better of two dual points; and where neither tells anything, against least squares.
// NOLINTNEXTLINE(readability-function-size): the formulas, one plain loop after the other
inline Naive certify_naively(const Data& data, const Setting& setting, const Solution& solution,
                             bool may_use_least_squares = true) {
    const NaiveColumns c = standardize(data);
    std::vector<Real> beta(static_cast<std::size_t>(data.p), 0);
    for (const Coefficient& b : solution.coefficients) beta[b.feature] = b.standardized;
    std::vector<Real> r = c.y;
    for (Index j = 0; j < data.p; ++j)
        for (Index i = 0; i < data.n; ++i) r[i] -= c.X[j * data.n + i] * beta[j];
    const auto factor = [&](Index j) -> Real {
        return data.factors.empty() ? 1 : (std::isinf(data.factors[j]) ? 0 : data.factors[j]);
    };
    const Real h = static_cast<Real>(solution.l1) / 2;
    const Real l2 = solution.l2;
    Real quadratic = 0;
    Real y_r = 0;
    for (Index i = 0; i < data.n; ++i) {
        quadratic += r[i] * r[i];
        y_r += c.y[i] * r[i];
    }
    const Real rr = quadratic;
    Naive naive;
    Real steepest = 0;
    Real gain = 0;
    std::vector<Real> products(static_cast<std::size_t>(data.p), 0);
    for (Index j = 0; j < data.p; ++j) {
        if (!data.factors.empty() && std::isinf(data.factors[j])) continue;
        const Real f = factor(j);
        Real product = 0;
        for (Index i = 0; i < data.n; ++i) product += c.X[j * data.n + i] * r[i];
        products[j] = product;
        const Real g = product - l2 * f * beta[j];
        naive.use += f * std::abs(beta[j]);
        quadratic += l2 * f * beta[j] * beta[j];
        gain += g * beta[j];
        if (f == 0) continue;
        const Real up = data.nonnegative ? std::max<Real>(0, g) : std::abs(g);
        steepest = std::max(steepest, up / f);
    }
    // The dual objective at kappa r, where a ridge bounds what products above their bounds cost.
    const auto dual = [&](Real kappa) {
        Real value = 2 * kappa * y_r - kappa * kappa * rr;
        for (Index j = 0; j < data.p; ++j) {
            const Real up = data.nonnegative ? products[j] : std::abs(products[j]);
            const Real excess = kappa * up - h * factor(j);
            if (excess > 0 && factor(j) > 0) value -= excess * excess / (l2 * factor(j));
        }
        return value;
    };
    const Real kappa = steepest > h ? h / steepest : 1;
    const bool is_budget = std::holds_alternative<Budget>(setting);
    Real gap = 0;
    if (is_budget && solution.status != Status::ridge) {
        naive.objective = quadratic;
        const Real t = std::get<Budget>(setting).t;
        gap = 2 * t * steepest - 2 * gain;
        if (l2 > 0) gap = std::min(gap, quadratic + 2 * h * t - std::max(dual(1), dual(kappa)));
    } else {
        const Real primal = quadratic + 2 * h * naive.use;
        naive.objective = primal;
        gap = primal - (2 * kappa * y_r - kappa * kappa * quadratic);
        if (l2 > 0) gap = std::min(gap, primal - std::max(dual(1), dual(kappa)));
        // the objective is not further from the optimum than from least squares
        if (may_use_least_squares && gap > 1e-10L * c.squares)
            gap = std::min(gap, explained(data, c, beta, r) + primal - rr);
    }
    if (!data.lower.empty() || !data.upper.empty()) {
        const BoxedGap boxed{
            data, c, beta, products, h, l2, y_r, rr, quadratic + 2 * h * naive.use};
        gap = boxed.gap();
        if (is_budget && solution.status != Status::ridge)
            gap += 2 * h * (Real{std::get<Budget>(setting).t} - naive.use);
    }
    gap = std::min(gap, naive.objective);  // the optimum is not negative
    if (std::holds_alternative<Mixing>(setting)) naive.objective /= 2 * c.total;
    naive.gap = c.squares > 0 ? gap / c.squares : 0;
    return naive;
}

// The solution tells the truth, and the truth is good enough.
inline void certify(const Data& data, const Setting& setting, const Solution& solution,
                    double tolerance = 1e-10) {
    const Naive naive = certify_naively(data, setting, solution);
    EXPECT_TRUE(solution.status == Status::optimal || solution.status == Status::ridge ||
                solution.status == Status::not_unique)
        << name(solution.status) << " gap " << solution.gap;
    EXPECT_LE(static_cast<double>(naive.gap), tolerance);
    EXPECT_LE(solution.gap, tolerance);
    EXPECT_NEAR(solution.gap, static_cast<double>(naive.gap), tolerance);
    const double scale = static_cast<double>(standardize(data).squares) + 1e-300;
    EXPECT_NEAR(solution.objective, static_cast<double>(naive.objective),
                1e-10 * std::abs(static_cast<double>(naive.objective)) + 1e-14 * scale);
    if (const auto* budget = std::get_if<Budget>(&setting)) {
        EXPECT_LE(static_cast<double>(naive.use), budget->t * (1 + 1e-12))
            << "over by " << static_cast<double>(naive.use / budget->t - 1);
    }
    for (const Coefficient& b : solution.coefficients)
        EXPECT_TRUE(!data.nonnegative || b.value > 0);
    for (const Coefficient& b : solution.coefficients) {
        EXPECT_TRUE(data.lower.empty() || b.value >= data.lower[b.feature]) << b.value;
        EXPECT_TRUE(data.upper.empty() || b.value <= data.upper[b.feature]) << b.value;
    }
    // both scales, and the intercept
    const NaiveColumns c = standardize(data);
    Real intercept = c.y_mean;
    for (const Coefficient& b : solution.coefficients) {
        EXPECT_NEAR(b.value * static_cast<double>(c.scale[b.feature]), b.standardized,
                    1e-9 * std::abs(b.standardized));
        if (data.intercept) intercept -= c.mean[b.feature] * b.value;
    }
    if (!data.intercept) intercept = 0;
    EXPECT_NEAR(solution.intercept, static_cast<double>(intercept),
                1e-8 * (1 + std::abs(solution.intercept)));
}

}  // namespace sven::test
