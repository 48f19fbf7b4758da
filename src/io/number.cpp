#include "io/number.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "io/fault.hpp"
#include "io/local_values.hpp"

namespace sven::io {

namespace {

// from_chars reports "too large" and "too small" by the same error. The wider exponent of long
// double, and then the sign of the exponent, distinguish them.
bool is_too_small(std::string_view field) {
    long double wide = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), wide);
    if (error == std::errc()) return end == field.data() + field.size() && std::abs(wide) < 1;
    const std::size_t exponent = field.find_first_of("eE");
    return exponent != std::string_view::npos && exponent + 1 < field.size() &&
           field[exponent + 1] == '-';
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
        return std::tolower(x) == std::tolower(y);
    });
}

}  // namespace

bool is_missing_word(std::string_view field) {
    constexpr std::array<std::string_view, 9> words = {"",    "na",      "n/a", "null", "none",
                                                       "nan", "missing", "?",   "."};
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return equal_ignoring_case(field, word); });
}

std::string_view trimmed(std::string_view text) {
    const auto is_space = [](char c) { return c == ' ' || c == '\t'; };
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return text;
}

bool parse_number(std::string_view field, double& value) {
    field = trimmed(field);
    if (field.size() > 1 && field[0] == '+' && field[1] != '-') field.remove_prefix(1);
    const char* const last = field.data() + field.size();
    const auto [end, error] = std::from_chars(field.data(), last, value);
    if (end != last) return false;
    if (error == std::errc()) return true;
    if (error != std::errc::result_out_of_range || !is_too_small(field)) return false;
    value = field.front() == '-' ? -0.0 : 0.0;
    return true;
}

std::string describe_bad_number(std::string_view field) {
    field = trimmed(field);
    if (field.empty()) return "the value is missing";
    double value = 0;
    const char* const last = field.data() + field.size();
    const auto [end, error] = std::from_chars(field.data() + (field[0] == '+'), last, value);
    if (end == last && error == std::errc::result_out_of_range) {
        return in_quotes(field) + " is too large for a double";
    }
    if (end == last && error == std::errc() && !std::isfinite(value)) {
        return in_quotes(field) + " is not finite";
    }
    if (is_missing_word(field)) return in_quotes(field) + " stands for a missing value";
    return in_quotes(field) + " is not a number";
}

FaultKind kind_of_bad_number(std::string_view field) {
    field = trimmed(field);
    if (is_missing_word(field)) return FaultKind::missing_value;
    double value = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    const bool is_numeric = end == field.data() + field.size();
    if (is_numeric) return FaultKind::other;
    return looks_like_local_number(field) ? FaultKind::local_number : FaultKind::text_value;
}

}  // namespace sven::io
