#pragma once
// LIBSVM's and svmlight's text: "label index:value index:value ... # comment", one sample per line,
// with increasing indices. Read into compressed columns.

#include "io/chunks.hpp"
#include "io/source.hpp"
#include "sven/io.hpp"

namespace sven::io {

Dataset read_svmlight(const Source& source, const ReadOptions& options, std::size_t chunk_size = 0);

}  // namespace sven::io
