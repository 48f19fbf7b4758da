#include "io/block.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace sven::io {

std::shared_ptr<double[]> make_block(Index count) {
    constexpr std::size_t page = std::size_t{2} << 20;
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(double);
    if (bytes < 2 * page) return std::shared_ptr<double[]>(new double[count]);
    const std::size_t whole = (bytes + page - 1) / page * page;
    void* const memory = std::aligned_alloc(page, whole);
    if (memory == nullptr) throw std::bad_alloc();
    ::madvise(memory, whole, MADV_HUGEPAGE);  // where it is refused, small pages do
    return {static_cast<double*>(memory), [](double* block) { std::free(block); }};
}

}  // namespace sven::io
