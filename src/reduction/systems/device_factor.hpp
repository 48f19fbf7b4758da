#pragma once
// A factor on the side of a device, a new one for every support and every l2 (linalg/systems.hpp).
// Where no pivot can be too small it is made together with the first solve, in one round trip.

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
    bool is_factored() const { return order_ == factored_ && ridges_ == factored_ridges_; }
    bool has_large_pivots() const;
    bool factor(std::span<const double> b, double* x);

    linalg::Systems* systems_ = nullptr;
    std::vector<Index> factored_;  // slots
    std::vector<double> factored_ridges_;
    std::vector<Index> members_;  // of the support at hand
    std::vector<double> ridges_;  // of the support at hand
    std::vector<double> b_, x_;
};

}  // namespace sven::reduction
