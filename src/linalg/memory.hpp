#pragma once
// Allocation of buffers.

#include <cstddef>
#include <new>
#include <utility>
#include <vector>

namespace sven::linalg {

// Uninitialised memory, aligned to a cache line. Large buffers are placed on huge pages where the
// system has them: new memory is written several times faster, and large matrices are read faster.
void* allocate(std::size_t bytes);
// Frees memory from allocate(bytes).
void release(void* memory, std::size_t bytes) noexcept;

// The same for vectors. Numbers that are not given are left as they are.
template <class T>
struct Allocator {
    using value_type = T;  // NOLINT(readability-identifier-naming): as allocators have it

    Allocator() = default;
    template <class U>
    // NOLINTNEXTLINE(google-explicit-constructor): as vectors expect
    Allocator(const Allocator<U>&) noexcept {}

    T* allocate(std::size_t count) { return static_cast<T*>(linalg::allocate(count * sizeof(T))); }
    void deallocate(T* memory, std::size_t count) noexcept { release(memory, count * sizeof(T)); }
    template <class U>
    void construct(U* place) {
        ::new (static_cast<void*>(place)) U;
    }
    template <class U, class... Arguments>
    void construct(U* place, Arguments&&... arguments) {
        ::new (static_cast<void*>(place)) U(std::forward<Arguments>(arguments)...);
    }
    friend bool operator==(const Allocator&, const Allocator&) { return true; }
};

// A number for each row: there may be millions.
using RowVector = std::vector<double, Allocator<double>>;

}  // namespace sven::linalg
