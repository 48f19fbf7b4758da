#pragma once
// A way to solve with K = G_AA + l2 diag(f) over the support A (maths.md, eq. 18). There are
// several, each for its own shape of problem; choose.hpp says which serves when.

#include <span>
#include <vector>

#include "linalg/execution.hpp"
#include "reduction/kernel.hpp"

namespace sven::reduction {

// What is to be solved with: the slots for which active is set, ridge[slot] = l2 f_slot. The spans
// stay valid until the next update.
struct SystemRequest {
    Kernel& kernel;
    std::span<const char> active;
    std::span<const double> ridge;
    double l2;
    // Slots that were solved for before, in their order: likely to be independent. A kind that
    // refuses dependent columns looks at these first.
    std::span<const Index> known = {};
    double last_l2 = 0;  // of the setting before; 0 where there was none
};

// When an iteration may stop: no entry of the residual above `tolerance`, or above `reduction`
// times the largest at the start. A direct solve does not ask.
struct SolveGoal {
    double tolerance = 0;
    double reduction = 0;
};

class System {
  public:
    System() = default;
    System(const System&) = delete;
    System& operator=(const System&) = delete;
    virtual ~System() = default;

    // Follows the support. False where this kind cannot serve it.
    virtual bool update(const SystemRequest& request) = 0;
    // The slots that are solved for, in the order of the system.
    virtual std::span<const Index> order() const = 0;
    // Slots of the request whose columns depend on the others; they are not solved for.
    virtual std::span<const Index> refused() const { return {}; }
    // K x = b, both by slot, from the x at hand where the kind iterates. False where the accuracy
    // was not reached; `goal` then holds the absolute tolerance that is left to reach.
    virtual bool solve(const double* b, double* x, SolveGoal& goal) = 0;
    // d'Kd, d by slot.
    virtual double quadratic(const double* d) = 0;
    // diag(K^-1) in the order of the system; false where it cannot tell.
    virtual bool inverse_diagonal(std::vector<double>& /*out*/) { return false; }
    // What is left of K for slots outside of the request once those of the system are solved for
    // (maths.md, eq. 79), by columns. What it took is kept for an update that appends some of them.
    // False where the kind has none.
    virtual bool eliminate(const SystemRequest& /*request*/, std::span<const Index> /*slots*/,
                           linalg::Buffer<double>& /*out*/) {
        return false;
    }
    // Slots were renumbered.
    virtual void reset() = 0;
};

// A system that multiplies with K through the kernel and keeps the request.
class KernelSystem : public System {
  public:
    explicit KernelSystem(const linalg::Execution& execution) : execution_(execution) {}

    std::span<const Index> order() const override { return order_; }
    double quadratic(const double* d) override;

  protected:
    void take(const SystemRequest& request);
    // out = K x, both by slot; zero off the support.
    void multiply(const double* x, double* out) const;

    linalg::Execution execution_;
    Kernel* kernel_ = nullptr;
    std::span<const char> active_;
    std::span<const double> ridge_;
    double l2_ = -1;
    std::vector<Index> order_;  // ascending

  private:
    std::vector<double> direction_, image_;
};

}  // namespace sven::reduction
