#include "linalg/loss_kernels.hpp"

#include "linalg/kernels.hpp"

namespace sven::linalg {

const LossKernels& loss_kernels() {
#if defined(__x86_64__)
    const Kernels* chosen = &kernels();
    if (chosen == &avx512_kernels()) return avx512_loss_kernels();
    if (chosen == &avx2_kernels()) return avx2_loss_kernels();
#endif
    return generic_loss_kernels();
}

}  // namespace sven::linalg
