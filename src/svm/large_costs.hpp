#pragma once
// Classification (w0 = 0, b = 1) at costs of any size. Where C ||z||^2 is beyond 1e16 or so, no
// system of the primal or the dual holds both the samples and the identity, and what solve() misses
// is looked for here (maths.md, section "Large costs").

#include "svm/solve.hpp"

namespace sven::svm {

// As solve(). The largest entry of the samples is near one, so that a cost tells how large it is
// beside the identity.
[[nodiscard]] Classifier classify(const SquaredHinge& problem, const SolveOptions& options,
                                  std::span<const double> start);

}  // namespace sven::svm
