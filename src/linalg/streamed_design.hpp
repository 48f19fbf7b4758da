#pragma once
// A user-defined X that comes in blocks of columns (sven/blocked_matrix.hpp).

#include "linalg/design.hpp"
#include "sven/blocked_matrix.hpp"

namespace sven::linalg {

std::unique_ptr<Design> make_streamed_design(std::shared_ptr<const BlockedMatrix> X);

}  // namespace sven::linalg
