#include "cli/csv_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sven::cli {

std::string csv_field(std::string_view text, char delimiter) {
    const bool is_plain =
        !text.empty() && text.front() != ' ' && text.back() != ' ' && text.front() != '#' &&
        std::none_of(text.begin(), text.end(), [&](char c) {
            return c == delimiter || c == '"' || c == '\n' || c == '\r' || c == ';';
        });
    if (is_plain) return std::string(text);
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"') quoted += c;
        quoted += c;
    }
    quoted += '"';
    return quoted;
}

std::string first_few(const std::vector<std::string>& names) {
    constexpr std::size_t most = 8;
    const std::size_t shown = std::min(most, names.size());
    std::string text = fmt::format("{}", fmt::join(names.begin(), names.begin() + shown, ", "));
    if (names.size() > shown) text += fmt::format(" and {} more", names.size() - shown);
    return text;
}

std::string counted(Index count, std::string_view noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace sven::cli
