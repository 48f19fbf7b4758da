#pragma once
// Grids of settings.

#include <span>
#include <vector>

#include "sven/path.hpp"

namespace sven::api {

// The settings of each grid, from one pass over X; the grids are of one convention, the problem and
// the options are valid. Throws Interrupted when cancelled.
std::vector<std::vector<Setting>> lambda_grids(const Problem& problem, std::span<const Grid> grids,
                                               const Options& options);

}  // namespace sven::api
