#pragma once
// Where a path on a grid of its own ends before the grid does, by the rules of glmnet.

#include <limits>

#include "sven/matrix.hpp"

namespace sven {

// The last setting is the first one, but not before `least_settings`, that explains more than
// `most_explained` of the null deviance, gains less than `least_gain` or selects more than
// `most_selected` features. The gain over the setting before is counted as each of glmnet's
// programs does: of a gaussian response as a share of what is explained, of a binomial one as the
// share of the null deviance itself, of a poisson one as a tenth of the share that the last
// `least_settings` gained.
struct PathEnd {
    double least_gain = 1e-5;       // fdev; minus infinity: whatever is gained
    double most_explained = 0.999;  // devmax
    Index least_settings = 5;       // mnlam, >= 2
    Index most_selected = std::numeric_limits<Index>::max();  // dfmax
};

}  // namespace sven
