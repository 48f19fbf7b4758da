#pragma once
// Data whose features are the rows of the file.

#include "io/source.hpp"
#include "sven/io.hpp"

namespace sven::io {

// Turns a table of numbers whose row names are features and whose columns are samples. The target
// and the rest that the options name are then rows of it.
Dataset transpose_table(const Source& source, const ReadOptions& options, Dataset table);

// The same matrix, rows for columns, without moving a number.
MatrixView transposed(const MatrixView& X);

}  // namespace sven::io
