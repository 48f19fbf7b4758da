#include "problem/certified_support.hpp"

#include <vector>

namespace sven::problem {
namespace {

// The gap is a sum of products with rounding errors of some units of 1e-16 ||x_j|| ||y|| each.
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
                                   const reduction::Penalties& penalties) {
    const auto p = static_cast<Index>(input.norms.size());
    const double l2 = input.gap_input.l2;
    const double radius = std::sqrt(safe_gap(input, support));
    std::vector<double> beta(static_cast<std::size_t>(p), 0.0);
    for (std::size_t k = 0; k < support.features.size(); ++k)
        beta[support.features[k]] = support.beta[k];

    const auto error = [&](Index j) {
        const double f = penalties.factor(j);
        return radius * std::sqrt(input.norms[j] * input.norms[j] + l2 * f) +
               input.drift * input.norms[j];
    };
    const auto magnitude = [&](Index j) {
        const double g = input.products[j * input.stride] - l2 * penalties.factor(j) * beta[j];
        return penalties.nonnegative ? std::max(0.0, g) : std::abs(g);
    };
    // The multiplier of a budget is only known to lie above this.
    double h = input.gap_input.h;
    if (input.gap_input.is_budget) {
        h = 0;
        for (const Index j : support.features) {
            const double f = penalties.factor(j);
            if (f > 0) h = std::max(h, (magnitude(j) - error(j)) / f);
        }
    }
    SupportCertificate certificate;
    Index open = 0;  // zero coefficients that are not proven to be
    for (Index j = 0; j < p; ++j) {
        const double f = penalties.factor(j);
        if (penalties.excluded[j] || (beta[j] == 0 && f > 0 && magnitude(j) + error(j) < h * f))
            ++certificate.proven_zero;
        else
            open += beta[j] == 0;
    }
    const bool is_exact_set = open == 0 && !input.inverse_diagonal.empty();
    for (std::size_t k = 0; k < support.features.size(); ++k) {
        if (support.beta[k] == 0) continue;
        const double f = penalties.factor(support.features[k]);
        double bound =
            l2 > 0 && f > 0 ? radius / std::sqrt(l2 * f) : std::numeric_limits<double>::infinity();
        if (is_exact_set)
            bound = std::min(bound, 1.01 * radius * std::sqrt(input.inverse_diagonal[k]));
        certificate.proven_selected += std::abs(support.beta[k]) > bound;
    }
    certificate.undecided = p - certificate.proven_selected - certificate.proven_zero;
    return certificate;
}

}  // namespace sven::problem
