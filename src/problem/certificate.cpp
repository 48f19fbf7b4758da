#include "problem/certificate.hpp"

namespace sven::problem {

void GapSums::add(const GapInput& input, double product, double beta, double f, bool nonnegative) {
    const double gradient = product - input.l2 * f * beta;
    if (f == 0) {
        free_product += std::abs(product * beta);
        return;
    }
    const double magnitude = nonnegative ? std::max(0.0, gradient) : std::abs(gradient);
    steepest = std::max(steepest, magnitude / f);
    gain += gradient * beta;
    use += f * std::abs(beta);
    ridge += f * beta * beta;
    slackness += input.h * f * std::abs(beta) - gradient * beta;
    if (input.l2 == 0) return;
    // l2 f b^2 + 2 h f |b| - 2 c b + (|c| - h f)_+^2 / (l2 f), written without cancellation
    const double along = beta > 0 ? product : -product;  // s c
    const double excess = along - input.h * f;
    if (excess >= 0) {
        const double miss = input.l2 * f * std::abs(beta) - excess;
        fenchel += miss * miss / (input.l2 * f);
    } else {
        const double against = nonnegative ? 0 : std::max(0.0, -along - input.h * f);
        fenchel += input.l2 * f * beta * beta - 2 * std::abs(beta) * excess +
                   against * against / (input.l2 * f);
    }
}

Gap close(const GapInput& input, const GapSums& sums) {
    Gap gap;
    const double quadratic = input.residual_squares + input.l2 * sums.ridge;
    const double rounding_terms = 2 * sums.free_product;
    if (input.is_budget) {
        gap.objective = quadratic;
        // t max |g|/f - g'beta with sum f |beta| <= t
        gap.absolute = 2 * (input.t * sums.steepest - sums.gain) + rounding_terms;
    } else {
        gap.objective = quadratic + 2 * input.h * sums.use;
        // The augmented residual, shrunk until every |g_j| <= h f_j. With kappa the shrinkage and
        // Q its squared norm, y'r = Q + g'beta.
        const double kappa =
            sums.steepest > input.h ? (sums.steepest > 0 ? input.h / sums.steepest : 1) : 1;
        const double y_r = quadratic + sums.gain;
        const double scaled =
            2 * sums.slackness + (1 - kappa) * (2 * y_r - (1 + kappa) * quadratic) + rounding_terms;
        gap.absolute = scaled;
        if (input.l2 > 0)
            gap.absolute = std::min(scaled, sums.hinge + sums.fenchel + rounding_terms);
    }
    gap.absolute = std::max(0.0, gap.absolute);
    if (sums.is_unbounded) gap.absolute = std::numeric_limits<double>::infinity();
    gap.relative = input.response_squares > 0 ? gap.absolute / input.response_squares : 0;
    return gap;
}

}  // namespace sven::problem
