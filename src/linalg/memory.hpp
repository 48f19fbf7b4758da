#pragma once
// Where buffers come from.

#include <cstddef>

namespace sven::linalg {

// Not initialised, aligned to a cache line. From 4 MB on it lies on huge pages where the system has
// them: new memory is written several times faster then, and large matrices are read faster, too.
void* allocate(std::size_t bytes);
// What allocate(bytes) gave.
void release(void* memory, std::size_t bytes) noexcept;

}  // namespace sven::linalg
