#pragma once
// Colours on a terminal.

#include <string>

namespace sven::cli {

enum class Color { accent, error };

// The text in colour if the descriptor is a terminal and NO_COLOR is not set, else unchanged.
std::string colored(const std::string& text, Color color, int descriptor);

}  // namespace sven::cli
