#pragma once
// Counts calls of operator new. Include in one file of an executable that has no other use for it.

#include <atomic>
#include <cstdlib>
#include <new>

namespace sven::test {

inline std::atomic<long> allocations{0};

// How often `body` asked for memory.
template <class Body>
long allocations_during(const Body& body) {
    const long before = allocations;
    body();
    return allocations - before;
}

inline void* counted(std::size_t bytes, std::size_t alignment) {
    ++allocations;
    const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    void* memory = std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

}  // namespace sven::test

void* operator new(std::size_t bytes) {
    return sven::test::counted(bytes, 16);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return sven::test::counted(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}
