#pragma once
// The paper's reduction at its word with sven's own machine: 2p samples, formed, and trained on.

#include "columns.hpp"

namespace rivals {

struct ExplicitBudget {
    const MatrixBuffers* X;  // dense columns
    std::span<const double> y;
    double t;
    double l2;
    double tolerance;  // of the machine's relative gap
    int threads;
};

struct ExplicitOutcome {
    std::vector<double> beta;
    double forming = 0;   // seconds
    double training = 0;  // seconds
};

// min ||y - Xb||^2 + l2 ||b||^2 where ||b||_1 <= t, which has to bind.
ExplicitOutcome explicit_machine(const ExplicitBudget& problem);

// The samples alone, label already multiplied in: 2p x n, row-major.
std::vector<double> form_samples(const ExplicitBudget& problem);

}  // namespace rivals
