#pragma once
// Scripts that complete the commands, options and columns in a shell.

#include <CLI/CLI.hpp>
#include <string>

namespace sven::cli {

// For "bash", "zsh" or "fish"; throws UsageError on another shell.
std::string completion_script(const CLI::App& app, const std::string& shell);

// The names in the header of a text table, one per line, for the scripts; empty if there are none.
std::string column_names(const std::string& path);

// The help of all commands as a manual page.
std::string manual_page(const CLI::App& app);

}  // namespace sven::cli
