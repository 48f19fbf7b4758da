#pragma once
// Numbers in text, by std::from_chars: exact, and independent of the locale.

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <system_error>

namespace sven::io {

// Plain decimals of at most 15 digits, which is most of what data files hold: the digits and the
// power of ten are exact doubles, so that their quotient is the nearest one to the number, and
// no general reader is needed. Returns nullptr for everything else. No end is looked for: a byte
// that is no digit stands after every Source, and stops the scan.
inline const char* scan_short_decimal(const char* at, double& value) {
    constexpr double powers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    constexpr std::ptrdiff_t most_digits = 15;
    const bool is_negative = *at == '-';
    at += is_negative ? 1 : 0;
    // Too many digits overflow, and are then left to the general reader.
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

// Any number of a Source: reads it at `first`, to the last character that belongs to it. Returns
// where it ended, or nullptr where there is none or it has no double; `value` may be infinite or
// NaN.
inline const char* scan_number(const char* first, const char* last, double& value) {
    if (const char* const end = scan_short_decimal(first, value)) return end;
    if (first != last && *first == '+') {  // from_chars takes no plus sign
        ++first;
        if (first != last && *first == '-') return nullptr;
    }
    const auto [end, error] = std::from_chars(first, last, value);
    return error == std::errc() ? end : nullptr;
}

// The whole field, spaces around it allowed. False where it is no number or has no double;
// one too small for a double is zero, as everywhere else.
bool parse_number(std::string_view field, double& value);

// "", "NA", "null" and their like.
bool is_missing_word(std::string_view field);

std::string_view trimmed(std::string_view text);

}  // namespace sven::io
