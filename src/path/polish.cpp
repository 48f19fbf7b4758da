#include "path/polish.hpp"

#include <cmath>
#include <optional>
#include <vector>

#include "path/column_span.hpp"
#include "path/data_certificate.hpp"
#include "path/tuning.hpp"

namespace sven::path {
namespace {

// What is solved for again: features with their signs, and those that are held at their limits.
struct Polished {
    std::vector<Index> features;
    std::vector<double> signs;
    problem::Support held;
};

void hold(const Workspace& work, Index j, double beta, Polished& parts) {
    parts.held.features.push_back(j);
    parts.held.signs.push_back(beta < 0 ? -1 : 1);
    parts.held.beta.push_back(std::copysign(work.penalties.limit(j, beta), beta));
}

Polished parts_of(const Workspace& work, bool has_l1, const problem::Support& support) {
    Polished parts;
    const std::vector<double> beta = expand(work, support);
    for (Index j = 0; j < work.cols(); ++j) {
        const bool is_selected = beta[j] != 0;
        const bool is_free = work.penalties.is_free(j);
        // without an l1 penalty every feature is wanted that has no limit
        const bool is_wanted = is_selected || is_free || (!has_l1 && !work.penalties.is_limited(j));
        if (work.penalties.excluded[j] || !is_wanted) continue;
        if (is_selected && work.penalties.is_at_limit(j, beta[j])) {
            hold(work, j, beta[j], parts);
            continue;
        }
        parts.features.push_back(j);
        parts.signs.push_back(is_selected && !is_free ? (beta[j] < 0 ? -1.0 : 1.0) : 0.0);
    }
    return parts;
}

// The minimum on the parts; none where the columns are too many.
std::optional<ColumnSpan::Fit> solve_parts(const Workspace& work, const problem::Target& target,
                                           const Polished& parts, problem::Support& support) {
    ColumnSpan span(work, target.l2(), static_cast<Index>(parts.features.size()));
    span.hold(parts.held);
    std::vector<double> slopes;
    support.clear();
    for (std::size_t k = 0; k < parts.features.size(); ++k) {
        if (!span.is_affordable()) return std::nullopt;
        if (!span.add(parts.features[k])) continue;
        support.features.push_back(parts.features[k]);
        support.signs.push_back(parts.signs[k]);
        slopes.push_back(work.factor(parts.features[k]) * parts.signs[k]);
    }
    if (!target.is_budget()) return span.minimise(target.h(), slopes);
    return span.minimise_within(target.t() - budget_used(work, parts.held), slopes);
}

}  // namespace

bool polish(Workspace& work, const problem::Target& target, Solved& solved) {
    const problem::Penalties& penalties = work.penalties;
    Polished parts = parts_of(work, target.is_budget() || target.h() > 0, solved.support);
    for (int round = 0; round < tuning::sharpening_rounds; ++round) {
        problem::Support support;
        const auto fit = solve_parts(work, target, parts, support);
        if (!fit) return false;
        support.beta = fit->beta;
        parts.features.clear();
        parts.signs.clear();
        for (std::size_t k = 0; k < support.features.size(); ++k) {
            const Index j = support.features[k];
            const double sign = support.signs[k];
            const bool holds = sign * support.beta[k] > 0 || sign == 0 ||
                               (fit->h == 0 && penalties.admits(j, -sign));
            if (holds && penalties.is_at_limit(j, support.beta[k])) {
                hold(work, j, support.beta[k], parts);
            } else if (holds) {
                parts.features.push_back(j);
                parts.signs.push_back(sign);
            }
        }
        if (parts.features.size() < support.features.size()) continue;
        for (std::size_t k = 0; k < parts.held.features.size(); ++k) {
            support.features.push_back(parts.held.features[k]);
            support.signs.push_back(parts.held.signs[k]);
            support.beta.push_back(parts.held.beta[k]);
        }
        if (target.is_budget() &&
            budget_used(work, support) > target.t() * (1 + tuning::budget_rounding))
            return false;
        solved.support = support;
        solved.h = fit->h;
        return true;
    }
    return false;
}

}  // namespace sven::path
