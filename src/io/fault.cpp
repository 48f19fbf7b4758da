#include "io/fault.hpp"

#include "io/tuning.hpp"
#include "sven/error.hpp"
#include "sven/io.hpp"

namespace sven::io {

void raise(const std::string& path, const Fault& fault) {
    std::string message = path;
    if (fault.line > 0) message += ":" + std::to_string(fault.line);
    if (fault.line > 0 && fault.column > 0) message += ":" + std::to_string(fault.column);
    message += ": " + fault.what;
    switch (fault.kind) {
        case FaultKind::missing_value:
            throw MissingValue(message);
        case FaultKind::missing_target:
            throw MissingTarget(message);
        case FaultKind::text_value:
            throw TextValue(message);
        case FaultKind::text_target:
            throw TextTarget(message);
        case FaultKind::local_number:
            throw LocalNumber(message);
        case FaultKind::comment_line:
            throw CommentLine(message);
        default:
            throw ParseError(message);
    }
}

std::string printable(std::string_view text) {
    constexpr std::size_t longest = quoted_characters;
    std::string result;
    std::size_t taken = 0;
    for (; taken < text.size() && taken < longest; ++taken) {
        const auto byte = static_cast<unsigned char>(text[taken]);
        result += byte < 0x20 || byte == 0x7f ? '?' : text[taken];
    }
    // Do not split a UTF-8 character.
    for (; taken < text.size() && taken < longest + 3; ++taken) {
        if ((static_cast<unsigned char>(text[taken]) & 0xc0) != 0x80) break;
        result += text[taken];
    }
    if (taken < text.size()) result += "...";
    return result;
}

std::string in_quotes(std::string_view text) {
    std::string result = "\"";
    result += printable(text);
    result += "\"";
    return result;
}

}  // namespace sven::io
