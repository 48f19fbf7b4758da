#pragma once
// The optimality gap, from the products X'r and the coefficients alone (maths.md, eq. 37-40):
//
//     penalty, dual point r          sum_j  Fenchel-Young loss of (beta_j, x_j'r)
//     penalty, scaled augmented      2 sum_j (h f |beta_j| - g_j beta_j) + what the scaling costs
//     budget, Frank-Wolfe            2 (t max_j |g_j| / f_j - g'beta),    g = X'r - l2 f beta
//
// Each equals a sum of non-negative terms, so that a small gap keeps its digits. The budget's needs
// a beta that keeps the budget.

#include <algorithm>
#include <cmath>
#include <limits>

#include "sven/elastic_net.hpp"

namespace sven::problem {

struct GapInput {
    bool is_budget = false;
    double h = 0;  // l1/2
    double t = 0;  // budget only
    double l2 = 0;
    double response_squares = 0;  // ||y||^2
    double residual_squares = 0;  // ||r||^2
};

// Sums over the features.
struct GapSums {
    double hinge = 0;         // of features with beta = 0: sum (|c| - h f)_+^2 / (l2 f)
    double fenchel = 0;       // of features with beta != 0: their Fenchel-Young loss
    double slackness = 0;     // sum h f |beta| - g beta
    double gain = 0;          // g'beta
    double use = 0;           // sum f |beta|
    double ridge = 0;         // sum f beta^2
    double steepest = 0;      // max |g_j| / f_j
    double free_product = 0;  // sum |g_j beta_j| of unpenalised features: 0 but for rounding

    // A feature with beta = 0: `product` is x_j'r, known up to `noise`.
    void add_zero(const GapInput& input, double product, double f, bool nonnegative,
                  double noise = 0) {
        const double magnitude = nonnegative ? std::max(0.0, product) : std::abs(product);
        if (f == 0) {
            is_unbounded |= nonnegative && magnitude > noise;
            return;
        }
        steepest = std::max(steepest, magnitude / f);
        const double excess = magnitude - input.h * f;
        if (excess > 0 && input.l2 > 0) hinge += excess * excess / (input.l2 * f);
    }
    void add(const GapInput& input, double product, double beta, double f, bool nonnegative);
    // An unpenalised feature of either sign must be orthogonal to the residual; where a run was cut
    // off before it was, no dual point is feasible.
    void add_free(const GapInput& input, double product, double norm) {
        is_unbounded |= product * product > 1e-12 * norm * norm * input.response_squares;
    }

    // An unpenalised coefficient may grow from zero: no dual point is feasible.
    bool is_unbounded = false;
};

struct Gap {
    double absolute = 0;
    double relative = 0;
    double objective = 0;
};

Gap close(const GapInput& input, const GapSums& sums);

// 2 h sum f |b| + l2 sum f b^2
inline double penalty_terms(const GapInput& input, const GapSums& sums) {
    return 2 * input.h * sums.use + input.l2 * sums.ridge;
}

}  // namespace sven::problem
