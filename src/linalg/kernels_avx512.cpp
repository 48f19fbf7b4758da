#if defined(__x86_64__)  // elsewhere there is nothing here
// The instruction set, as in kernels_avx2.cpp.
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma,bmi2"))), \
                             apply_to = function)
#pragma clang fp contract(fast)
#else
#ifndef SVEN_SANITIZED
#pragma GCC optimize("O3")
#endif
#pragma GCC target("avx512f,avx512dq,avx512vl,avx2,fma,bmi2,prefer-vector-width=512")
#endif

#include "linalg/kernel_bodies.hpp"

namespace sven::linalg {

// The registers limit them: 32 of 64 bytes here.
const Kernels& avx512_kernels() {
    static constexpr Kernels table =
        make_kernels<8, 12, 3, 8, Tile<8, 3, 8>, Tile<16, 3, 8>>("avx512");
    return table;
}

}  // namespace sven::linalg

#if defined(__clang__)
#pragma clang attribute pop
#endif

#endif
