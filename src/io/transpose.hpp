#pragma once
// Files whose rows are features.

#include "io/source.hpp"
#include "sven/io.hpp"

namespace sven::io {

// Transposes a table of numbers whose row names are features and whose columns are samples. The
// target and other names in the options then refer to rows.
Dataset transpose_table(const Source& source, const ReadOptions& options, Dataset table);

// The transposed view, without copying.
MatrixView transposed(const MatrixView& X);

}  // namespace sven::io
