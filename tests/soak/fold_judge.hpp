#pragma once
// The errors of a cross-validation against folds that are solved exactly.

#include "soak/judge.hpp"

namespace sven::soak {

// One verdict for each setting and fold: `truth` is how far the error is off, as a share of the
// exact one, and `reported` how far it may be.
[[nodiscard]] std::vector<Verdict> judge_folds(const Case& made, const CvCurve& curve);

}  // namespace sven::soak
