#include "linalg/memory.hpp"

#ifdef __linux__
#include <sys/mman.h>
#endif

#include <new>

#include "linalg/tuning.hpp"

namespace sven::linalg {
namespace {

constexpr std::size_t cache_line = 64;
constexpr std::size_t huge_page = std::size_t{2} << 20;

std::align_val_t alignment_of(std::size_t bytes) {
    return std::align_val_t{bytes < huge_page_bytes ? cache_line : huge_page};
}

}  // namespace

void* allocate(std::size_t bytes) {
    void* const memory = ::operator new(bytes, alignment_of(bytes));
#ifdef __linux__
    // The last page may be shared with other data; if the call fails, small pages are used.
    if (bytes >= huge_page_bytes) ::madvise(memory, bytes / huge_page * huge_page, MADV_HUGEPAGE);
#endif
    return memory;
}

void release(void* memory, std::size_t bytes) noexcept {
    ::operator delete(memory, alignment_of(bytes));
}

}  // namespace sven::linalg
