#pragma once
// Text as a field of a CSV file; names and numbers in sentences.

#include <string>
#include <string_view>
#include <vector>

#include "sven/matrix.hpp"

namespace sven::cli {

// Quoted if necessary.
std::string csv_field(std::string_view text, char delimiter);

// "a, b, c and 4 more"
std::string first_few(const std::vector<std::string>& names);

// "1 row", "2 rows"
std::string counted(Index count, std::string_view noun);

}  // namespace sven::cli
