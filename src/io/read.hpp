#pragma once
// Reads bytes whose name does not tell their format.

#include <memory>

#include "io/source.hpp"
#include "sven/io.hpp"

namespace sven::io {

// Format::automatic: by the first bytes only.
Dataset read(const std::shared_ptr<const Source>& source, const ReadOptions& options);
std::vector<double> read_vector(const Source& source, const VectorOptions& options);

}  // namespace sven::io
