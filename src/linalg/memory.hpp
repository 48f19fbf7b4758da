#pragma once
// Allocation of buffers.

#include <cstddef>

namespace sven::linalg {

// Uninitialised memory, aligned to a cache line. Large buffers are placed on huge pages where the
// system has them: new memory is written several times faster, and large matrices are read faster.
void* allocate(std::size_t bytes);
// Frees memory from allocate(bytes).
void release(void* memory, std::size_t bytes) noexcept;

}  // namespace sven::linalg
