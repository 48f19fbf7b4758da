#pragma once
// Colours, where a person looks and wants them.

#include <string>

namespace sven::cli {

enum class Color { accent, error };

// The text in colour where the descriptor is a terminal and NO_COLOR is not set, else as it is.
std::string colored(const std::string& text, Color color, int descriptor);

}  // namespace sven::cli
