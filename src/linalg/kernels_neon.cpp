#if defined(__aarch64__)  // elsewhere there is nothing here
// NEON is a part of every such processor: no instruction set has to be asked for. The level of
// optimisation as in kernels_avx2.cpp.
#if defined(__clang__)
#pragma clang fp contract(fast)
#else
#ifndef SVEN_SANITIZED
#pragma GCC optimize("O3")
#endif
#endif

#include "linalg/kernels_neon.hpp"

#include "linalg/kernel_bodies.hpp"

namespace sven::linalg {

// The registers limit them: 32 of 16 bytes here.
const Kernels& neon_kernels() {
    static constexpr Kernels table = make_kernels<2, 4, 1, 4, Tile<2, 4, 4>, Tile<4, 4, 4>>("neon");
    return table;
}

}  // namespace sven::linalg

#endif
