#pragma once
// The squared-hinge support vector machine without bias, by itself (maths.md, eq. 7):
//
//     min_w  1/2 ||w||^2 + sum_i C_i max(0, 1 - label_i x_i'w)^2

#include <span>
#include <vector>

#include "sven/elastic_net.hpp"
#include "sven/export.h"
#include "sven/matrix.hpp"

namespace sven::svm {

struct Classification {
    MatrixView X;                    // m samples x d features: one sample per row
    std::span<const double> labels;  // m, each -1 or +1
    std::span<const double> costs;   // m, C_i > 0; empty: `cost` for every sample
    double cost = 1;
};

struct Classifier {
    std::vector<double> w;      // d
    std::vector<double> alpha;  // m dual variables, >= 0; the support vectors are > 0
    double objective = 0;
    // Relative, with its own rounding included: (objective - optimum) / objective is at most this.
    double gap = 0;
    Index support_vectors = 0;
    Index iterations = 0;
    Method method = Method::primal;
    Status status = Status::optimal;
};

// Exact Newton, primal (d x d systems) or dual (on the kernel of the support vectors); of the
// options, `svm` and `progress` are ignored. `warm_start`: a w to start from; empty: none. X is
// read in place; only compressed columns are copied, once, to compressed rows. Throws
// InvalidArgument on a malformed problem, and on one beyond double precision: the largest entry of
// X in size must lie in 1e-75 .. 1e75, or X be zero, and the largest cost times its square in
// 1e-150 .. 1e150. Iteration limits and cancellation are a Status, `iteration_limit` wherever the
// gap is above the tolerance; after a cancel the vectors are empty.
[[nodiscard]] SVEN_API Classifier train(const Classification& problem, const Options& options = {},
                                        std::span<const double> warm_start = {});

}  // namespace sven::svm
