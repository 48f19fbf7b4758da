#pragma once
// The random numbers of folds and simulated data.

#include <cstdint>

#include "sven/matrix.hpp"

namespace sven {

// Our own generator: the distributions of the standard library differ between implementations, and
// a seed must give the same numbers everywhere.
class SplitMix64 {
  public:
    explicit SplitMix64(std::uint64_t seed) : state_(seed) {}

    std::uint64_t bits() {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31U);
    }
    // A number from 0 to count - 1.
    Index below(Index count) {
        return static_cast<Index>(bits() % static_cast<std::uint64_t>(count));
    }

  private:
    std::uint64_t state_;
};

}  // namespace sven
