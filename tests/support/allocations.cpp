#include "support/allocations.hpp"

#include <cstdlib>

namespace {

bool has_memory() {
    using namespace sven::test;
    long left = calls_left;
    while (left > 0) {
        const bool is_last = left == 1;
        if (is_last && stays_empty) return false;
        if (calls_left.compare_exchange_weak(left, left - 1)) return !is_last;
    }
    return true;
}

void* counted(std::size_t bytes, std::size_t alignment) {
    ++sven::test::allocations;
    if (!has_memory()) throw std::bad_alloc();
    const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    void* memory = std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
    if (memory == nullptr) throw std::bad_alloc();
    ++sven::test::live_blocks;
    return memory;
}

void give_back(void* memory) {
    if (memory != nullptr) --sven::test::live_blocks;
    std::free(memory);
}

}  // namespace

void* operator new(std::size_t bytes) {
    return counted(bytes, 16);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return counted(bytes, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    try {
        return counted(bytes, 16);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}
void operator delete(void* memory) noexcept {
    give_back(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    give_back(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    give_back(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    give_back(memory);
}
