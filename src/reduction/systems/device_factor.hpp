#pragma once
// A factor on the side of a device, a new one for every support and every l2 (linalg/systems.hpp).

#include "reduction/systems/system.hpp"

namespace sven::reduction {

class DeviceFactor final : public KernelSystem {
  public:
    using KernelSystem::KernelSystem;

    // False where there is no device, no room on it, or a pivot too small to trust.
    bool update(const SystemRequest& request) override;
    bool solve(const double* b, double* x, SolveGoal& goal) override;
    void reset() override { factored_.clear(); }
    // Whether there was one at the last update.
    bool has_device() const { return systems_ != nullptr; }

  private:
    linalg::Systems* systems_ = nullptr;
    std::vector<Index> factored_;  // slots
    std::vector<Index> members_;
    std::vector<double> factored_ridge_;
    std::vector<double> b_, x_;
};

}  // namespace sven::reduction
