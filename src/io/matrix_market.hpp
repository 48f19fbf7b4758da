#pragma once
// NIST's Matrix Market text: a banner, comments, the size, then the entries. "array" is dense,
// column after column; "coordinate" gives "row column value", counted from 1, in any order.

#include "io/source.hpp"
#include "sven/io.hpp"

namespace sven::io {

bool has_matrix_market_banner(const Source& source);

Dataset read_matrix_market(const Source& source);

}  // namespace sven::io
