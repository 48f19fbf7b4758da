#pragma once
// Dense matrices that the memory of the device does not hold.

#include <cstddef>
#include <memory>

#include "linalg/design.hpp"
#include "sven/matrix.hpp"

namespace sven::cuda {

// Whether so many bytes of a matrix leave room for the work on it.
bool has_room_for(double bytes);

// Pieces of X, of `piece_bytes` at most, are sent whenever they are needed, the next one while the
// last is multiplied; what touches a few columns is the host's. 0: as the free memory allows.
std::unique_ptr<linalg::Design> make_streamed_design(const DenseView& X,
                                                     std::size_t piece_bytes = 0);

}  // namespace sven::cuda
