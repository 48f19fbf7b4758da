#include "problem/certificate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "problem/tuning.hpp"

namespace sven::problem {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

void GapSum::add(Index feature, double product, double norm, double beta) {
    const double f = penalties_.factor(feature);
    const double error =
        point_.noise * norm + (penalty_rounding + point_.scale_error) * question_.h * f;
    const double gradient = product - question_.l2 * f * beta;
    const double size = penalties_.magnitude(gradient) + error;
    if (beta == 0 && size <= question_.h * f) return;
    use_ += f * std::abs(beta);
    ridge_ += f * beta * beta;
    if (f > 0) steepest_ = std::max(steepest_, size / f);
    terms_.push_back({product, error, beta, f});
}

double GapSum::penalty() const {
    return 2 * question_.h * use_ + question_.l2 * ridge_;
}

// l2 f b^2 + 2 h f |b| - 2 c b + sup_b (2 c b - l2 f b^2 - 2 h f |b|), without cancellation
// (maths.md, eq. 39).
double GapSum::loss_at(const Term& term, double product) const {
    const double bound = question_.h * term.f;
    const double curvature = question_.l2 * term.f;
    const double magnitude = penalties_.magnitude(product);
    const double size = std::abs(term.beta);
    const double along = term.beta < 0 ? -product : product;  // sign(b) c
    const double excess = along - bound;
    if (curvature == 0) return magnitude > bound ? infinity : -2 * size * excess;
    if (size == 0) {
        const double over = std::max(0.0, magnitude - bound);
        return over * over / curvature;
    }
    if (excess >= 0) {
        const double miss = curvature * size - excess;
        return miss * miss / curvature;
    }
    // the product is opposed to the coefficient
    const double against = penalties_.nonnegative ? 0 : std::max(0.0, -along - bound);
    return curvature * size * size - 2 * size * excess + against * against / curvature;
}

double GapSum::loss(const Term& term, double kappa) const {
    return std::max(loss_at(term, kappa * (term.product - term.error)),
                    loss_at(term, kappa * (term.product + term.error)));
}

double GapSum::gap_at(double kappa) const {
    const double distance = point_.distance + (1 - kappa) * point_.length;
    double gap = distance * distance;
    for (const Term& term : terms_) gap += loss(term, kappa);
    if (question_.is_budget) gap += 2 * question_.h * std::max(0.0, question_.t - use_);
    return gap * (1 + sum_rounding) + 2 * (penalty_rounding + point_.scale_error) * penalty();
}

// Three dual points: u itself, the best if every feature has a ridge; u scaled down until every
// product satisfies its bound, the only choice without a ridge (eq. 40); and u = 0, whose gap is
// the objective.
Gap GapSum::close(double residual_squares, double response_squares) const {
    Gap gap;
    const double quadratic = residual_squares + question_.l2 * ridge_;
    gap.objective = question_.is_budget ? quadratic : quadratic + 2 * question_.h * use_;
    const double everything = point_.length + point_.distance;
    gap.absolute = (everything * everything + question_.l2 * ridge_ +
                    (question_.is_budget ? 0 : 2 * question_.h * use_)) *
                   (1 + sum_rounding);
    gap.absolute = std::min(gap.absolute, gap_at(1));
    if (steepest_ > question_.h)
        gap.absolute =
            std::min(gap.absolute, gap_at(question_.h / steepest_ * (1 - shrink_excess)));
    if (!(gap.absolute >= 0)) gap.absolute = infinity;  // something was not a number
    gap.relative = gap.absolute == 0 ? 0 : gap.absolute / response_squares;
    return gap;
}

}  // namespace sven::problem
