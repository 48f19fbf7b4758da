#pragma once
// The reduced machine in collapsed form: of the 2p samples only the support is ever looked at, as
// features A with signs s, and the Newton step is solved in closed form (maths.md, eq. 18-20):
//
//     K = G_AA + l2 diag(f_A),  u = K^-1 c_A,  v = K^-1 (f s)_A
//     penalty   h = l1/2 given                        beta_A = u - h v
//     budget    h = ((f s)'u - t) / ((f s)'v)         beta_A = u - h v
//
// The next support: inside A the features with s_j beta_j > 0, outside those with
// |x_j'r| > h f_j (eq. 21). Whole steps may cycle; descend() is the monotone method that cannot.

#include <span>
#include <vector>

#include "linalg/execution.hpp"
#include "problem/target.hpp"
#include "reduction/kernel.hpp"
#include "reduction/support_solver.hpp"
#include "svm/newton.hpp"

namespace sven::reduction {

using problem::Penalties;
using problem::Support;
using problem::Target;

struct Outcome {
    Status status = Status::optimal;
    Index iterations = 0;
    bool is_slack = false;  // budget: it does not bind; the solution is that of l1 = 0
};

class ActiveSet {
  public:
    ActiveSet(Kernel& kernel, const Penalties& penalties, const linalg::Execution& execution,
              double tolerance);

    // Features outside the slots that may enter; others are not looked at.
    void set_candidates(std::span<const Index> candidates) { candidates_ = candidates; }
    Outcome run(const Target& target, Index max_iterations);

    double h() const { return h_; }
    Index support_size() const;
    void save(Support& out) const;
    // Takes up a support; features without a slot get one.
    void load(const Support& support);
    // The same with the setting it solves, for questions about it.
    void load(const Support& support, const Target& target, double h);
    std::span<const double> coefficients() const { return beta_; }  // by slot
    // beta' along (dh, dl2), by slot (maths.md, eq. 28); zero off the support.
    void derivative(double dh, double dl2, std::vector<double>& out);
    // The multiplier h at a new budget with this support (maths.md, eq. 24); 0 where there is none.
    double predict_multiplier(double t, double l2);
    // Drops the slots that are not in the support.
    void compact();
    // Whether a feature outside the support lies in the span of the support's columns.
    bool depends_on_support(Index feature);
    // (K^-1)_jj of features of the support; false where K is too ill-conditioned to tell.
    bool inverse_diagonal(std::span<const Index> features, std::vector<double>& out);
    // g'K^-1 g of the support, g = X'r - l2 f beta: how far it is from its optimum without l1
    // penalty.
    double gradient_energy();
    // Modelled operations since the start, for the choice of block sizes.
    double work() const { return work_; }

    // svm::SampleSet
    void solve();
    Index full_step();
    Index descend();

  private:
    struct Violator {
        Index slot;  // -1: a candidate without slot
        Index feature;
        double sign;
        double excess;  // |x_j'r| / f_j, or |x_j'r| where f_j = 0
    };
    enum class Budgeting { joint, fixed };

    Outcome run_newton(Index max_iterations);
    Outcome run_guarded_budget(Index max_iterations);
    // A multiplier and its solution, which uses less than the budget or more.
    struct BudgetEnd {
        double h = 0;
        Support support;
    };
    Outcome run_slack(Index max_iterations, Outcome outcome);
    void interpolate();
    void grow_slots();
    void set_ridge();
    void enter(std::span<const Violator> violators);
    static std::span<const Violator> keep_largest(std::vector<Violator>& violators, Index count);
    void update_factor();
    bool repeats_support(Index feature);
    void closed_form(double* out);
    double step_tolerance() const;
    void refine();
    bool refine_once();
    Index drop_wrong_signs();
    void find_violators(bool keep_refused);
    bool is_violated(Index feature, double product, double& sign) const;
    double budget_use() const;
    void shrink_into_budget();
    Index finish_full_step();
    // damped steps, before anything slower
    bool can_damp() const;
    Index start_damping();
    Index damped_step();
    Index adopt_support();
    void note_products(std::vector<double>& products);
    double dual_slope(double tau) const;
    double search_dual_line() const;
    // descend()
    Index start_descent();
    Index drop_wrong_way(std::span<const double> goal);
    bool search_line(std::span<const double> goal);
    bool exchange(Index slot);
    Index finish_descent();

    Kernel& kernel_;
    Penalties penalties_;
    linalg::Execution execution_;
    SupportSolver factor_;
    double violation_tolerance_;

    Target target_;
    double h_ = 0;
    Budgeting budgeting_ = Budgeting::fixed;
    bool is_lost_ = false;  // the joint budget step left its domain
    std::span<const Index> candidates_;

    // by slot
    std::vector<char> active_;
    std::vector<double> sign_, beta_, factor_of_, ridge_, rhs_, direction_, correlation_, u_, v_;
    std::vector<char> was_active_;
    // by feature: left alone for this run, since they are dependent or tied
    std::vector<char> is_refused_, is_ignored_;
    std::vector<Index> refused_features_, ignored_features_;

    std::vector<Violator> violators_;
    std::vector<Index> fresh_features_;
    std::vector<double> fresh_signs_;
    std::vector<double> candidate_products_, span_rest_;
    std::vector<std::pair<double, Index>> breakpoints_;
    std::vector<Index> kept_;
    Support start_;
    BudgetEnd within_, beyond_;  // of a budget whose multiplier is searched for
    bool is_descending_ = false;
    bool is_damping_ = false;
    Index damped_steps_ = 0;
    std::vector<double> anchor_;                             // by slot
    std::vector<double> anchor_products_, newton_products_;  // by feature
    Index bulk_ = 64;
    bool must_descend_ = false;  // whole steps have failed for this run
    Index steps_ = 0;
    bool is_settled_ = false;  // the support hardly changes: solve to full accuracy
    bool has_refused_violators_ = false;
    double rounding_ = 0;
    double work_ = 0;
};

}  // namespace sven::reduction
