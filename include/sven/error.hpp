#pragma once
// Exceptions of the library. Numerical failure is a Status, never an exception.

#include <stdexcept>

#include "sven/export.h"

namespace sven {

struct SVEN_API Error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Invalid arguments: shapes, values out of range, contradictory parameters.
struct SVEN_API InvalidArgument : Error {
    using Error::Error;
};

// A file that cannot be read or written; the message names file, line and column.
struct SVEN_API ParseError : Error {
    using Error::Error;
};

// A number was expected, but the field is empty or marked as missing.
struct SVEN_API MissingValue : ParseError {
    using ParseError::ParseError;
};

// A number was expected, but the field is text.
struct SVEN_API TextValue : ParseError {
    using ParseError::ParseError;
};

// A line that begins with "#" is not a valid row, or not a header that matches the rows. It may be
// a comment, which readers only skip on request.
struct SVEN_API CommentLine : ParseError {
    using ParseError::ParseError;
};

// A call without partial results was stopped by its cancel token.
struct SVEN_API Interrupted : Error {
    using Error::Error;
};

// A device or an underlying library failed.
struct SVEN_API DeviceError : Error {
    using Error::Error;
};

}  // namespace sven
