#pragma once
// Files of kinds that are not read: they are named, with the line that converts them.

#include "io/source.hpp"

namespace sven::io {

// Throws ParseError.
void refuse_foreign(const Source& source);

}  // namespace sven::io
