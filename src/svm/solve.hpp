#pragma once
// Solves the general squared hinge of squared_hinge.hpp.

#include <span>
#include <vector>

#include "sven/svm.hpp"
#include "svm/squared_hinge.hpp"

namespace sven::svm {

struct SolveOptions {
    Method method = Method::automatic;
    double tolerance = 1e-10;
    Index max_iterations = 1000;
    bool shrinks = true;
};

// `start`: w to begin from; empty: the centre. Throws Cancelled when the token is seen.
[[nodiscard]] Classifier solve(const SquaredHinge& problem, const SolveOptions& options,
                               std::span<const double> start = {});

}  // namespace sven::svm
