#pragma once
// Solves with K = G_AA + l2 diag(f) over the support. A factor of K while the support is small or
// l2 stays; where the support is large and every setting has an l2 of its own, conjugate gradients
// (maths.md, section "Large supports"), preconditioned by a stale factor in single precision, or,
// where products with K cost little beside any factor (sparse X), by the diagonal alone. A support
// of more features than rows: by a factor of the order of the rows. Where the design lies on a
// device, a large support is factored there, at every step.

#include <span>
#include <vector>

#include "reduction/remote_factor.hpp"
#include "reduction/row_factor.hpp"
#include "reduction/stale_factor.hpp"
#include "reduction/support_factor.hpp"

namespace sven::reduction {

class SupportSolver {
  public:
    using Request = SupportFactor::Request;

    explicit SupportSolver(const linalg::Execution& execution)
        : execution_(execution), factor_(execution), stale_(execution), rows_(execution) {}

    // Many small steps are to come: from now on, for this l2, by a factor.
    void expect_small_steps();
    // Brings it up to date with the support; see SupportFactor::update.
    void update(const Request& request);
    std::span<const Index> refused() const;
    std::span<const Index> order() const;

    // K x = b, both by slot; x is left alone off the support. The residual is at most
    // `accuracy` times the largest entry of b.
    void solve(const double* b, double* x, double accuracy = 1e-12);
    // The same from the x at hand; iterations stop where no entry of the residual is above
    // `tolerance`, or above `reduction` times the largest at the start.
    void improve(const double* b, double* x, double tolerance, double reduction);
    // d'Kd, d by slot.
    double quadratic(const double* d);
    // diag(K^-1) in the factor's order; false where there is no factor to tell.
    bool inverse_diagonal(std::vector<double>& out);

    // Accuracy costs: a support that is still to change deserves less of it.
    bool is_iterative() const { return way_ == Way::iteration; }
    bool is_orthogonal() const { return way_ == Way::factor && factor_.is_orthogonal(); }
    // Operations of one solve, roughly.
    double cost() const;
    void reset();

  private:
    // At another l2 the way it is solved may change.
    void begin(double l2);
    enum class Way { factor, iteration, rows, remote };
    Way choose_way(const Request& request) const;
    bool prefers_remote() const;
    bool prefers_rows() const;
    double factor_cost() const;
    double row_cost() const;
    double iteration_cost() const;
    // Iterations by the diagonal that cost as much as the stale factor's way.
    Index diagonal_limit() const;
    void iterate(const double* b, double* x, double tolerance, double reduction);
    bool run(double* x, double tolerance, Index limit);
    void multiply(const double* x, double* out);
    void precondition();
    void turn_to_factor();
    void solve_directly(const double* b, double* x);
    void solve_by_factor(const double* b, double* x);

    linalg::Execution execution_;
    SupportFactor factor_;
    StaleFactor stale_;
    RowFactor rows_;
    RemoteFactor remote_;
    Kernel* kernel_ = nullptr;
    std::span<const char> active_;
    std::span<const double> ridge_;
    double l2_ = 0;
    double last_l2_ = 0;  // of the setting before
    Way way_ = Way::factor;
    bool uses_factor_ = false;   // as the preconditioner
    bool keeps_factor_ = false;  // the diagonal took too long once on this path
    bool has_remote_ = true;     // until it is found that there is none
    bool is_coarse_ = false;     // it failed at this l2
    bool must_factor_ = false;   // at this l2: iterations failed, or too many supports came by
    Index supports_ = 0;         // that were solved for at this l2
    std::vector<Index> order_;
    std::vector<Index> refused_;  // none, but by the factor
    std::vector<double> residual_, direction_, image_, scaled_, row_image_;
    Index iterations_ = 0;
    Index spent_ = 0;  // iterations by the diagonal at this l2
};

}  // namespace sven::reduction
