#pragma once
// Solves with K over a support on the side of a device, by a factor of its own for every support
// and every l2 (linalg/systems.hpp).

#include <span>
#include <vector>

#include "reduction/kernel.hpp"

namespace sven::reduction {

class RemoteFactor {
  public:
    // Factors K for these slots; `ridge` is by slot. False where there is no device, no room on it,
    // or a pivot too small to trust.
    bool update(Kernel& kernel, std::span<const Index> slots, std::span<const double> ridge);
    // Slots were renumbered.
    void reset() { slots_.clear(); }
    // K x = b, both by slot; x is left alone off the support.
    void solve(const double* b, double* x);

  private:
    linalg::Systems* systems_ = nullptr;
    std::vector<Index> slots_;  // that were factored
    std::vector<Index> members_;
    std::vector<double> ridge_;  // theirs
    std::vector<double> b_, x_;
};

}  // namespace sven::reduction
