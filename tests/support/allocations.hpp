#pragma once
// Counts calls of operator new, or lets them fail, in an executable that allocations.cpp is part
// of.

#include <atomic>
#include <new>

namespace sven::test {

inline std::atomic<long> allocations{0};  // calls of operator new
inline std::atomic<long> live_blocks{0};  // blocks that were not given back

// Calls until there is no memory; 0: there is.
inline std::atomic<long> calls_left{0};
// Whether there is none for one call, or from then on.
inline std::atomic<bool> stays_empty{false};

// How often `body` asked for memory.
template <class Body>
long allocations_during(const Body& body) {
    const long before = allocations;
    body();
    return allocations - before;
}

// While it lives, the call with this number gets no memory, or that one and all later ones.
class NoMemory {
  public:
    NoMemory(long call, bool for_good) {
        stays_empty = for_good;
        calls_left = call;
    }
    ~NoMemory() { calls_left = 0; }
    NoMemory(const NoMemory&) = delete;
    NoMemory& operator=(const NoMemory&) = delete;
};

}  // namespace sven::test
