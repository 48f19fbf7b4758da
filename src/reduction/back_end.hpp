#pragma once
// Explicit samples and the solvers that take them.

#include <vector>

#include "reduction/explicit_samples.hpp"

namespace sven::reduction {

struct Samples {
    std::vector<double> z;  // count x features, row-major: the plus samples, then the minus samples
    Index count = 0;
    Index features = 0;
    double cost = 0;
};

struct BackEndResult {
    std::vector<double> w;
    std::vector<double> alpha;
    Index iterations = 0;
    bool has_converged = true;
};

// z = x_j + shift and, unless coefficients are non-negative, z = -x_j + shift, each times `sign`.
Samples form_samples(const ExplicitProblem& problem, double l2, double sign,
                     std::span<const double> shift);

// min_w 1/2 ||w||^2 + C sum max(0, 1 - z'w)^2 by the solver asked for.
BackEndResult solve_plain(const Samples& samples, const ExplicitOptions& options);

// min_w 1/2 ||w - centre||^2 + C sum max(0, offset - z'w)^2 by our own.
BackEndResult solve_centred(const Samples& samples, std::span<const double> centre, double offset,
                            const ExplicitOptions& options);

}  // namespace sven::reduction
