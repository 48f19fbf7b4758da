#pragma once
// How help is laid out, and how words that were mistyped are told.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace sven::cli {

// Descriptions are broken so that a line has at most 100 columns.
class HelpText : public CLI::Formatter {
  public:
    HelpText();
    std::string make_option_desc(const CLI::Option* option) const override;
    // Nothing for a word that is not documented: CLI11 would print "[]".
    std::string make_option_usage(const CLI::Option* option) const override;
};

// The text with newlines instead of blanks, so that no line is longer than `width` if it can be.
std::string wrapped(const std::string& text, std::size_t width);

// "; did you mean --target?" or "" if no name is near.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& names);

}  // namespace sven::cli
