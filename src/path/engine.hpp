#pragma once
// From a problem and settings in any form to solutions: the way in from the api.

#include <algorithm>
#include <span>
#include <vector>

#include "path/workspace.hpp"
#include "sven/elastic_net.hpp"

namespace sven::path {

// Arguments are valid.
std::vector<Solution> solve(const Problem& problem, std::span<const Setting> settings,
                            const Options& options);

// Where grids begin: the largest multiplier does not depend on alpha, so that one pass over X
// serves the grids of many.
struct GridStart {
    double multiplier = 0;  // the smallest h at which every penalised coefficient is zero
    double total_weight = 0;

    // Where alpha is below 1e-3 the largest lambda is that of 1e-3, as in glmnet.
    double largest_lambda(double alpha) const {
        return multiplier / (total_weight * std::max(alpha, 1e-3));
    }
};
GridStart find_grid_start(const Problem& problem, Convention convention, const Options& options);

}  // namespace sven::path
