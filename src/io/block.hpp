#pragma once
// Memory for a table of numbers.

#include <memory>

#include "sven/matrix.hpp"

namespace sven::io {

// Not initialised. A large block lies on huge pages: a parser writes numbers faster than the
// system hands out small ones (64 MB: 60 ms against 9).
std::shared_ptr<double[]> make_block(Index count);

}  // namespace sven::io
