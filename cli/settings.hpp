#pragma once
// The settings of a path: from a file, or an automatic grid.

#include "cli/arguments.hpp"
#include "sven/session.hpp"

namespace sven::cli {

Convention convention(const GridArguments& grid);

Grid automatic_grid(const GridArguments& arguments, double alpha);

// The lambdas of a file; lines that begin with `comment` are skipped. Throws ParseError.
std::vector<double> read_lambdas(const std::string& path, char comment);

// For a session that solves them. Throws ParseError on a file without settings.
std::vector<Setting> make_settings(const PathArguments& arguments, const Problem& problem,
                                   const Options& options, Session& session);

}  // namespace sven::cli
