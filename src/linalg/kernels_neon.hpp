#pragma once
// The kernels of 64-bit ARM, which no other processor has.

#include "linalg/kernels.hpp"

namespace sven::linalg {

const Kernels& neon_kernels();

}  // namespace sven::linalg
