#pragma once
// Solves the general squared hinge of squared_hinge.hpp.

#include <span>
#include <vector>

#include "sven/svm.hpp"
#include "svm/squared_hinge.hpp"
#include "svm/tuning.hpp"

namespace sven::svm {

struct SolveOptions {
    Method method = Method::automatic;
    double tolerance = default_tolerance;
    Index max_iterations = default_iterations;
    bool shrinks = true;
};

// `start`: w to begin from; empty: the centre. Throws Cancelled if cancelled.
[[nodiscard]] Classifier solve(const SquaredHinge& problem, const SolveOptions& options,
                               std::span<const double> start = {});

}  // namespace sven::svm
