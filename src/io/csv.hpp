#pragma once
// Comma- or tab-separated text with a header, read into column-major doubles.

#include "io/chunks.hpp"
#include "io/source.hpp"
#include "sven/io.hpp"

namespace sven::io {

Dataset read_csv(const Source& source, const ReadOptions& options, char delimiter,
                 std::size_t chunk_size = 0);

}  // namespace sven::io
