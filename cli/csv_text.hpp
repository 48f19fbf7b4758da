#pragma once
// Text as a field of a CSV file.

#include <string>
#include <string_view>
#include <vector>

namespace sven::cli {

// Quoted if necessary.
std::string csv_field(std::string_view text, char delimiter);

// "a, b, c and 4 more"
std::string first_few(const std::vector<std::string>& names);

}  // namespace sven::cli
