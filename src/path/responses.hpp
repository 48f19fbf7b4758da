#pragma once
// The paths of several responses over one X: moments, Gram matrix and products are shared.

#include "path/workspace.hpp"

namespace sven::path {

// One path for each column of `responses` (rows(X) numbers each); the problem's own y is not used.
// Arguments are valid.
std::vector<std::vector<Solution>> solve_responses(const Problem& problem,
                                                   std::span<const double> responses,
                                                   std::span<const Setting> settings,
                                                   const Options& options);

}  // namespace sven::path
