#pragma once
// Files of kinds that are not read: they are named, with the line that converts them.

#include <string_view>

#include "io/source.hpp"

namespace sven::io {

// Throws ParseError.
void refuse_foreign(const Source& source);

// A name or a text of a table that is no UTF-8. Throws ParseError.
void refuse_other_encoding(const Source& source, std::string_view text);

}  // namespace sven::io
