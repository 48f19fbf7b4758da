#include "linalg/kernel_bodies.hpp"

namespace sven::linalg {

// Lanes; columns of X at once; panels and columns of a Gram tile. The registers limit them.
const Kernels& generic_kernels() {
    static constexpr Kernels table = make_kernels<2, 2, 1, 2>("generic");
    return table;
}

}  // namespace sven::linalg
