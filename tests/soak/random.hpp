#pragma once
// What a seed means: the same numbers everywhere, which the standard's distributions do not
// promise.

#include <cmath>
#include <numbers>
#include <random>
#include <string_view>

#include "sven/matrix.hpp"

namespace sven::soak {

class Random {
  public:
    Random(std::string_view family, std::uint64_t seed) {
        std::uint64_t hash = 0xcbf29ce484222325U ^ (seed * 0x9e3779b97f4a7c15U);
        for (const char letter : family)
            hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3U;
        engine_.seed(hash);
    }

    // In [0, 1).
    double uniform() { return static_cast<double>(engine_() >> 11U) * 0x1p-53; }
    double uniform(double low, double high) { return low + (high - low) * uniform(); }
    double normal() {
        const double radius = std::sqrt(-2 * std::log(1 - uniform()));
        return radius * std::cos(2 * std::numbers::pi * uniform());
    }
    // 10^low .. 10^high, log-uniform.
    double decades(double low, double high) { return std::pow(10.0, uniform(low, high)); }
    // From low to high, both included.
    Index between(Index low, Index high) {
        return low + static_cast<Index>(engine_() % static_cast<std::uint64_t>(high - low + 1));
    }
    bool chance(double share) { return uniform() < share; }

  private:
    std::mt19937_64 engine_;
};

}  // namespace sven::soak
