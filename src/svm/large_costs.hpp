#pragma once
// Classification (w0 = 0, b = 1) at costs of any size. If C ||z||^2 is above about 1e16, no primal
// or dual system can represent both the samples and the identity. What solve() misses is computed
// here (maths.md, section "Large costs").

#include "svm/solve.hpp"

namespace sven::svm {

// As solve(). The largest entry of the samples is near one, so that costs are relative to the
// identity.
[[nodiscard]] Classifier classify(const SquaredHinge& problem, const SolveOptions& options,
                                  std::span<const double> start);

}  // namespace sven::svm
