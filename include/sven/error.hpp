#pragma once
// What the library throws. Numerics that fall short are a Status, never an exception.

#include <stdexcept>

namespace sven {

struct Error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// The caller's mistake: shapes, values out of range, parameters that exclude each other.
struct InvalidArgument : Error {
    using Error::Error;
};

// A file that cannot be read or written; the message names file, line and column.
struct ParseError : Error {
    using Error::Error;
};

// A number was expected: nothing stands there, or a word for nothing.
struct MissingValue : ParseError {
    using ParseError::ParseError;
};

// A number was expected, and a text stands there.
struct TextValue : ParseError {
    using ParseError::ParseError;
};

// A line that begins with "#" is no row, or no header that fits the rows: it may have been meant as
// a comment, which tables have only where their reader is told so.
struct CommentLine : ParseError {
    using ParseError::ParseError;
};

// A call that has no partial result was stopped by its cancel token.
struct Interrupted : Error {
    using Error::Error;
};

// A device, or a library under us, that failed.
struct DeviceError : Error {
    using Error::Error;
};

}  // namespace sven
