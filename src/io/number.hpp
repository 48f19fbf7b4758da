#pragma once
// Numbers in text, by std::from_chars: exact, and independent of the locale.

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <system_error>

namespace sven::io {

// Plain decimals of at most 15 digits, the common case in data files: the digits and the power of
// ten are exact doubles, so that their quotient is correctly rounded. Returns nullptr for
// everything else. There is no check for the end: every Source ends with a byte that is not a
// digit.
inline const char* scan_short_decimal(const char* at, double& value) {
    constexpr double powers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    constexpr std::ptrdiff_t most_digits = 15;
    const bool is_negative = *at == '-';
    at += is_negative ? 1 : 0;
    // With too many digits it overflows; the general reader then takes over.
    std::uint64_t digits = 0;
    const auto take_digits = [&] {
        const char* const from = at;
        for (unsigned digit = 0; (digit = static_cast<unsigned char>(*at) - '0') < 10; ++at)
            digits = 10 * digits + digit;
        return at - from;
    };
    std::ptrdiff_t count = take_digits();
    std::ptrdiff_t fraction = 0;
    if (*at == '.') {
        ++at;
        fraction = take_digits();
        count += fraction;
    }
    if (count == 0 || count > most_digits || (*at | 0x20) == 'e') return nullptr;
    auto magnitude = static_cast<double>(static_cast<std::int64_t>(digits));
    if (fraction > 0) magnitude /= powers[fraction];
    value = is_negative ? -magnitude : magnitude;
    return at;
}

// Reads any number of a Source at `first`. Returns its end, or nullptr if there is none or it is
// not representable; `value` may be infinite or NaN.
inline const char* scan_number(const char* first, const char* last, double& value) {
    if (const char* const end = scan_short_decimal(first, value)) return end;
    if (first != last && *first == '+') {  // from_chars does not accept a plus sign
        ++first;
        if (first != last && *first == '-') return nullptr;
    }
    const auto [end, error] = std::from_chars(first, last, value);
    return error == std::errc() ? end : nullptr;
}

// Reads a whole field, with optional spaces around the number. False if it is not a number or not
// representable; a number too small for a double is zero, as elsewhere.
bool parse_number(std::string_view field, double& value);

// "", "NA", "null" and similar.
bool is_missing_word(std::string_view field);

std::string_view trimmed(std::string_view text);

}  // namespace sven::io
