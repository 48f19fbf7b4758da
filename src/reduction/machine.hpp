#pragma once
// The reduced machine in collapsed form: of the 2p samples only the support is ever looked at, as
// features A with signs s, and the Newton step is solved in closed form (maths.md, eq. 18-20):
//
//     K = G_AA + l2 diag(f_A),  u = K^-1 c_A,  v = K^-1 (f s)_A
//     penalty   h = l1/2 given                        beta_A = u - h v
//     budget    h = ((f s)'u - t) / ((f s)'v)         beta_A = u - h v
//
// The next support: inside A the features with s_j beta_j > 0, outside those with
// |x_j'r| > h f_j (eq. 21). A coefficient that reaches a limit is held there: it is part of the
// support but not of A, and K beta_A = c_A - h (f s)_A - G_AH beta_H (eq. 25).
//
// State says where the machine stands, Machine what it stands on. Steps (whole_steps, damped_steps,
// descent) take both, move the state and return a verdict; driver.cpp decides which comes next.

#include <span>
#include <vector>

#include "linalg/execution.hpp"
#include "problem/target.hpp"
#include "reduction/kernel.hpp"
#include "reduction/systems/support_systems.hpp"

namespace sven::reduction {

using problem::Penalties;
using problem::Support;
using problem::Target;

// Vectors are by slot of the kernel.
struct State {
    Target target;                       // what is asked
    double h = 0;                        // its multiplier: given, or found for a budget
    std::vector<char> active;            // in the support, and solved for
    std::vector<char> held;              // in the support, at the limit on the side of its sign
    std::vector<double> sign;            // of the sample in the support; 0 for a free feature
    std::vector<double> beta;            // coefficients; zero off the support
    std::vector<double> penalty_factor;  // f
    std::vector<double> ridge;           // l2 f

    Index support_size() const;
    // sum f |beta|: the share of a budget that is used.
    double weighted_l1() const;
    // The share of what is held.
    double held_l1() const;
};

// Features that are left alone until the next setting.
class SkippedFeatures {
  public:
    explicit SkippedFeatures(Index features)
        : is_refused_(static_cast<std::size_t>(features)),
          is_tied_(static_cast<std::size_t>(features)) {}

    // Their columns depend on the support's.
    bool is_refused(Index j) const { return is_refused_[j] != 0; }
    void refuse(Index j) { add(j, is_refused_, refused_); }
    // Their violation is rounding.
    bool is_tied(Index j) const { return is_tied_[j] != 0; }
    void mark_tied(Index j) { add(j, is_tied_, tied_); }
    void clear();
    bool is_empty() const { return refused_.empty() && tied_.empty(); }

  private:
    static void add(Index j, std::vector<char>& marks, std::vector<Index>& list) {
        if (marks[j]) return;
        marks[j] = 1;
        list.push_back(j);
    }
    std::vector<char> is_refused_, is_tied_;
    std::vector<Index> refused_, tied_;
};

// By slot; whoever uses one fills it first.
struct Scratch {
    std::vector<double> rhs, direction, correlation, u, v, given;
    std::vector<double> row;  // n, or two of them
};

struct Machine {
    Machine(Kernel& data, const Penalties& costs, const linalg::Execution& team, double tolerance);

    Kernel& kernel;
    Penalties penalties;
    linalg::Execution execution;
    double violation_tolerance;         // a product above its bound by this share is at it
    std::span<const Index> candidates;  // features outside the slots that may enter
    SupportSystems systems;             // solves with K
    // Sweeps are done where the gap on the working set, relative to ||y||^2, is at most this; zero:
    // there are none. Exact steps are done where the support repeats, or `stops_short` there too.
    double gap_goal = 0;
    bool stops_short = false;
    // Operations of the verification of one more block.
    double block_cost = 0;
    SkippedFeatures skipped;
    double work = 0;  // modelled operations since the start, for the choice of block sizes
    Scratch scratch;
};

// Whether the multiplier is given, or solved for together with the coefficients (a budget).
enum class Multiplier { given, joint };

enum class Verdict {
    changed,  // the support, or its signs
    optimal,
    near,   // not optimal, but the gap on the working set is as small as asked
    stuck,  // another kind of step must go on
    lost,   // the joint step has no multiplier
};
struct Step {
    Verdict verdict = Verdict::changed;
    Index changes = 0;  // samples that entered or left
};

// ---- the support of a state (state.cpp) ----

// The empty support, but for the free features.
State make_state(Machine& machine);
void set_target(const Machine& machine, const Target& target, State& state);
void save(const Machine& machine, const State& state, Support& out);
// A coefficient is given: zero, off the support, or a limit.
void hold(Index slot, double value, State& state);
// Holds a coefficient that is at its limit or beyond; whether it was.
bool hold_at_limit(const Machine& machine, Index slot, State& state);
// Takes up a support; features without a slot get one.
void load(Machine& machine, const Support& support, State& state);
// Gives features slots, outside the support.
void add_slots(Machine& machine, std::span<const Index> features, State& state);
// Drops the slots that are not in the support.
void compact(Machine& machine, State& state);

// ---- the Newton point of a support (newton_point.cpp) ----

// Brings the systems up to date; features that depend on the others leave the support.
void update_systems(Machine& machine, State& state);
// How far a system is solved that is solved by iterations.
enum class Accuracy { rough, full };
// beta = u - h v by slot, into `out`; of the joint form also h. False where there is none.
bool closed_form(Machine& machine, State& state, Multiplier multiplier, Accuracy accuracy,
                 double* out);
// The state moves to the Newton point of its support. False as above.
bool move_to_newton_point(Machine& machine, State& state, Multiplier multiplier, Accuracy accuracy);
// Iterative refinement from the residual (maths.md, eq. 30).
void refine(Machine& machine, State& state, Multiplier multiplier);

}  // namespace sven::reduction
