#pragma once
// Memory for a table of numbers.

#include <memory>

#include "sven/matrix.hpp"

namespace sven::io {

// Uninitialised. A large block is placed on huge pages: a parser writes numbers faster than the
// system provides small pages (64 MB: 60 ms against 9).
std::shared_ptr<double[]> make_block(Index count);

}  // namespace sven::io
