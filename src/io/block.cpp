#include "io/block.hpp"

#include "linalg/memory.hpp"

namespace sven::io {

std::shared_ptr<double[]> make_block(Index count) {
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(double);
    auto* const memory = static_cast<double*>(linalg::allocate(bytes));
    return {memory, [bytes](double* block) { linalg::release(block, bytes); }};
}

}  // namespace sven::io
