#pragma once
// Rows that lack a value.

#include "io/encode.hpp"

namespace sven::io {

// Leaves out the rows with a NaN in the response, the weights, the folds or the column-major block,
// in place. Returns the rows that are left, and counts the others in `data`. Throws ParseError if
// none is left.
Index drop_rows(const Source& source, const MutableBlock& block, bool checks_features,
                Dataset& data);

}  // namespace sven::io
