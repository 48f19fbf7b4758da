#if defined(__x86_64__)  // elsewhere there is nothing here
// The instruction set, as in kernels_avx2.cpp.
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma,bmi2"))), \
                             apply_to = function)
#pragma clang fp contract(fast)
#else
#pragma GCC optimize("O3")
#pragma GCC target("avx512f,avx512dq,avx512vl,avx2,fma,bmi2,prefer-vector-width=512")
#endif

#include "linalg/kernel_losses.hpp"

namespace sven::linalg {

const LossKernels& avx512_loss_kernels() {
    static constexpr LossKernels table = make_losses<8>();
    return table;
}

}  // namespace sven::linalg

#if defined(__clang__)
#pragma clang attribute pop
#endif

#endif
