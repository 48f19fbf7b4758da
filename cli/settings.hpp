#pragma once
// The settings of a path: from a file, or an automatic grid.

#include "cli/arguments.hpp"

namespace sven::cli {

Convention convention(const GridArguments& grid);

Grid automatic_grid(const GridArguments& arguments, double alpha);

// Throws ParseError on a file that holds no settings.
std::vector<Setting> make_settings(const GridArguments& grid, const Problem& problem,
                                   const Options& options);

}  // namespace sven::cli
