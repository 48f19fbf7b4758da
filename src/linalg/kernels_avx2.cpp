#if defined(__x86_64__)  // elsewhere there is nothing here
// The instruction set is asked for here and not by flags of this file: a build that has one set of
// flags for all files, as that of the R package, gets the same code. The kernels contract a*b + c,
// which is GCC's default; nothing is reordered.
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma,bmi2"))), apply_to = function)
#pragma clang fp contract(fast)
#else
#ifndef SVEN_SANITIZED
#pragma GCC optimize("O3")
#endif
#pragma GCC target("avx2,fma,bmi2")
#endif

#include "linalg/kernel_bodies.hpp"

namespace sven::linalg {

// The registers limit them: 16 of 32 bytes here.
const Kernels& avx2_kernels() {
    static constexpr Kernels table = make_kernels<4, 6, 1, 4, Tile<4, 3, 4>, Tile<8, 3, 4>>("avx2");
    return table;
}

}  // namespace sven::linalg

#if defined(__clang__)
#pragma clang attribute pop
#endif

#endif
