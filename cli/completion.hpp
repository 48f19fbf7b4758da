#pragma once
// Completion of commands and options in a shell.

#include <CLI/CLI.hpp>
#include <string>

namespace sven::cli {

// A script for bash that knows the commands of `app`.
std::string bash_completion(const CLI::App& app);

}  // namespace sven::cli
