#include "linalg/kernel_bodies.hpp"

namespace sven::linalg {

// The registers limit them: 32 of 64 bytes here.
const Kernels& avx512_kernels() {
    static constexpr Kernels table =
        make_kernels<8, 12, 3, 8, Tile<8, 3, 8>, Tile<16, 3, 8>>("avx512");
    return table;
}

}  // namespace sven::linalg
