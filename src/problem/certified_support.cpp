#include "problem/certified_support.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "linalg/kernels.hpp"
#include "problem/tuning.hpp"

namespace sven::problem {
namespace {

constexpr double below_bound = 1 - bound_rounding;

bool is_below(const ZeroBound& bound, double magnitude, double norm, double f) {
    return magnitude + bound.norm_error * norm < bound.h * f;
}

}  // namespace

// ||u - r*|| <= ||u - r|| + ||r - r*||, and the second is at most the root of the gap.
ZeroBound zero_bound(const CertificationInput& input, const Support& support,
                     const Penalties& penalties) {
    const Question& question = input.question;
    const double radius = std::sqrt(input.gap);
    const double error =
        input.product_radius * radius + input.point.distance + input.point.noise + input.drift;
    ZeroBound bound{error, question.h * (below_bound - input.point.scale_error)};
    if (!question.is_budget) return bound;
    // Of the multiplier of a budget only this lower bound is known (eq. 49).
    double h = 0;
    for (std::size_t k = 0; k < support.features.size(); ++k) {
        const Index j = support.features[k];
        const double f = penalties.l1_factor(j);
        const double ridge = question.l2 * penalties.l2_factor(j);
        if (!(f > 0)) continue;
        const double g = input.products[j * input.stride] - ridge * support.beta[k];
        // at its limit a feature may exceed the multiplier: only one that is inside for certain
        const double limit = penalties.limit(j, g);
        if (std::isfinite(limit) &&
            !(ridge > 0 && std::abs(support.beta[k]) + radius / std::sqrt(ridge) < limit))
            continue;
        const double uncertain = error * input.norms[j] + radius * std::sqrt(ridge);
        h = std::max(h, (penalties.magnitude(j, g) - uncertain) / f);
    }
    bound.h = h * (below_bound - input.point.scale_error);
    return bound;
}

ZeroCount::ZeroCount(const std::array<ZeroBound, 8>& bounds, const double* products,
                     std::span<const double> norms, const Penalties& penalties)
    : bounds_(bounds),
      products_(products),
      norms_(norms),
      penalties_(penalties),
      is_plain_(penalties.factors.empty() && !penalties.has_limits()) {
    for (std::size_t i = 0; i < 8; ++i) {
        slope_[i] = bounds[i].norm_error;
        limit_[i] = bounds[i].h;
    }
}

bool ZeroCount::are_all_below(std::size_t i, double steepest, double largest_norm) const {
    return is_plain_ && is_below(bounds_[i], steepest, largest_norm, 1);
}

void ZeroCount::add(Index begin, Index end, std::array<Index, 8>& counts) const {
    if (is_plain_)
        linalg::kernels().count_below(products_ + 8 * begin, norms_.data() + begin, end - begin,
                                      slope_.data(), limit_.data(), counts.data());
    for (Index j = begin; j < end; ++j) {
        if (is_plain_ && penalties_.excluded[j] == 0) continue;
        const double f = penalties_.l1_factor(j);
        for (std::size_t i = 0; i < 8; ++i) {
            const double size = penalties_.magnitude(j, products_[8 * j + static_cast<Index>(i)]);
            const bool below = is_below(bounds_[i], size, norms_[j], f);
            // an excluded feature is zero, whether it was counted or not
            counts[i] += is_plain_ ? !below : below || penalties_.excluded[j] != 0;
        }
    }
}

SupportCertificate certify_support(const CertificationInput& input, const Support& support,
                                   const Penalties& penalties, std::span<Proof> proofs) {
    const auto p = static_cast<Index>(input.norms.size());
    const double l2 = input.question.l2;
    const ZeroBound zero = zero_bound(input, support, penalties);
    const double radius = std::sqrt(input.gap);
    // As if every coefficient were zero; the others are subtracted below.
    const auto is_zero = [&](Index j) {
        const double f = penalties.l1_factor(j);
        const double magnitude = penalties.magnitude(j, input.products[j * input.stride]);
        return penalties.excluded[j] != 0 || is_below(zero, magnitude, input.norms[j], f);
    };
    SupportCertificate certificate;
    certificate.proven_zero = input.below;
    if (input.below < 0) {
        certificate.proven_zero = 0;
        for (Index j = 0; j < p; ++j) certificate.proven_zero += is_zero(j);
    }
    for (std::size_t j = 0; j < proofs.size(); ++j) {
        proofs[j] = is_zero(static_cast<Index>(j)) ? Proof::zero : Proof::undecided;
        if (penalties.excluded[j] == left_out) proofs[j] = Proof::left_out;
    }
    Index selected = 0;
    for (std::size_t k = 0; k < support.features.size(); ++k) {
        if (support.beta[k] == 0) continue;
        ++selected;
        certificate.proven_zero -= is_zero(support.features[k]);
    }
    const bool is_exact_set =
        certificate.proven_zero + selected == p && !input.inverse_diagonal.empty();
    certificate.left_out = penalties.left_out_count;
    certificate.proven_zero -= certificate.left_out;
    for (std::size_t k = 0; k < support.features.size(); ++k) {
        if (support.beta[k] == 0) continue;
        const double ridge = l2 * penalties.l2_factor(support.features[k]);
        double bound =
            ridge > 0 ? radius / std::sqrt(ridge) : std::numeric_limits<double>::infinity();
        if (is_exact_set)
            bound = std::min(bound, inverse_excess * radius * std::sqrt(input.inverse_diagonal[k]));
        const bool is_proven = std::abs(support.beta[k]) > bound;
        certificate.proven_selected += is_proven;
        if (!proofs.empty())
            proofs[support.features[k]] = is_proven ? Proof::selected : Proof::undecided;
    }
    certificate.undecided =
        p - certificate.proven_selected - certificate.proven_zero - certificate.left_out;
    return certificate;
}

}  // namespace sven::problem
