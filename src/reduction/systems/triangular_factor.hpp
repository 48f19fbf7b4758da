#pragma once
// What the factors U'U = K in double precision share: U, its slots, and solves.

#include <algorithm>

#include "linalg/execution.hpp"
#include "reduction/systems/system.hpp"

namespace sven::reduction {

class TriangularFactor : public System {
  public:
    explicit TriangularFactor(const linalg::Execution& execution) : execution_(execution) {}

    std::span<const Index> order() const override { return order_; }
    std::span<const Index> refused() const override { return refused_; }
    bool solve(const double* b, double* x, SolveGoal& goal) override;
    double quadratic(const double* d) override;
    void reset() override {
        order_.clear();
        l2_ = -1;
    }
    // Whether it is a factor at this l2.
    bool is_for(double l2) const { return l2 == l2_ && !order_.empty(); }

  protected:
    void reserve(Index size);

    linalg::Execution execution_;
    std::vector<Index> order_;
    std::vector<Index> refused_;
    linalg::Buffer<double> U_;
    Index stride_ = 0;
    double l2_ = -1;
    std::vector<double> gathered_;
};

// The slots of a request, those known before first; how many of these there are.
std::size_t list_slots(const SystemRequest& request, std::vector<char>& is_known,
                       std::vector<Index>& out);

}  // namespace sven::reduction
