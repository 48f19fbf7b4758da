#include "problem/certificate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "problem/tuning.hpp"

namespace sven::problem {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// What a budget adds to the gap of its penalty form: the part that is not used.
double unused(const Question& question, double weighted_l1) {
    return question.is_budget ? 2 * question.h * std::max(0.0, question.t - weighted_l1) : 0;
}

}  // namespace

void GapSum::begin(const Question& question, const DualPoint& point) {
    question_ = question;
    question_.h = std::max(0.0, question.h);
    point_ = point;
    terms_.clear();
    steepest_ = steepest_unlimited_ = weighted_l1_ = ridge_ = 0;
}

void GapSum::add(Index feature, double product, double norm, double beta) {
    const double f = penalties_.l1_factor(feature);
    const double ridge = penalties_.l2_factor(feature);
    const double error = point_.noise * norm + penalty_error() * question_.h * f;
    const double gradient = product - question_.l2 * ridge * beta;
    const double size = penalties_.magnitude(feature, gradient) + error;
    if (beta == 0 && size <= question_.h * f) return;
    weighted_l1_ += f * std::abs(beta);
    ridge_ += ridge * beta * beta;
    const double limit = penalties_.limit(feature, gradient);
    const bool is_at_limit = beta * gradient > 0 && std::abs(beta) >= limit * (1 - near_limit);
    if (f > 0 && !is_at_limit) steepest_ = std::max(steepest_, size / f);
    if (f > 0 && !std::isfinite(limit))
        steepest_unlimited_ = std::max(steepest_unlimited_, size / f);
    terms_.push_back({feature, product, error, beta});
}

double GapSum::penalty() const {
    return 2 * question_.h * weighted_l1_ + question_.l2 * ridge_;
}

// The loss is convex in the product (maths.md, eq. 43).
double GapSum::loss(const Term& term, double kappa) const {
    const Strength strength{question_.h, question_.l2, penalty_error()};
    const auto at = [&](double product) {
        return penalties_.dual_term(term.feature, term.beta, kappa * product, strength);
    };
    return std::max(at(term.product - term.error), at(term.product + term.error));
}

double GapSum::gap_at(double kappa) const {
    const double distance = point_.distance + (1 - kappa) * point_.length;
    return gap_at(kappa, distance * distance);
}

double GapSum::gap_at(double kappa, double data) const {
    double gap = data + unused(question_, weighted_l1_);
    for (const Term& term : terms_) gap += loss(term, kappa);
    return gap * (1 + sum_rounding) + 2 * penalty_error() * penalty();
}

// Dual points: u itself, the best if every feature has a ridge; u scaled down until every product
// satisfies its bound, but for coefficients at their limits, the only choice without a ridge
// (eq. 44); the same for the features alone that have no limit; and u = 0, whose gap is the
// objective.
Gap GapSum::close(double residual_squares, double response_squares) const {
    Gap gap;
    const double quadratic = residual_squares + question_.l2 * ridge_;
    gap.objective = question_.is_budget ? quadratic : quadratic + 2 * question_.h * weighted_l1_;
    gap.deviance = residual_squares;
    const double everything = point_.length + point_.distance;
    gap.absolute = (everything * everything + question_.l2 * ridge_ +
                    (question_.is_budget ? 0 : 2 * question_.h * weighted_l1_)) *
                   (1 + sum_rounding);
    gap.absolute = std::min(gap.absolute, gap_at(1));
    if (steepest_ > question_.h) gap.absolute = std::min(gap.absolute, gap_at(share(steepest_)));
    if (steepest_unlimited_ > question_.h && steepest_unlimited_ != steepest_)
        gap.absolute = std::min(gap.absolute, gap_at(share(steepest_unlimited_)));
    if (!(gap.absolute >= 0)) gap.absolute = infinity;  // something was not a number
    gap.relative = gap.absolute == 0 ? 0 : gap.absolute / response_squares;
    return gap;
}

// The dual point has entries for the ridge too, kappa times those of the primal point, and the
// bounds are those of the gradient without it (maths.md, eq. 70): nothing is divided by a small
// ridge.
double GapSum::gap_with_ridge_at(double kappa, double data) const {
    double gap = data + unused(question_, weighted_l1_);
    const Strength strength{question_.h, 0, penalty_error()};
    for (const Term& term : terms_) {
        const double ridge = question_.l2 * penalties_.l2_factor(term.feature);
        const double off = (1 - kappa) * term.beta;
        const auto at = [&](double product) {
            return penalties_.dual_term(term.feature, term.beta,
                                        kappa * (product - ridge * term.beta), strength);
        };
        gap += std::max(at(term.product - term.error), at(term.product + term.error)) +
               ridge * off * off;
    }
    return gap * (1 + sum_rounding) + 2 * penalty_error() * penalty();
}

double GapSum::share(double steepest) const {
    return steepest > question_.h ? question_.h / steepest * (1 - shrink_excess) : 1;
}

double GapSum::features_alone() const {
    double least = gap_at(1, 0);
    for (const double steepest : {steepest_, steepest_unlimited_}) {
        const double kappa = share(steepest);
        least = std::min({least, gap_at(kappa, 0), gap_with_ridge_at(kappa, 0)});
    }
    return least;
}

// The dual points of the squared loss, and those that have the ridge among the data. What the data
// add is asked for only where it decides.
Gap GapSum::close(const Fit& fit) const {
    Gap gap;
    gap.objective = fit.deviance + (question_.is_budget ? question_.l2 * ridge_ : penalty());
    gap.deviance = fit.deviance;
    gap.absolute = gap.objective * (1 + sum_rounding);
    double last = -1;
    for (const double kappa : {share(steepest_), share(steepest_unlimited_), 1.0}) {
        if (std::exchange(last, kappa) == kappa) continue;
        const double alone = std::min(gap_at(kappa, 0), gap_with_ridge_at(kappa, 0));
        if (!(alone < gap.absolute)) continue;
        const double data = fit.divergence(kappa);
        gap.absolute =
            std::min({gap.absolute, gap_at(kappa, data), gap_with_ridge_at(kappa, data)});
    }
    if (!(gap.absolute >= 0)) gap.absolute = infinity;  // something was not a number
    gap.relative = gap.absolute == 0 ? 0 : gap.absolute / fit.null_deviance;
    return gap;
}

}  // namespace sven::problem
