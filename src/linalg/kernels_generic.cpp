// No instructions but those of every processor; the level of optimisation as in kernels_avx2.cpp.
#if !defined(__clang__)
#ifndef SVEN_SANITIZED
#pragma GCC optimize("O3")
#endif
#endif

#include "linalg/kernel_bodies.hpp"

namespace sven::linalg {

// The registers limit them: 16 of 16 bytes here.
const Kernels& generic_kernels() {
    static constexpr Kernels table =
        make_kernels<2, 2, 1, 2, Tile<2, 2, 4>, Tile<4, 2, 4>>("generic");
    return table;
}

}  // namespace sven::linalg
