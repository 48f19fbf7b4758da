#pragma once
// LIBLINEAR as a second solver of min_w 1/2 ||w||^2 + C sum_i max(0, 1 - z_i'w)^2. In a build
// without the library has_liblinear() is false and training throws.

#include <span>
#include <vector>

#include "sven/matrix.hpp"
#include "svm/tuning.hpp"

namespace sven::svm {

struct LinearProblem {
    std::span<const double> z;  // samples x features, row-major, labels multiplied in
    Index samples = 0;
    Index features = 0;
    double cost = 1;  // C
    double eps = liblinear_eps;
};

struct LinearFit {
    std::vector<double> w;      // features
    std::vector<double> alpha;  // samples: 2 C max(0, 1 - z_i'w)
    Index iterations = 0;       // as LIBLINEAR counts them
};

// Throws InvalidArgument if this build has no LIBLINEAR.
[[nodiscard]] LinearFit train_liblinear(const LinearProblem& problem);

}  // namespace sven::svm
