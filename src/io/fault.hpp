#pragma once
// Errors in files with their positions: all such messages are made here.

#include <optional>
#include <string>
#include <string_view>

#include "sven/matrix.hpp"

namespace sven::io {

// Unknown positions are 0 and omitted from the message.
enum class FaultKind {
    other,
    missing_value,
    missing_target,
    text_value,
    text_target,
    local_number,
    comment_line,
};

struct Fault {
    Index line = 0;    // from 1
    Index column = 0;  // of fields, from 1
    std::string what;
    FaultKind kind = FaultKind::other;
};

// Throws ParseError "FILE:LINE:COLUMN: what", or the subclass for the kind of fault.
[[noreturn]] void raise(const std::string& path, const Fault& fault);

// The text for use in a message: short, without control characters.
std::string printable(std::string_view text);
std::string in_quotes(std::string_view text);

// Why this field is not a finite number.
std::string describe_bad_number(std::string_view field);
FaultKind kind_of_bad_number(std::string_view field);

}  // namespace sven::io
