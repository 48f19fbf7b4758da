#pragma once
// The reader of bytes whose name says nothing of their format.

#include <memory>

#include "io/source.hpp"
#include "sven/io.hpp"

namespace sven::io {

// Format::automatic: by the first bytes alone.
Dataset read(const std::shared_ptr<const Source>& source, const ReadOptions& options);
std::vector<double> read_vector(const Source& source, const VectorOptions& options);

}  // namespace sven::io
