#pragma once
// Steps on the way to a setting that is far from where the path stands.

#include <algorithm>

#include "path/tuning.hpp"
#include "problem/target.hpp"

namespace sven::path {

// Whether a setting with multiplier h is too far to be reached at once.
inline bool is_far(double h, double h_last, double h_max) {
    return h < tuning::largest_stride * h_last && h_last > tuning::nearly_zero * h_max;
}

// The next step towards a setting whose multiplier is h, or 0 if that is unknown. Both penalties
// shrink together, as on a path of one alpha: at the last ridge all the way, far more features
// would come and go.
inline problem::Target step_towards(double h, double l2, double h_last) {
    const double at = tuning::largest_stride * h_last;
    const double growth = h > 0 ? std::max(1.0, at / h) : tuning::unknown_ridge_growth;
    return problem::Target::penalty(at, l2 * growth);
}

}  // namespace sven::path
