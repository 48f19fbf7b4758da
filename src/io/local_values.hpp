#pragma once
// Fields that are numbers in the manner of a country, or dates.

#include <optional>
#include <string>
#include <string_view>

namespace sven::io {

struct NumberStyle {
    char decimal = '.';
    char thousands = 0;  // between groups of three digits; 0: there are none

    [[nodiscard]] bool is_plain() const { return decimal == '.' && thousands == 0; }
};

// The number in the form that parse_number reads: "1.234,5" -> "1234.5". None if the field does not
// keep to the style.
std::optional<std::string> plain_number(std::string_view field, NumberStyle style);

// Whether the field would be a number with a decimal comma, or with separated thousands.
bool looks_like_local_number(std::string_view field);

// Days since 1970-01-01 of "2024-01-31", "2024/01/31", "20240131" or "31.01.2024", with a time of
// day "12:30", "12:30:15.5" after a blank or a T as a fraction; a "Z" is ignored. None if it is no
// such date.
std::optional<double> days_of_date(std::string_view field);

}  // namespace sven::io
