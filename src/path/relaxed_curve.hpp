#pragma once
// The relaxed fits of a curve of cross-validation: its table of gammas and lambdas, and the choices
// that cv.glmnet makes in it.

#include <span>
#include <vector>

#include "path/curve.hpp"

namespace sven::path {

// Room for the errors of each gamma, ascending.
void begin_relaxed(std::span<const double> gammas, CvCurve& curve);
// Means, standard errors and both choices, from the errors of the folds, which weigh as much as
// their test rows.
void summarize_relaxed(const TestedFolds& tested, bool larger_is_better, CvCurve& curve);

}  // namespace sven::path
