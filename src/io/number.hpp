#pragma once
// Numbers in text, by std::from_chars: exact, and independent of the locale.

#include <charconv>
#include <cmath>
#include <string_view>
#include <system_error>

namespace sven::io {

// Plain decimals of at most 15 digits, which is most of what data files hold: the digits and the
// power of ten are exact doubles, so that their quotient is the nearest one to the number, and
// no general reader is needed. Returns nullptr for everything else.
inline const char* scan_short_decimal(const char* first, const char* last, double& value) {
    constexpr double powers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    constexpr int most_digits = 15;
    const char* at = first;
    if (at != last && *at == '-') ++at;
    long digits = 0;
    int count = 0;
    int fraction = 0;
    const auto take_digits = [&] {
        const char* const from = at;
        for (; at != last && *at >= '0' && *at <= '9' && count <= most_digits; ++at, ++count) {
            digits = 10 * digits + (*at - '0');
        }
        return static_cast<int>(at - from);
    };
    take_digits();
    if (at != last && *at == '.') {
        ++at;
        fraction = take_digits();
    }
    if (count == 0 || count > most_digits || (at != last && (*at == 'e' || *at == 'E')))
        return nullptr;
    double magnitude = static_cast<double>(digits);
    if (fraction > 0) magnitude /= powers[fraction];
    value = *first == '-' ? -magnitude : magnitude;
    return at;
}

// Reads a number at `first`, to the last character that belongs to it. Returns where it ended,
// or nullptr where there is none or it has no double; `value` may be infinite or NaN.
inline const char* scan_number(const char* first, const char* last, double& value) {
    if (first != last && *first == '+') {  // from_chars takes no plus sign
        ++first;
        if (first != last && *first == '-') return nullptr;
    }
    if (const char* const short_end = scan_short_decimal(first, last, value)) return short_end;
    const auto [end, error] = std::from_chars(first, last, value);
    return error == std::errc() ? end : nullptr;
}

// The whole field, spaces around it allowed. False where it is no number or has no double;
// one too small for a double is zero, as everywhere else.
bool parse_number(std::string_view field, double& value);

std::string_view trimmed(std::string_view text);

}  // namespace sven::io
