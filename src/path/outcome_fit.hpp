#pragma once
// Newton's method for a response that is not gaussian (maths.md, section "Other outcomes"): every
// step is one elastic net with the curvatures of the rows as weights, solved exactly by the machine
// on the features that may enter. Whole steps; they are cut short where the objective does not
// fall.

#include <memory>

#include "path/workspace.hpp"
#include "problem/loss.hpp"
#include "reduction/active_set.hpp"
#include "reduction/curved_kernel.hpp"

namespace sven::path {

// The response: its loss, its rows, and what is known of the linear predictor beforehand.
struct Outcome {
    problem::Loss loss;
    problem::LossRows rows;
    std::span<const double> offset;  // empty: none
};

inline Outcome outcome_of(const Problem& problem) {
    return {problem::Loss(problem.family), {problem.y, problem.weights}, problem.offset};
}

// The scaled columns without the weights of the rows.
linalg::ScaledDesign plain_columns(const Workspace& work);

// Coefficients of the scaled columns, and the linear predictor at the means of the columns.
struct FitPoint {
    problem::Support support;
    double centre = 0;
    Index version = -1;  // of the state of the fit that it was taken from; -1: none
};

// The loss at a linear predictor; curvatures and u = w (y - mean) have the weights in them.
struct LossState {
    std::vector<double> fitted;  // X beta
    std::vector<double> eta, curvatures, u;
    problem::LossSums sums;
};

// The dual point of a fit: a lane of the product that verifies it.
struct DualLane {
    std::vector<double> eta;
    std::vector<double> tilt;  // see problem::TiltedErrors
    std::vector<double> u;
    double blur = 0;
    bool is_usable = true;  // whether the tilt is small
    problem::DualPoint point;
    double half_deviance = 0;
    double predictor_error = 0;  // at least the length of the error of eta, in the weights
    double largest_curvature = 0;
};

class OutcomeFit {
  public:
    OutcomeFit(Workspace& workspace, const Outcome& outcome);

    // Intercept and free features alone; throws InvalidArgument where that fit has no optimum.
    FitPoint fit_null();
    double null_deviance() const { return 2 * null_half_deviance_; }

    struct Result {
        Index steps = 0;
        bool is_settled = false;
    };
    // From a point to the optimum on its support and the candidates, up to a relative gap there.
    Result solve(const problem::Target& target, std::span<const Index> candidates, double goal,
                 FitPoint& point);

    // The dual point of the coefficients as they are handed out, of the point that was solved last.
    void make_lane(DualLane& lane) const;
    // What it adds to the gap.
    problem::Fit data_of(const DualLane& lane) const;

    linalg::ScaledDesign& columns() { return X_; }
    const reduction::Kernel& kernel() const { return kernel_; }
    Index support_size() const { return active_.support_size(); }
    // Of the target that was solved last: its multiplier, or that of its budget; and whether the
    // budget is slack.
    double h() const { return target_.is_budget() ? active_.h() : target_.h(); }
    bool is_slack() const { return is_slack_; }
    // The multiplier of a target, of a budget as the last model foresees it.
    double predict_multiplier(const problem::Target& target);
    // Drops slots that the support has left.
    void compact();
    // Modelled operations since the start.
    double operations() { return active_.machine().work + work_done_; }

  private:
    void load(const FitPoint& point);
    // Scales a point that uses more than the budget down to it.
    void shrink_into_budget();
    problem::Question question() const { return problem::Question::of(target_, h(), is_slack_); }
    void save(FitPoint& point);
    void predict(std::span<const double> beta, double centre, LossState& state);
    // The same from the fitted values at hand.
    void predict(double centre, LossState& state) const;
    void evaluate(LossState& state);
    double penalty_of(std::span<const double> beta) const;
    double objective_of(const LossState& state, std::span<const double> beta) const {
        return state.sums.half_deviance + penalty_of(beta);
    }
    void fit_intercept();
    // One step from the current point, whose gap is infinite where it is not known; false where it
    // did not move.
    bool take_step(double gap, double goal);
    // The step of the model that the kernel has; false, with the point as it was, where the
    // objective does not fall.
    bool try_step();
    bool search_line();
    // How far the curvatures of the model are from those of the point, as a share of these.
    double curvature_change() const;
    bool wants_curvatures(double gap, double goal) const;
    // Modelled operations of a step beside the Gram matrix.
    double step_cost() const;
    void renew_curvatures();
    FitPoint point_of(std::span<const double> beta, double centre) const;
    // Relative; where it is above the goal, a lower bound of it is enough.
    double gap_on_slots(double goal);
    void tilt(const LossState& state, DualLane& lane) const;
    void tilt_free(const LossState& state, DualLane& lane) const;
    void measure(const LossState& state, std::span<const double> beta, double centre,
                 DualLane& lane) const;

    Workspace& work_;
    Outcome outcome_;
    linalg::ScaledDesign X_;
    reduction::CurvedKernel kernel_;
    reduction::ActiveSet active_;
    std::vector<Index> free_;
    double null_half_deviance_ = 0;
    int most_iterations_;
    double work_done_ = 0;  // modelled operations beside the machine's
    Index version_ = 0;     // of the state below; another one each time it is left or saved
    // of the curvatures that the kernel has
    Index steps_since_renewal_ = 0;
    double reduction_ = 0;  // of the gap by the last step after the first; 0: not known
    // of the setting
    problem::Target target_;
    bool is_slack_ = false;
    double centre_ = 0;
    std::vector<double> beta_;  // by slot
    LossState now_, next_;
    DualLane lane_;
    double objective_ = 0;
    std::vector<double> products_;
};

}  // namespace sven::path
