#include "cli/proofs.hpp"

#include <algorithm>

namespace sven::cli {

std::vector<Index> undecided(const Solution& solution) {
    std::vector<Index> features;
    for (std::size_t j = 0; j < solution.proofs.size(); ++j)
        if (solution.proofs[j] == Proof::undecided) features.push_back(static_cast<Index>(j));
    return features;
}

std::vector<Index> undecided_zeros(const Solution& solution) {
    constexpr std::size_t most = 1000;
    std::vector<Index> features = undecided(solution);
    std::erase_if(features, [&](Index j) {
        const auto at = std::lower_bound(
            solution.coefficients.begin(), solution.coefficients.end(), j,
            [](const Coefficient& coefficient, Index k) { return coefficient.feature < k; });
        return at != solution.coefficients.end() && at->feature == j;
    });
    features.resize(std::min(features.size(), most));
    return features;
}

}  // namespace sven::cli
