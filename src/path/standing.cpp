#include "path/standing.hpp"

#include <algorithm>
#include <cmath>

#include "path/tuning.hpp"

namespace sven::path {

bool begins_at(const Standing& standing, std::span<const problem::Target> targets,
               const Workspace& work) {
    if (standing.share < 0 || !(work.h_max > 0) || targets.empty()) return false;
    const problem::Target& first = targets.front();
    // The multiplier of a budget is unknown; one of about the same size has one of about the same.
    if (first.is_budget())
        return first.t() >= standing.weighted_l1 / 2 && first.t() <= 2 * standing.weighted_l1;
    const auto depth = [](double share) {
        return -std::log(std::max(share, tuning::lowest_share));
    };
    const double goal = depth(first.h() / work.h_max);
    return std::abs(goal - depth(standing.multiplier(work) / work.h_max)) < goal;
}

problem::Support support_of(const Standing& standing, const Workspace& work) {
    problem::Support support;
    for (std::size_t k = 0; k < standing.support.features.size(); ++k) {
        if (work.penalties.excluded[standing.support.features[k]]) continue;
        support.features.push_back(standing.support.features[k]);
        support.signs.push_back(standing.support.signs[k]);
        support.beta.push_back(standing.support.beta[k]);
    }
    return support;
}

void note_end(const problem::Support& support, double h, double l2, const Workspace& work,
              Standing& standing) {
    standing.support = support;
    standing.share = work.h_max > 0 ? h / work.h_max : -1;
    standing.l2 = l2;
    standing.weighted_l1 = 0;
    for (std::size_t k = 0; k < support.features.size(); ++k)
        standing.weighted_l1 += work.factor(support.features[k]) * std::abs(support.beta[k]);
}

}  // namespace sven::path
