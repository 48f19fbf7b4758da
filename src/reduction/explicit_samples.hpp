#pragma once
// The paper's reduction taken at its word, for any SVM solver: the samples are formed and handed
// over (maths.md, eq. 14-17). With C = 1/(2 l2), for every feature j
//
//     budget    z = x_j - y/t and z = -x_j - y/t;   beta = t (a+ - a-) / sum(a)
//     penalty   centre y, offsets -l1/2, z = -x_j and z = x_j;   beta = a+ - a-
//
// and only the first of the two for non-negative coefficients. LIBLINEAR knows no centre: there the
// penalty form is a search for the budget whose multiplier is l1. It takes 2p x n numbers of
// memory; the engine of the path never forms a sample.

#include <span>
#include <variant>
#include <vector>

#include "linalg/execution.hpp"
#include "sven/elastic_net.hpp"
#include "svm/tuning.hpp"

namespace sven::reduction {

struct ExplicitProblem {
    const double* X = nullptr;  // n x p as the solver sees it: column-major, standardised, weighted
    Index rows = 0;
    Index cols = 0;
    std::span<const double> y;
    std::span<const double> penalty_factors;  // must be empty or all one
    bool nonnegative = false;
    std::variant<Budget, Penalty> setting;
};

struct ExplicitOptions {
    Svm svm = Svm::newton;
    Method method = Method::automatic;  // of our own solver
    double tolerance =
        svm::default_tolerance;  // of the SVM's relative gap; LIBLINEAR's own tolerance
    Index max_iterations = svm::default_iterations;
    linalg::Execution execution = {};
};

struct ExplicitFit {
    std::vector<double> beta;
    double t = 0;           // ||beta||_1
    double l1 = 0;          // 2 ||X'r - l2 beta||_inf, or the penalty asked for
    bool is_ridge = false;  // no l1 penalty, or a budget that does not bind
    Index iterations = 0;   // of the SVM solver, over all its runs
    bool has_converged = true;
};

// Throws InvalidArgument where the reduction does not reach: l2 = 0, penalty factors; and Cancelled
// when the token is seen.
[[nodiscard]] ExplicitFit fit_by_svm(const ExplicitProblem& problem,
                                     const ExplicitOptions& options = {});

}  // namespace sven::reduction
