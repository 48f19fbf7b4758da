#pragma once
// Counts calls of operator new, in an executable that allocations.cpp is part of.

#include <atomic>

namespace sven::test {

inline std::atomic<long> allocations{0};

// How often `body` asked for memory.
template <class Body>
long allocations_during(const Body& body) {
    const long before = allocations;
    body();
    return allocations - before;
}

}  // namespace sven::test
