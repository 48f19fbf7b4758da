#pragma once
// What the user can do about a table that cannot be read.

#include <string>

#include "sven/io.hpp"

namespace sven::cli {

// The end of the sentence, from "; " on; empty if there is nothing to be done.
std::string advice_on(const ParseError& error, const std::string& path,
                      const io::ReadOptions& options);

}  // namespace sven::cli
