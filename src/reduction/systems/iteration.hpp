#pragma once
// Conjugate gradients (maths.md, section "Large supports"), with one of two preconditioners: a
// stale factor in single precision, or the diagonal alone, where products with K cost little beside
// any factor (sparse X).

#include "reduction/systems/stale_factor.hpp"
#include "reduction/systems/system.hpp"

namespace sven::reduction {

class Iteration : public KernelSystem {
  public:
    using KernelSystem::KernelSystem;

    bool solve(const double* b, double* x, SolveGoal& goal) override;

  protected:
    // scaled_ = M^-1 residual_, on the support.
    virtual void precondition() = 0;
    virtual Index most_iterations() const = 0;
    virtual void note_iterations(Index iterations) = 0;
    void prepare(const SystemRequest& request);

    std::vector<double> residual_, scaled_;

  private:
    bool run(double* x, double tolerance);

    std::vector<double> direction_, image_;
};

class StaleIteration final : public Iteration {
  public:
    explicit StaleIteration(const linalg::Execution& execution)
        : Iteration(execution), factor_(execution) {}

    // False where single precision does not do.
    bool update(const SystemRequest& request) override;
    bool eliminate(const SystemRequest& request, std::span<const Index> slots,
                   linalg::Buffer<double>& out) override;
    void reset() override { factor_.reset(); }

  private:
    void precondition() override { factor_.apply(active_, residual_.data(), scaled_.data()); }
    Index most_iterations() const override;
    void note_iterations(Index iterations) override;

    StaleFactor factor_;
    double ahead_ = 1;  // of the last update
};

class DiagonalIteration final : public Iteration {
  public:
    using Iteration::Iteration;

    bool update(const SystemRequest& request) override;
    void reset() override {}
    // All its solves together may take so many iterations; `begin` starts the count.
    void set_limit(Index iterations) { limit_ = iterations; }
    void begin() { spent_ = 0; }
    Index spent() const { return spent_; }

  private:
    void precondition() override;
    Index most_iterations() const override { return limit_ - spent_; }
    void note_iterations(Index iterations) override { spent_ += iterations; }

    std::vector<double> inverse_;  // by slot: 1 / K_jj, zero off the support
    Index limit_ = 0;
    Index spent_ = 0;
};

}  // namespace sven::reduction
