#pragma once
// Random numbers of simulated data.

#include <cmath>
#include <numbers>

#include "sven/random.hpp"

namespace sven::cli {

class Draws {
  public:
    explicit Draws(std::uint64_t seed) : random_(seed) {}

    double uniform() {                                     // in (0, 1)
        constexpr double step = 1.0 / 9007199254740992.0;  // 2^-53
        return (static_cast<double>(random_.bits() >> 11U) + 0.5) * step;
    }
    double normal() {  // Box-Muller; its pairs are returned one by one
        if (has_spare_) {
            has_spare_ = false;
            return spare_;
        }
        const double radius = std::sqrt(-2 * std::log(uniform()));
        const double angle = 2 * std::numbers::pi * uniform();
        spare_ = radius * std::sin(angle);
        has_spare_ = true;
        return radius * std::cos(angle);
    }
    Index below(Index count) { return random_.below(count); }

  private:
    SplitMix64 random_;
    double spare_ = 0;
    bool has_spare_ = false;
};

}  // namespace sven::cli
