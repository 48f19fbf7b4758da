#pragma once
// The one certificate: from products of the columns with a dual point, coefficients, and bounds on
// the errors of both, to a gap that includes its own error (maths.md, section "Certificates").
//
// For every dual point u, with r = y - X b and c_j = x_j'u,
//
//     objective(b) - optimum <= ||r - u||^2 + sum_j phi_j(b_j, c_j)  [+ 2 h (t - sum f |b|)]
//
// where phi_j, the Fenchel-Young loss of the penalty on feature j, is not negative and convex in
// c_j: its largest value over an interval is at one of the ends. The term in brackets is for a
// budget, with any multiplier h. There is no cancellation, so that a small gap is accurate to its
// last digits.

#include <functional>
#include <vector>

#include "problem/target.hpp"
#include "problem/tuning.hpp"

namespace sven::problem {

// What is certified: the penalty form at h, or a budget t with the multiplier h.
struct Question {
    double h = 0;  // l1/2
    double l2 = 0;
    bool is_budget = false;
    double t = 0;

    // A target whose multiplier was found to be h; a slack budget is the penalty form without l1.
    static Question of(const Target& target, double h, bool is_slack) {
        const bool binds = target.is_budget() && !is_slack;
        return {h, target.l2(), binds, binds ? target.t() : 0};
    }
};

// The dual point u of the products. r is the residual of the returned coefficients, in exact
// arithmetic.
struct DualPoint {
    double length = 0;    // ||u||
    double distance = 0;  // at least ||r - u||
    double noise = 0;     // the error of x_j'u is at most noise ||x_j||
    double scale_error =
        0;  // relative error of the penalties: columns are scaled by computed deviations

    // Whether the residual is accurate enough to use its sum of squares.
    bool is_accurate() const { return distance <= accurate_residual * length; }
    // Whether that sum is accurate beside the squares of the response.
    bool is_accurate_beside(double squares) const {
        return (2 * length + distance) * distance <= accurate_residual * squares;
    }
};

struct Gap {
    double absolute = 0;
    double relative = 0;  // to ||y||^2, or to the deviance without any feature
    double objective = 0;
    double deviance = 0;  // the data's part of it
};

// The data's part of an objective whose loss is not the squared one.
struct Fit {
    double deviance = 0;
    double null_deviance = 0;  // without any feature
    // At least twice the sum of w KL(q, mean) for the dual point kappa u (maths.md, eq. 69).
    std::function<double(double kappa)> divergence;
};

class GapSum {
  public:
    GapSum(const Question& question, const Penalties& penalties, const DualPoint& point)
        : question_(question), penalties_(penalties), point_(point) {
        question_.h = std::max(0.0, question.h);  // rounding may make a multiplier negative
    }

    // Another question, over the same penalties; the memory is kept.
    void begin(const Question& question, const DualPoint& point);
    // A feature with its product x_j'u, the length of its column and its coefficient. Free features
    // are not added: u is orthogonal to them, up to `distance` and `noise` of the point. Features
    // with beta = 0 and |product| + noise norm <= h f may be skipped. For a product that is exact
    // by construction pass the norm 0.
    void add(Index feature, double product, double norm, double beta);

    double weighted_l1() const { return weighted_l1_; }  // sum f |b|
    double penalty() const;                              // 2 h sum f |b| + l2 sum f b^2
    Gap close(double residual_squares, double response_squares) const;
    Gap close(const Fit& fit) const;
    // What the features alone add to it, by the best of its dual points.
    double features_alone() const;

  private:
    struct Term {
        Index feature;
        double product;
        double error;
        double beta;
    };
    // The largest loss of a coefficient whose product is known up to its error.
    double loss(const Term& term, double kappa) const;
    // Of penalties and limits, relative.
    double penalty_error() const { return penalty_rounding + point_.scale_error; }
    // The gap of the dual point kappa u: what the data and what the features add to it.
    double gap_at(double kappa) const;
    double gap_at(double kappa, double data) const;
    // The same where the ridge counts as data.
    double gap_with_ridge_at(double kappa, double data) const;
    // The largest share of u whose products satisfy their bounds, of which one is `steepest`.
    double share(double steepest) const;

    Question question_;
    Penalties penalties_;
    DualPoint point_;
    std::vector<Term> terms_;
    double steepest_ = 0;            // max (|x_j'u - l2 f b| + error) / f, but for b at a limit
    double steepest_unlimited_ = 0;  // the same over what has no limit
    double weighted_l1_ = 0;
    double ridge_ = 0;  // sum f b^2
};

}  // namespace sven::problem
