#pragma once
// The .npz of scipy.sparse.save_npz: compressed rows or columns.

#include "io/source.hpp"
#include "sven/io.hpp"

namespace sven::io {

Dataset read_npz(const Source& source);

}  // namespace sven::io
