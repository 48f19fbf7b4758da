#pragma once
// NumPy's .npy, versions 1 to 3: a header in Python's syntax, then the array's bytes.

#include <string>
#include <vector>

#include "io/source.hpp"
#include "sven/io.hpp"

namespace sven::io {

struct NpyHeader {
    std::string type;  // NumPy's code, such as "<f8"
    bool column_major = false;
    std::vector<Index> shape;
    std::size_t data_offset = 0;
};

bool has_npy_magic(const Source& source);

// Throws ParseError on a damaged header. Sizes claimed by the header are not checked here.
NpyHeader read_npy_header(const Source& source);

// A matrix of float64 or float32, used in place in the mapped file. One by columns that is larger
// than a run may be, or than this machine's memory, is read by blocks of columns instead: with
// `load_limit` > 0 a run may take four times as much (ReadOptions).
Dataset read_npy(const std::shared_ptr<const Source>& source, Index load_limit = 0);

// A single text of bytes or of Unicode characters, ASCII only.
std::string read_npy_text(const Source& source);

// A vector of any real type, as doubles.
std::vector<double> read_npy_vector(const Source& source);

}  // namespace sven::io
