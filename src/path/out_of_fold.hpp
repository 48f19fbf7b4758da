#pragma once
// What the solutions of the folds say of the rows that they were not given.

#include <functional>
#include <span>
#include <vector>

#include "linalg/design.hpp"
#include "sven/cross_validation.hpp"

namespace sven::path {

struct TestedRows {
    const Problem& problem;
    const linalg::Design& design;
    std::span<const Fold> folds;
    linalg::Execution team;
};

using FoldSolution = std::function<Solution(std::size_t fold, Index setting, double gamma)>;

// Offset + intercept + X b of the test rows of each fold, in their order there.
std::vector<std::vector<double>> test_predictors(const TestedRows& rows,
                                                 const FoldSolution& solution_of, Index setting,
                                                 double gamma);

// Fills in the curve's `out_of_fold` at both of its choices, and that of its relaxed fits at
// theirs, from the solution of each fold there.
void keep_predictions(const TestedRows& rows, const FoldSolution& solution_of, CvCurve& curve);

}  // namespace sven::path
