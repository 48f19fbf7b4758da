#include "linalg/kernel_bodies.hpp"

namespace sven::linalg {

// The registers limit them: 16 of 32 bytes here.
const Kernels& avx2_kernels() {
    static constexpr Kernels table = make_kernels<4, 6, 1, 4, Tile<4, 3, 4>, Tile<8, 3, 4>>("avx2");
    return table;
}

}  // namespace sven::linalg
