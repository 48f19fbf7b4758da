#pragma once
// Solves with K = G_AA + l2 diag(f) over the support, by whichever system serves it: choose.hpp has
// the decision, this class what happened before. A system that fails is followed by one that is
// more certain; the factors of maths.md, eq. 18 and 29, are the last word.

#include <array>

#include "reduction/systems/appended_factor.hpp"
#include "reduction/systems/choose.hpp"
#include "reduction/systems/device_factor.hpp"
#include "reduction/systems/iteration.hpp"
#include "reduction/systems/orthogonal_factor.hpp"
#include "reduction/systems/row_factor.hpp"
#include "reduction/tuning.hpp"

namespace sven::reduction {

class SupportSystems {
  public:
    explicit SupportSystems(const linalg::Execution& execution)
        : appended_(execution),
          orthogonal_(execution),
          stale_(execution),
          diagonal_(execution),
          rows_(execution),
          device_(execution) {}

    // Many small steps are to come: from now on, for this l2, by a factor.
    void expect_small_steps();
    void update(const SystemRequest& request);
    // Slots that depend on the others; the support should go on without them.
    std::span<const Index> refused() const { return system().refused(); }
    std::span<const Index> order() const { return system().order(); }

    // K x = b, both by slot; x is left alone off the support. The residual is at most
    // `accuracy` times the largest entry of b.
    void solve(const double* b, double* x, double accuracy = tuning::default_accuracy);
    // The same from the x at hand; see SolveGoal.
    void improve(const double* b, double* x, const SolveGoal& goal);
    // d'Kd, d by slot.
    double quadratic(const double* d) { return system().quadratic(d); }
    // diag(K^-1) in the order of the system; false where there is no factor to tell.
    bool inverse_diagonal(std::vector<double>& out) { return system().inverse_diagonal(out); }

    // What is left of K for slots outside of the support; false where the kind does not tell.
    bool eliminate(std::span<const Index> slots, linalg::Buffer<double>& out) {
        return system().eliminate({*kernel_, active_, ridge_, situation_.l2}, slots, out);
    }

    SystemKind kind() const { return kind_; }
    // Accuracy costs: a support that is still to change deserves less of it.
    bool is_iterative() const { return iterates(kind_); }
    bool is_orthogonal() const { return kind_ == SystemKind::orthogonal; }
    // Whether a solve for this support needs neither a new factor nor iterations.
    bool has_factor_of(const SystemRequest& request) const;
    // Operations of one update and a solve, roughly.
    double cost() const { return cost_of(kind_, model_costs(situation_)); }
    // For a support that was not updated to, as at the beginning of a setting: the kind that would
    // serve it, and the cost with that of the Gram matrix that it would need.
    struct Expected {
        SystemKind kind;
        double cost;
    };
    Expected expect(const SystemRequest& request) const;
    void reset();

  private:
    void begin(double l2);
    void describe();
    // Takes the first kind of the choice that serves the support.
    void settle();
    void note_failure();
    System& system() { return *systems_[static_cast<std::size_t>(kind_)]; }
    const System& system() const { return *systems_[static_cast<std::size_t>(kind_)]; }

    AppendedFactor appended_;
    OrthogonalFactor orthogonal_;
    StaleIteration stale_;
    DiagonalIteration diagonal_;
    RowFactor rows_;
    DeviceFactor device_;
    // in the order of SystemKind
    std::array<System*, 6> systems_{&appended_, &orthogonal_, &stale_,
                                    &diagonal_, &rows_,       &device_};
    SystemKind kind_ = SystemKind::appended;
    bool is_settled_ = false;                  // the slots are as they were at the last update
    Situation situation_{.has_device = true};  // until it is found that there is none
    double last_l2_ = 0;                       // of the setting before
    Kernel* kernel_ = nullptr;
    std::span<const char> active_;
    std::span<const double> ridge_;
};

}  // namespace sven::reduction
