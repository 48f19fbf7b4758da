// The path over the whole Gram matrix: one pass over X, then only work of size p. Every product is
// known after every step, so each setting certifies itself (maths.md, section "The Gram matrix").

#include <algorithm>
#include <cmath>
#include <numeric>

#include "path/approach.hpp"
#include "path/column_span.hpp"
#include "path/preparation.hpp"
#include "path/standing.hpp"
#include "path/tuning.hpp"
#include "problem/rounding.hpp"
#include "reduction/active_set.hpp"
#include "reduction/gram_kernel.hpp"

namespace sven::path {
namespace {

class GramPath {
  public:
    GramPath(Workspace& workspace, const problem::ScaledGram& gram,
             std::span<const problem::Target> targets, const Standing& standing)
        : work_(workspace),
          gram_(gram),
          limited_(list_limited_unpenalised(workspace)),
          kernel_(gram, workspace.execution, workspace.design.get()),
          active_(kernel_, workspace.penalties, workspace.execution, workspace.options->tolerance) {
        all_.resize(static_cast<std::size_t>(workspace.cols()));
        std::iota(all_.begin(), all_.end(), Index{0});
        active_.set_candidates(all_);
        project_free_features();
        h_last_ = work_.h_max;
        if (!begins_at(standing, targets, work_)) return;
        h_last_ = standing.multiplier(work_);
        active_.load(support_of(standing, work_), problem::Target::penalty(h_last_, standing.l2),
                     h_last_);
    }

    void leave(const Solved& last, Standing& standing) const {
        note_end(last.support, h_last_, last.l2, work_, standing);
    }

    void solve(problem::Target target, Solved& solved) {
        if (target.is_budget() && target.t() == 0)
            target = problem::Target::penalty(work_.h_max, target.l2());
        active_.go_on();
        const Index support = active_.support_size();
        if (kernel_.slots() > support + support / tuning::selected_per_spare + tuning::spare_slots)
            reduction::compact(active_.machine(), active_.state());
        Index iterations = approach(target);
        problem::Target asked = target;
        reduction::Outcome outcome;
        if (is_slack(target)) {
            outcome.is_slack = true;
            asked = problem::Target::penalty(0, target.l2());
        } else {
            outcome = active_.run(asked, work_.limits());
        }
        h_last_ = active_.h();
        solved.iterations = iterations + outcome.iterations;
        // whether it is good enough is for the gap to say
        solved.status = outcome.is_slack ? Status::ridge : Status::optimal;
        certify(asked, outcome, solved);
    }

  private:
    void project_free_features() {
        if (kernel_.slots() == 0 && limited_.empty()) return;
        active_.set_candidates(limited_);
        active_.run(problem::Target::penalty(work_.h_max, 0), work_.limits());
        active_.set_candidates(all_);
        work_.h_max = largest_multiplier(work_, kernel_.all_correlations());
    }

    // Steps on the way to a setting that is far; returns the iterations they took.
    Index approach(const problem::Target& target) {
        Index iterations = 0;
        for (;;) {
            const double h =
                reduction::predict_multiplier(active_.machine(), active_.state(), target);
            if (!is_far(h, h_last_, work_.h_max)) return iterations;
            const problem::Target step = step_towards(h, target.l2(), h_last_);
            h_last_ = step.h();
            iterations += active_.run(step, work_.limits()).iterations;
        }
    }

    // Compared with the solution at l1 = 0, from which the budget's is then reached from above.
    bool is_slack(const problem::Target& target) {
        if (!target.is_budget()) return false;
        if (h_last_ > tuning::nearly_zero * work_.h_max) return false;
        active_.run(problem::Target::penalty(0, target.l2()), work_.limits());
        double weighted_l1 = 0;
        for (Index slot = 0; slot < kernel_.slots(); ++slot)
            weighted_l1 +=
                work_.factor(kernel_.feature(slot)) * std::abs(active_.coefficients()[slot]);
        return weighted_l1 <= target.t();
    }

    void certify(const problem::Target& target, const reduction::Outcome& outcome, Solved& solved) {
        active_.save(solved.support);
        const std::span<const double> products = kernel_.all_correlations();
        const problem::Question question =
            problem::Question::of(target, active_.h(), outcome.is_slack);
        // ||r||^2 = y'y - (X'y)'beta - (X'r)'beta
        double squares = work_.response.squares;
        std::vector<double>& beta = scratch_;
        beta.assign(static_cast<std::size_t>(work_.cols()), 0.0);
        for (std::size_t k = 0; k < solved.support.features.size(); ++k) {
            const Index j = solved.support.features[k];
            beta[j] = solved.support.beta[k];
            squares -= beta[j] * (work_.columns.products[j] + products[j]);
        }
        squares = std::max(0.0, squares);
        const problem::DualPoint point = dual_point(solved.support, squares);
        problem::GapSum sum(question, work_.penalties, point);
        for (Index j = 0; j < work_.cols(); ++j)
            if (!work_.penalties.excluded[j] && !work_.penalties.is_free(j) && !is_open(j))
                sum.add(j, products[j], work_.columns.norms[j], beta[j]);
        solved.h = question.h;
        solved.l2 = question.l2;
        solved.weighted_l1 = sum.weighted_l1();
        solved.gap = sum.close(squares, work_.response.squares);
        solved.gap_source = GapSource::gram;
        if (solved.gap.relative > work_.options->tolerance) solved.status = Status::iteration_limit;
        problem::CertificationInput certification;
        certification.question = question;
        certification.point = point;
        certification.gap = solved.gap.absolute;
        certification.norms = work_.columns.norms;
        certification.products = products.data();
        const bool is_exact = outcome.ending == reduction::Ending::exact;
        if (is_exact && question.l2 == 0 &&
            active_.support_size() <= tuning::largest_inverted_support &&
            reduction::inverse_diagonal(active_.machine(), active_.state(), solved.support.features,
                                        solved.inverse_diagonal))
            certification.inverse_diagonal = solved.inverse_diagonal;
        certify_support(work_, certification, solved);
        if (solved.status == Status::optimal && is_exact && question.l2 == 0 &&
            has_other_solutions(solved.support, products))
            solved.status = Status::not_unique;
        solved.is_done = true;  // last: what a cancel leaves in the middle is no result
    }

    // X'r and ||r||^2 from the Gram matrix are differences of numbers up to `length`, squared in
    // the second: with huge coefficients that cancel each other they are rounding.
    problem::DualPoint dual_point(const problem::Support& support, double residual_squares) {
        const double length = length_of_terms(work_, support);
        const double spread = kernel_.spread();
        const double rounding = work_.rounding * spread * spread;
        problem::DualPoint point = residual_point(
            work_, support, std::sqrt(residual_squares + rounding * length * length), 0);
        point.noise = rounding * length;
        const auto product = [&](Index j) { return kernel_.all_correlations()[j]; };
        note_open(point.noise);
        if (open_.empty()) {
            allow_for_free_features(work_, product, point);
            return point;
        }
        std::vector<Index> features(work_.free.features().begin(), work_.free.features().end());
        features.insert(features.end(), open_.begin(), open_.end());
        allow_for_free_features(span_of(gram_, std::move(features)), product, point);
        return point;
    }

    // Unpenalised features with a limit on one side, whose products may lead to the other: a dual
    // point must be orthogonal to them as to the free ones, since nothing bounds them there.
    void note_open(double noise) {
        open_.clear();
        for (const Index j : limited_)
            for (const double side : {-1.0, 1.0})
                if (std::isinf(work_.penalties.limit(j, side)) &&
                    side * kernel_.all_correlations()[j] + noise * work_.columns.norms[j] > 0)
                    open_.push_back(j);
    }
    bool is_open(Index j) const { return std::find(open_.begin(), open_.end(), j) != open_.end(); }

    // What depends on the support and is at its bound can take the place of it; where there are
    // columns they say whether it depends exactly.
    bool has_other_solutions(const problem::Support& support, std::span<const double> products) {
        tied_.clear();
        const double h = active_.h();
        for (Index j = 0; j < work_.cols() && tied_.size() < tuning::most_tied; ++j) {
            if (work_.penalties.excluded[j]) continue;
            if (scratch_[j] != 0) continue;  // selected
            const double error =
                tuning::bound_rounding * work_.columns.norms[j] * std::sqrt(work_.response.squares);
            if (work_.penalties.violates(j, products[j], h, {-tuning::at_the_bound, -error}))
                tied_.push_back(j);
        }
        return std::any_of(tied_.begin(), tied_.end(), [&](Index j) {
            const std::vector<Index> carriers =
                reduction::carriers_of(active_.machine(), active_.state(), j);
            return !carriers.empty() &&
                   (!work_.design->has_rows() || admits_exchange(work_, support, j, carriers));
        });
    }

    Workspace& work_;
    const problem::ScaledGram& gram_;
    std::vector<Index> limited_;  // unpenalised features that have limits
    std::vector<Index> open_;     // those of them that the dual point is orthogonal to
    reduction::GramKernel kernel_;
    reduction::ActiveSet active_;
    std::vector<Index> all_;
    std::vector<Index> tied_;
    std::vector<double> scratch_;
    double h_last_ = 0;
};

}  // namespace

double largest_multiplier(Workspace& workspace, const problem::ScaledGram& gram) {
    const GramPath finds_it(workspace, gram, {}, {});
    return workspace.h_max;
}

std::vector<Solved> solve_by_gram(Workspace& workspace, const problem::ScaledGram& gram,
                                  std::span<const problem::Target> targets, const Report& report,
                                  Standing& standing) {
    std::vector<Solved> solved(targets.size());
    GramPath path(workspace, gram, targets, standing);
    double worst = 0;
    try {
        for (std::size_t k = 0; k < targets.size(); ++k) {
            workspace.execution.check();
            path.solve(targets[k], solved[k]);
            worst = std::max(worst, solved[k].gap.relative);
            report(static_cast<Index>(k) + 1, worst);
        }
        path.leave(solved.back(), standing);
    } catch (const linalg::Cancelled&) {
    }
    return solved;
}

}  // namespace sven::path
