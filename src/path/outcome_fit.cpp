#include "path/outcome_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/loss_kernels.hpp"
#include "linalg/row_sums.hpp"
#include "path/tuning.hpp"
#include "problem/rounding.hpp"
#include "sven/error.hpp"

namespace sven::path {

// The columns are weighted by each model.
linalg::ScaledDesign plain_columns(const Workspace& work) {
    problem::Response response;
    response.total_weight = work.response.total_weight;
    return problem::scale_design(*work.design, *work.problem, response, work.columns, work.moments);
}

OutcomeFit::OutcomeFit(Workspace& workspace, const Outcome& outcome)
    : work_(workspace),
      outcome_(outcome),
      X_(plain_columns(workspace)),
      kernel_(X_, {workspace.columns.norms, outcome.rows.weights, workspace.problem->intercept},
              workspace.execution),
      active_(kernel_, workspace.penalties, workspace.execution, workspace.options->tolerance),
      free_(list_free_features(workspace)),
      most_iterations_(workspace.options->max_iterations) {
    const auto n = static_cast<std::size_t>(workspace.rows());
    for (LossState* state : {&now_, &next_})
        for (auto* values : {&state->fitted, &state->eta, &state->curvatures, &state->u})
            values->resize(n);
}

void OutcomeFit::predict(std::span<const double> beta, double centre, LossState& state) {
    kernel_.predict(beta, state.fitted.data());
    predict(centre, state);
}

void OutcomeFit::predict(double centre, LossState& state) const {
    for (std::size_t i = 0; i < state.eta.size(); ++i)
        state.eta[i] =
            state.fitted[i] + (outcome_.offset.empty() ? centre : centre + outcome_.offset[i]);
}

void OutcomeFit::evaluate(LossState& state) {
    state.sums = evaluate_loss(outcome_.loss, outcome_.rows, state.eta, work_.execution,
                               state.u.data(), state.curvatures.data());
}

double OutcomeFit::penalty_of(std::span<const double> beta) const {
    double weighted_l1 = 0;
    double ridge = 0;
    for (std::size_t slot = 0; slot < beta.size(); ++slot) {
        const double f = work_.factor(kernel_.feature(static_cast<Index>(slot)));
        weighted_l1 += f * std::abs(beta[slot]);
        ridge += f * beta[slot] * beta[slot];
    }
    return (target_.is_budget() ? 0 : target_.h()) * weighted_l1 + target_.l2() * ridge / 2;
}

// ---- without any feature ----

void OutcomeFit::fit_intercept() {
    beta_.assign(static_cast<std::size_t>(kernel_.slots()), 0.0);
    centre_ = 0;
    if (work_.problem->intercept) centre_ = outcome_.loss.link(work_.response.mean);
    predict(beta_, centre_, now_);
    evaluate(now_);
    if (!work_.problem->intercept || outcome_.offset.empty()) return;
    for (int step = 0; step < tuning::most_null_steps; ++step) {
        const double move = now_.sums.error_sum / now_.sums.curvature_sum;
        if (!(std::abs(move) > problem::unit_roundoff * (1 + std::abs(centre_)))) return;
        centre_ += std::clamp(move, -tuning::largest_null_move, tuning::largest_null_move);
        predict(beta_, centre_, now_);
        evaluate(now_);
    }
}

FitPoint OutcomeFit::fit_null() {
    fit_intercept();
    null_half_deviance_ = now_.sums.half_deviance;
    FitPoint point;
    save(point);
    if (free_.empty()) return point;
    // the limit of the options is one for each setting, and must not pass for a lack of an optimum
    most_iterations_ = std::max(work_.options->max_iterations, Options{}.max_iterations);
    const Result result = solve(problem::Target::penalty(1, 0), {}, tuning::null_gap, point);
    most_iterations_ = work_.options->max_iterations;
    if (!result.is_settled ||
        now_.sums.half_deviance <= tuning::separated_share * null_half_deviance_)
        throw InvalidArgument(
            outcome_.loss.family() == Family::binomial
                ? "the unpenalised columns separate the classes, or depend on each other: there is "
                  "no best fit; give them a penalty"
                : "the unpenalised columns have no best fit: give them a penalty");
    return point;
}

// ---- Newton steps ----

void OutcomeFit::save(FitPoint& point) {
    active_.save(point.support);
    point.centre = centre_;
    point.version = ++version_;
}

void OutcomeFit::load(const FitPoint& point) {
    if (point.version == version_) return;
    ++version_;
    active_.load(point.support);
    beta_.assign(active_.coefficients().begin(), active_.coefficients().end());
    centre_ = point.centre;
    predict(beta_, centre_, now_);
    evaluate(now_);
}

void OutcomeFit::shrink_into_budget() {
    double used = 0;
    for (std::size_t slot = 0; slot < beta_.size(); ++slot)
        used += work_.factor(kernel_.feature(static_cast<Index>(slot))) * std::abs(beta_[slot]);
    if (!(used > target_.t())) return;
    std::vector<double> beta = beta_;
    for (std::size_t slot = 0; slot < beta.size(); ++slot)
        if (work_.factor(kernel_.feature(static_cast<Index>(slot))) > 0)
            beta[slot] *= target_.t() / used;
    load(point_of(beta, centre_));
}

double OutcomeFit::predict_multiplier(const problem::Target& target) {
    return reduction::predict_multiplier(active_.machine(), active_.state(), target);
}

void OutcomeFit::compact() {
    const Index support = active_.support_size();
    if (kernel_.slots() <= support + support / tuning::selected_per_spare + tuning::spare_slots)
        return;
    reduction::compact(active_.machine(), active_.state());
    ++version_;
}

OutcomeFit::Result OutcomeFit::solve(const problem::Target& target,
                                     std::span<const Index> candidates, double goal,
                                     FitPoint& point) {
    active_.set_candidates(candidates);
    target_ = target;
    is_slack_ = false;
    load(point);
    if (target.is_budget()) shrink_into_budget();
    objective_ = objective_of(now_, beta_);
    Result result;
    double last = std::numeric_limits<double>::infinity();
    const Index limit = std::min<Index>(most_iterations_, tuning::most_outer_steps);
    for (int idle = 0; result.steps < limit && idle < tuning::most_idle_steps;) {
        work_.execution.check();
        ++result.steps;
        const bool moved = take_step(last, goal);
        const double gap = gap_on_slots(goal);
        result.is_settled = gap <= goal;
        if (result.is_settled || !moved) break;
        const bool is_slow = !(gap < last / 2);
        // with old curvatures that is their fault
        if (steps_since_renewal_ > 1)
            reduction_ = gap / last;
        else
            idle = is_slow ? idle + 1 : 0;
        last = std::min(last, gap);
    }
    save(point);
    return result;
}

double OutcomeFit::curvature_change() const {
    const std::span<const double> k = kernel_.curvatures();
    if (k.empty()) return std::numeric_limits<double>::infinity();
    const auto distance_of = [&](Index begin, Index length) {
        double distance = 0;
        for (Index i = begin; i < begin + length; ++i)
            distance += std::abs(now_.curvatures[i] - k[i]);
        return linalg::RowSums<1>{distance};
    };
    return linalg::sum_rows<1>(work_.execution, work_.rows(), linalg::lane_operations,
                               distance_of)[0] /
           now_.sums.curvature_sum;
}

// Old curvatures multiply the error of the point by about their change, new ones square it and cost
// a Gram matrix. At the first step of a setting new ones would be old after it.
bool OutcomeFit::wants_curvatures(double gap, double goal) const {
    const double change = curvature_change();
    if (!(change <= tuning::most_curvature_change)) return true;
    if (reduction_ > tuning::slow_reduction) return true;
    if (change == 0 || std::isinf(gap)) return false;
    // without a ridge the gap falls as the error does, else as its square
    const double foreseen = target_.l2() > 0 ? change * change : change;
    const double digits = -std::log(std::max(foreseen, reduction_));
    const double spared = std::ceil(std::log(gap / goal) / digits) - 1;
    return kernel_.renewal_cost() < spared * step_cost();
}

double OutcomeFit::step_cost() const {
    return tuning::passes_a_step * kernel_.pass_cost() +
           tuning::row_operations * static_cast<double>(work_.rows());
}

void OutcomeFit::renew_curvatures() {
    kernel_.set_curvatures(now_.curvatures);
    active_.machine().systems.reset();
    steps_since_renewal_ = 0;
    reduction_ = 0;
    work_done_ += kernel_.renewal_cost();
}

bool OutcomeFit::take_step(double gap, double goal) {
    if (wants_curvatures(gap, goal)) renew_curvatures();
    if (try_step()) return true;
    if (curvature_change() > 0) {
        renew_curvatures();
        if (try_step()) return true;
    }
    return search_line();
}

bool OutcomeFit::try_step() {
    ++steps_since_renewal_;
    kernel_.set_point(beta_, now_.fitted, now_.u);
    work_done_ += step_cost();
    is_slack_ = active_.run(target_, {most_iterations_, work_.h_max}).is_slack;
    beta_.resize(static_cast<std::size_t>(kernel_.slots()), 0.0);
    kernel_.set_coefficients(active_.coefficients());
    const std::span<const double> fitted = kernel_.fitted();
    std::copy(fitted.begin(), fitted.end(), next_.fitted.begin());
    predict(centre_ + kernel_.intercept_move(), next_);
    evaluate(next_);
    const double objective = objective_of(next_, active_.coefficients());
    const double slack = tuning::objective_rounding * std::abs(objective_);
    if (!(objective <= objective_ + slack)) return false;
    objective_ = objective;
    centre_ += kernel_.intercept_move();
    beta_.assign(active_.coefficients().begin(), active_.coefficients().end());
    std::swap(now_, next_);
    return true;
}

FitPoint OutcomeFit::point_of(std::span<const double> beta, double centre) const {
    FitPoint point;
    point.centre = centre;
    for (std::size_t slot = 0; slot < beta.size(); ++slot) {
        const Index j = kernel_.feature(static_cast<Index>(slot));
        const bool is_free = work_.penalties.is_free(j);
        if (beta[slot] == 0 && !is_free) continue;
        point.support.features.push_back(j);
        point.support.signs.push_back(is_free ? 0 : (beta[slot] > 0 ? 1 : -1));
        point.support.beta.push_back(beta[slot]);
    }
    return point;
}

// Armijo's rule on the way to the point that the step found.
bool OutcomeFit::search_line() {
    double slope = penalty_of(active_.coefficients()) - penalty_of(beta_);
    for (Index i = 0; i < work_.rows(); ++i) slope -= now_.u[i] * (next_.eta[i] - now_.eta[i]);
    const std::vector<double> goal(active_.coefficients().begin(), active_.coefficients().end());
    const std::vector<double> target_eta = next_.eta;
    std::vector<double> beta(beta_.size());
    const double move = kernel_.intercept_move();
    double share = 0.5;
    for (int k = 0; k < tuning::most_halvings; ++k, share /= 2) {
        for (std::size_t slot = 0; slot < beta.size(); ++slot)
            beta[slot] = beta_[slot] + share * (goal[slot] - beta_[slot]);
        for (std::size_t i = 0; i < target_eta.size(); ++i)
            next_.eta[i] = now_.eta[i] + share * (target_eta[i] - now_.eta[i]);
        evaluate(next_);
        const double objective = objective_of(next_, beta);
        if (!(objective <= objective_ + tuning::armijo * share * slope)) continue;
        load(point_of(beta, centre_ + share * move));
        objective_ = objective_of(now_, beta_);
        return true;
    }
    load(point_of(beta_, centre_));
    return false;
}

// ---- the dual point ----

double OutcomeFit::gap_on_slots(double goal) {
    measure(now_, beta_, centre_, lane_);
    products_.resize(static_cast<std::size_t>(kernel_.slots()));
    kernel_.correlate_columns(lane_.u, products_.data());
    problem::GapSum sum(question(), work_.penalties, lane_.point);
    for (Index slot = 0; slot < kernel_.slots(); ++slot) {
        const Index j = kernel_.feature(slot);
        if (!work_.penalties.is_free(j))
            sum.add(j, products_[slot], work_.columns.norms[j], beta_[slot]);
    }
    if (const double alone = sum.features_alone(); alone > goal * null_deviance())
        return alone / null_deviance();
    lane_.eta = now_.eta;
    return sum.close(data_of(lane_)).relative;
}

void OutcomeFit::make_lane(DualLane& lane) const {
    lane.eta = now_.eta;
    measure(now_, beta_, centre_, lane);
}

// Moves of the linear predictor by the intercept and the free features that make the errors
// orthogonal to both: a Newton step, of which the dual point takes the first order (eq. 72). What
// rounding leaves of the products is the blur.
void OutcomeFit::tilt(const LossState& state, DualLane& lane) const {
    const Index n = work_.rows();
    lane.tilt.assign(static_cast<std::size_t>(n), 0.0);
    lane.u = state.u;
    lane.blur = 0;
    lane.is_usable = true;
    if (!free_.empty()) {
        tilt_free(state, lane);
    } else if (work_.problem->intercept) {
        const double move = state.sums.error_sum / state.sums.curvature_sum;
        lane.is_usable = std::abs(move) <= problem::largest_tilt;
        lane.tilt.assign(static_cast<std::size_t>(n), move);
        for (Index i = 0; i < n; ++i) lane.u[i] -= state.curvatures[i] * move;
        const double sum = linalg::sum_of_rows(work_.execution, lane.u);
        const double rounding = problem::product_rounding(n) * state.sums.error_size;
        lane.blur = (std::abs(sum) + rounding) / state.sums.curvature_sum;
    }
}

void OutcomeFit::measure(const LossState& state, std::span<const double> beta, double centre,
                         DualLane& lane) const {
    tilt(state, lane);
    const Index n = work_.rows();
    const auto sums_of = [&](Index begin, Index length) {
        linalg::RowSums<2> sums{};
        for (Index i = begin; i < begin + length; ++i) {
            const double w = outcome_.rows.weight(i);
            if (w > 0) sums[0] += lane.u[i] * lane.u[i] / w;
            if (!outcome_.offset.empty()) sums[1] += w * outcome_.offset[i] * outcome_.offset[i];
        }
        return sums;
    };
    const auto [squares, offsets] =
        linalg::sum_rows<2>(work_.execution, n, linalg::lane_operations, sums_of);
    double length = std::sqrt(offsets);
    double intercept = centre;
    std::size_t terms = 0;
    for (std::size_t slot = 0; slot < beta.size(); ++slot) {
        if (beta[slot] == 0) continue;
        const Index j = kernel_.feature(static_cast<Index>(slot));
        length += work_.columns.spread * work_.columns.norms[j] * std::abs(beta[slot]);
        intercept -= work_.columns.mean[j] / work_.columns.scale[j] * beta[slot];
        ++terms;
    }
    const double root_weight = std::sqrt(work_.response.total_weight);
    lane.predictor_error =
        problem::combination_rounding(terms + 2) * (length + root_weight * std::abs(centre)) +
        problem::unit_roundoff * root_weight * (std::abs(intercept) + linalg::pass_roundings);
    lane.half_deviance = state.sums.half_deviance;
    lane.largest_curvature = outcome_.loss.largest_curvature(state.sums.largest_mean);
    lane.point = {};
    lane.point.length = std::sqrt(squares);
    lane.point.noise = problem::product_rounding(n) * work_.columns.spread * lane.point.length;
    lane.point.scale_error = work_.columns.scale_error;
}

problem::Fit OutcomeFit::data_of(const DualLane& lane) const {
    problem::Fit fit;
    fit.deviance = 2 * lane.half_deviance;
    fit.null_deviance = null_deviance();
    fit.divergence = [this, &lane](double kappa) {
        if (!lane.is_usable || !std::isfinite(lane.blur))
            return std::numeric_limits<double>::infinity();
        const problem::Divergence divergence = problem::sum_divergence(
            outcome_.loss, outcome_.rows, {lane.eta, lane.tilt, lane.blur}, kappa, work_.execution);
        const double error = lane.predictor_error;
        const double half = divergence.sum + std::sqrt(divergence.excess_squares) * error +
                            lane.largest_curvature * error * error / 2;
        return 2 * half * (1 + problem::divergence_rounding);
    };
    return fit;
}

}  // namespace sven::path
