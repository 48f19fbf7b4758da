// No instructions but those of every processor; the level of optimisation as in kernels_avx2.cpp.
#if !defined(__clang__)
#pragma GCC optimize("O3")
#endif

#include "linalg/kernel_losses.hpp"

namespace sven::linalg {

const LossKernels& generic_loss_kernels() {
    static constexpr LossKernels table = make_losses<2>();
    return table;
}

}  // namespace sven::linalg
