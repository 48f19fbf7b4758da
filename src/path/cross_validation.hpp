#pragma once
// Cross-validated paths. Where the Gram matrix pays, a fold's is the whole minus that of its test
// rows: K folds for one pass. Else the paths of all folds advance together and share each
// verification product (maths.md, section "Cross-validation").

#include "sven/cross_validation.hpp"

namespace sven::path {

// Arguments are valid; every fold has test and training rows of positive weight.
CvCurve cross_validate_curve(const Problem& problem, std::span<const Setting> settings,
                             std::span<const Fold> folds, const Options& options);

}  // namespace sven::path
