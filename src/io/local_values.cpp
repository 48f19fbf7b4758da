#include "io/local_values.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>

#include "io/number.hpp"

namespace sven::io {

namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

std::size_t digits_at(std::string_view text, std::size_t at) {
    std::size_t count = 0;
    while (at + count < text.size() && is_digit(text[at + count])) ++count;
    return count;
}

// The length of the separator at a place: blanks of three kinds separate thousands.
std::size_t separator_at(std::string_view text, std::size_t at, char thousands) {
    if (thousands == 0 || at >= text.size()) return 0;
    if (text[at] == thousands) return 1;
    if (thousands != ' ') return 0;
    if (text.substr(at, 2) == "\xC2\xA0") return 2;
    return text.substr(at, 3) == "\xE2\x80\xAF" ? 3 : 0;
}

// A number of `least` to `most` digits; moves `text` on.
std::optional<int> take_digits(std::string_view& text, std::size_t least, std::size_t most) {
    const std::size_t count = std::min(digits_at(text, 0), most);
    if (count < least) return std::nullopt;
    int value = 0;
    (void)std::from_chars(text.data(), text.data() + count, value);
    text.remove_prefix(count);
    return value;
}

bool take(std::string_view& text, std::string_view any_of) {
    if (text.empty() || any_of.find(text.front()) == std::string_view::npos) return false;
    text.remove_prefix(1);
    return true;
}

std::optional<std::chrono::sys_days> days_of(int year, int month, int day) {
    const std::chrono::year_month_day date{std::chrono::year(year),
                                           std::chrono::month(static_cast<unsigned>(month)),
                                           std::chrono::day(static_cast<unsigned>(day))};
    if (!date.ok()) return std::nullopt;
    return std::chrono::sys_days(date);
}

std::optional<std::chrono::sys_days> take_date(std::string_view& text) {
    const std::size_t first = digits_at(text, 0);
    if (first == 8) {
        const auto year = take_digits(text, 4, 4);
        const auto month = take_digits(text, 2, 2);
        const auto day = take_digits(text, 2, 2);
        return days_of(*year, *month, *day);
    }
    const bool is_year_first = first == 4;
    auto one = take_digits(text, 1, 4);
    if (!one || text.empty()) return std::nullopt;
    const std::string separator(1, text.front());
    if (!take(text, is_year_first ? "-/." : ".")) return std::nullopt;
    const auto month = take_digits(text, 1, 2);
    if (!month || !take(text, separator)) return std::nullopt;
    const auto last = is_year_first ? take_digits(text, 1, 2) : take_digits(text, 4, 4);
    if (!last) return std::nullopt;
    return is_year_first ? days_of(*one, *month, *last) : days_of(*last, *month, *one);
}

// Seconds since midnight.
std::optional<double> take_time(std::string_view& text) {
    const auto hours = take_digits(text, 1, 2);
    if (!hours || !take(text, ":")) return std::nullopt;
    const auto minutes = take_digits(text, 2, 2);
    if (!minutes) return std::nullopt;
    double seconds = 0;
    if (take(text, ":")) {
        const std::size_t whole = digits_at(text, 0);
        std::size_t size = whole;
        if (size < text.size() && text[size] == '.') size += 1 + digits_at(text, size + 1);
        if (whole != 2 || !parse_number(text.substr(0, size), seconds)) return std::nullopt;
        text.remove_prefix(size);
    }
    if (*hours > 24 || *minutes > 59 || seconds > 60) return std::nullopt;
    return 3600.0 * *hours + 60.0 * *minutes + seconds;
}

}  // namespace

std::optional<std::string> plain_number(std::string_view field, NumberStyle style) {
    field = trimmed(field);
    std::string text;
    std::size_t at = 0;
    if (at < field.size() && (field[at] == '-' || field[at] == '+')) text += field[at++];
    const std::size_t lead = digits_at(field, at);
    text += field.substr(at, lead);
    at += lead;
    while (const std::size_t separator = separator_at(field, at, style.thousands)) {
        const std::size_t group = digits_at(field, at + separator);
        if (group != 3 || lead == 0 || lead > 3) return std::nullopt;
        text += field.substr(at + separator, group);
        at += separator + group;
    }
    if (at < field.size() && field[at] == style.decimal) {
        text += '.';
        ++at;
    } else if (at < field.size() && field[at] == '.') {
        return std::nullopt;
    }
    text += field.substr(at);
    return text;
}

bool looks_like_local_number(std::string_view field) {
    double value = 0;
    const auto is_number = [&](NumberStyle style) {
        const auto plain = plain_number(field, style);
        return plain && parse_number(*plain, value);
    };
    constexpr NumberStyle styles[] = {{',', 0},   {',', '.'},  {',', ' '},
                                      {'.', ','}, {'.', '\''}, {'.', ' '}};
    return !parse_number(field, value) &&
           std::any_of(std::begin(styles), std::end(styles), is_number);
}

std::optional<double> days_of_date(std::string_view field) {
    std::string_view text = trimmed(field);
    const auto date = take_date(text);
    if (!date) return std::nullopt;
    auto days = static_cast<double>(date->time_since_epoch().count());
    if (take(text, " T")) {
        const auto seconds = take_time(text);
        if (!seconds) return std::nullopt;
        days += *seconds / 86400;
        (void)take(text, "Z");
    }
    if (!text.empty()) return std::nullopt;
    return days;
}

}  // namespace sven::io
