#include "problem/certified_support.hpp"

namespace sven::problem {
namespace {

// The gap is a sum of products with rounding errors of some units of 1e-16 ||x_j|| ||y|| each
// (maths.md, eq. 49).
double safe_gap(const CertificationInput& input, const reduction::Support& support) {
    double reach = 0;  // sum ||x_j|| |beta_j|
    for (std::size_t k = 0; k < support.features.size(); ++k)
        reach += input.norms[support.features[k]] * std::abs(support.beta[k]);
    const double y_norm = std::sqrt(input.gap_input.response_squares);
    return input.gap + 1e-14 * y_norm * (y_norm + reach);
}

}  // namespace

SupportCertificate certify_support(const CertificationInput& input,
                                   const reduction::Support& support,
                                   const reduction::Penalties& penalties,
                                   std::span<Verdict> verdicts) {
    const auto p = static_cast<Index>(input.norms.size());
    const double l2 = input.gap_input.l2;
    const double radius = std::sqrt(safe_gap(input, support));
    // radius N_j + drift ||x_j||, with N_j <= ||x_j|| + sqrt(l2 f_j)
    const auto error = [&](Index j, double f) {
        return (radius + input.drift) * input.norms[j] + radius * std::sqrt(l2 * f);
    };
    const auto magnitude = [&](double g) {
        return penalties.nonnegative ? std::max(0.0, g) : std::abs(g);
    };
    // The multiplier of a budget is only known to lie above this.
    double h = input.gap_input.h;
    if (input.gap_input.is_budget) {
        h = 0;
        for (std::size_t k = 0; k < support.features.size(); ++k) {
            const Index j = support.features[k];
            const double f = penalties.factor(j);
            const double g = input.products[j * input.stride] - l2 * f * support.beta[k];
            if (f > 0) h = std::max(h, (magnitude(g) - error(j, f)) / f);
        }
    }
    // As if every coefficient were zero; those that are not are taken out again.
    const auto is_below = [&](Index j) {
        const double f = penalties.factor(j);
        return penalties.excluded[j] != 0 ||
               magnitude(input.products[j * input.stride]) + error(j, f) < h * f;
    };
    SupportCertificate certificate;
    for (Index j = 0; j < p; ++j) certificate.proven_zero += is_below(j);
    for (std::size_t j = 0; j < verdicts.size(); ++j)
        verdicts[j] = is_below(static_cast<Index>(j)) ? Verdict::zero : Verdict::undecided;
    Index selected = 0;
    for (std::size_t k = 0; k < support.features.size(); ++k) {
        if (support.beta[k] == 0) continue;
        ++selected;
        certificate.proven_zero -= is_below(support.features[k]);
    }
    const bool is_exact_set =
        certificate.proven_zero + selected == p && !input.inverse_diagonal.empty();
    for (std::size_t k = 0; k < support.features.size(); ++k) {
        if (support.beta[k] == 0) continue;
        const double f = penalties.factor(support.features[k]);
        double bound =
            l2 > 0 && f > 0 ? radius / std::sqrt(l2 * f) : std::numeric_limits<double>::infinity();
        if (is_exact_set)
            bound = std::min(bound, 1.01 * radius * std::sqrt(input.inverse_diagonal[k]));
        const bool is_proven = std::abs(support.beta[k]) > bound;
        certificate.proven_selected += is_proven;
        if (!verdicts.empty())
            verdicts[support.features[k]] = is_proven ? Verdict::selected : Verdict::undecided;
    }
    certificate.undecided = p - certificate.proven_selected - certificate.proven_zero;
    return certificate;
}

}  // namespace sven::problem
