#pragma once
// From a problem and settings in any form to solutions: the way in from the api.

#include <span>
#include <vector>

#include "path/workspace.hpp"
#include "sven/elastic_net.hpp"

namespace sven::path {

// Arguments are valid.
std::vector<Solution> solve(const Problem& problem, std::span<const Setting> settings,
                            const Options& options);

// The largest lambda of a grid at this alpha.
double largest_lambda(const Problem& problem, double alpha, Convention convention,
                      const Options& options);

}  // namespace sven::path
