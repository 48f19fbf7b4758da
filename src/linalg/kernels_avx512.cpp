#include "linalg/kernel_bodies.hpp"

namespace sven::linalg {

// Lanes; columns of X at once; panels and columns of a Gram tile. The registers limit them.
const Kernels& avx512_kernels() {
    static constexpr Kernels table = make_kernels<8, 12, 3, 8>("avx512");
    return table;
}

}  // namespace sven::linalg
