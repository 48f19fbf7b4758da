#pragma once
// The calls of the library: arrays as inputs, dictionaries of arrays as results.

#include <optional>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "runner.hpp"
#include "sven/cross_validation.hpp"

namespace svenet {

struct RegressionProblem {
    nb::object matrix;  // keeps X, or the statistics, alive
    RealVector y;
    std::optional<RealVector> weights;
    std::optional<RealVector> factors;
    std::optional<RealVector> lower;
    std::optional<RealVector> upper;
    std::optional<RealVector> offset;
    sven::Problem problem;
};

struct ProblemFlags {
    bool nonnegative = false;
    bool intercept = true;
    bool standardize = false;
    sven::Family family = sven::Family::gaussian;
};

// Of rows or features; none: all one, no limit, nothing.
struct ProblemVectors {
    std::optional<RealVector> weights, factors, lower, upper, offset;
};

sven::Family family_of(const std::string& name);
RegressionProblem make_problem(nb::handle matrix, const RealVector& y,
                               const ProblemVectors& vectors, const ProblemFlags& flags);

// `form`: budget (t, lambda2), penalty (lambda1, lambda2), mixing or glmnet (lambda, alpha).
std::vector<sven::Setting> settings_of(const std::string& form, const RealVector& first,
                                       const RealVector& second);
// Pairs of training and test rows.
using Folds = std::vector<std::pair<IndexVector, IndexVector>>;
struct FoldTerms {
    std::string measure;
    std::string held;
    RealVector gammas;  // of relaxed fits; empty: none
    bool keeps_predictions = false;
    bool grouped = true;
};
sven::CrossValidation plan_of(const Folds& folds, double alpha, const RealVector& lambdas,
                              const FoldTerms& terms);
sven::Grid lasso_grid(int count, double min_ratio, bool glmnet);
nb::object lambdas_of(const std::vector<sven::Setting>& settings);
nb::dict to_dict(const std::vector<sven::Solution>& solutions);
// The path on all rows, with the errors, gaps and statuses of the folds.
nb::dict to_dict(sven::CvResult result);

struct PathTerms {
    bool relax = false;                // the refits too
    std::optional<double> least_gain;  // glmnet's fdev: the path ends by glmnet's rules
};

// Of refits their solutions as `relaxed`, and how each came out as `refit`.
nb::dict solve_path(const RegressionProblem& problem, const std::string& form,
                    const RealVector& first, const RealVector& second, const SolveOptions& options,
                    const PathTerms& terms);

// One path for each column of `responses`, which are gaussian.
nb::list solve_paths(const RegressionProblem& problem, const RealVector& responses,
                     const std::string& form, const RealVector& first, const RealVector& second,
                     const SolveOptions& options);

// The library's grid for alpha = 1: `count` lambdas, from the smallest at which every penalised
// coefficient is zero down to min_ratio of it.
nb::object lambda_grid(const RegressionProblem& problem, int count, double min_ratio, bool glmnet,
                       const SolveOptions& options);

nb::dict cross_validate(const RegressionProblem& problem, const sven::CrossValidation& plan,
                        const SolveOptions& options);

// Pairs of training and test rows, as `sven cv` has them; `kind`: plain, stratified (by `values`),
// grouped (by `values`) or time_ordered.
nb::list make_folds(const std::string& kind, const RealVector& values, int count,
                    std::uint64_t seed, int repeats);

nb::dict train(const Matrix& matrix, const RealVector& labels, const RealVector& costs,
               const SolveOptions& options);

// What linear predictors say: link, response or class.
nb::object transform(const std::string& family, const std::string& type, const RealVector& eta);

// X b, computed where X is stored.
nb::object multiply(const Matrix& matrix, const RealVector& coefficients);

}  // namespace svenet
