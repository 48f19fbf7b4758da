#pragma once
// The calls of scikit-learn and of glmnet whose exact solution is the one just computed. In their
// common form  1/2 sum w (y - Xb)^2 + L1 sum f |b| + 1/2 L2 sum f b^2,  w summing to one:
//
//     scikit-learn   L1 = alpha l1_ratio,       L2 = alpha (1 - l1_ratio)
//     glmnet         L1 = lambda alpha v / f,   L2 = lambda (1 - alpha) v / (f s)
//
// where glmnet's v are the factors f rescaled to sum to p, and s is the standard deviation of y
// (about zero without an intercept).

#include <string>

#include "sven/elastic_net.hpp"

namespace sven::cli {

struct Equivalents {
    std::string scikit_learn;  // a call, or in parentheses why there is none
    std::string glmnet;
};

// In glmnet's convention the penalties of the solution refer to the rescaled factors already.
Equivalents equivalents(const Problem& problem, const Setting& setting, const Solution& solution);
// The same of a relaxed fit.
Equivalents relaxed_equivalents(const Equivalents& penalised, double gamma);

}  // namespace sven::cli
