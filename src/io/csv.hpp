#pragma once
// Text with a header, read into column-major doubles.

#include "io/chunks.hpp"
#include "io/source.hpp"
#include "sven/io.hpp"

namespace sven::io {

// By the delimiter that the header uses.
Dataset read_csv(const Source& source, const ReadOptions& options);
Dataset read_csv(const Source& source, const ReadOptions& options, char delimiter,
                 std::size_t chunk_size = 0);

}  // namespace sven::io
