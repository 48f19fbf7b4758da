#pragma once
// The commands as CLI11 knows them: each call adds one, whose options fill the arguments.

#include <CLI/CLI.hpp>

#include "cli/arguments.hpp"

namespace sven::cli {

void add_fit(CLI::App& app, FitArguments& fit);
void add_path(CLI::App& app, PathArguments& path);
void add_cv(CLI::App& app, CvArguments& cv);

}  // namespace sven::cli
