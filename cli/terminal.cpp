#include "cli/terminal.hpp"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace sven::cli {

namespace {

bool has_colors(int descriptor) {
    const char* const refused = std::getenv("NO_COLOR");
    const char* const kind = std::getenv("TERM");
    return ::isatty(descriptor) != 0 && (refused == nullptr || *refused == '\0') &&
           kind != nullptr && std::string_view(kind) != "dumb";
}

}  // namespace

std::string colored(const std::string& text, Color color, int descriptor) {
    if (!has_colors(descriptor)) return text;
    return (color == Color::error ? "\033[1;31m" : "\033[36m") + text + "\033[0m";
}

}  // namespace sven::cli
