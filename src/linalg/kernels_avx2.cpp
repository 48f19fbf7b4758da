#include "linalg/kernel_bodies.hpp"

namespace sven::linalg {

// Lanes; columns of X at once; panels and columns of a Gram tile. The registers limit them.
const Kernels& avx2_kernels() {
    static constexpr Kernels table = make_kernels<4, 6, 1, 4>("avx2");
    return table;
}

}  // namespace sven::linalg
