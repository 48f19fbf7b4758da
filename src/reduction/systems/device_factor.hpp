#pragma once
// A factor on the side of a device, a new one for every support and every l2 (linalg/systems.hpp).
// It is made together with the first solve: one round trip to the device for both.

#include "reduction/systems/system.hpp"

namespace sven::reduction {

class DeviceFactor final : public KernelSystem {
  public:
    using KernelSystem::KernelSystem;

    // False where there is no device, or no room on it.
    bool update(const SystemRequest& request) override;
    // False where a pivot is too small to trust.
    bool solve(const double* b, double* x, SolveGoal& goal) override;
    void reset() override { factored_.clear(); }
    // Whether there was one at the last update.
    bool has_device() const { return systems_ != nullptr; }

  private:
    linalg::Systems* systems_ = nullptr;
    std::vector<Index> factored_;  // slots
    std::vector<double> factored_ridges_;
    std::vector<Index> members_;  // of the support at hand
    std::vector<double> ridges_;  // of the support at hand
    std::vector<double> b_, x_;
};

}  // namespace sven::reduction
