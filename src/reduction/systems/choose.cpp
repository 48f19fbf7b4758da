#include "reduction/systems/choose.hpp"

#include <algorithm>

namespace sven::reduction {
namespace {

// Below this a factor in double precision costs less than a dozen iterations.
constexpr Index large_support = 256;
// Iterations by the diagonal that a setting takes at least.
constexpr Index expected_iterations = 350;
// Supports at one l2 after which a factor that follows them in small steps has paid for itself.
constexpr Index most_supports = 20;

// From this size on a device, transfers and all, takes less time than the threads (docs/gpu.md);
// without a ridge they have a factor that is only appended to.
constexpr Index device_support = 256;
constexpr Index device_support_without_ridge = 1024;

// Operations of a product over scattered entries, or of one bound by memory, against those of a
// matrix product.
constexpr double scattered = 150;
constexpr double streamed = 24;

bool prefers_device(const Situation& s) {
    // small steps, once expected without a ridge, are so for the whole path: not for a device
    if (!s.has_device || (s.needs_factor && s.l2 > 0)) return false;
    const Index least = s.l2 > 0 ? device_support : device_support_without_ridge;
    return s.features >= least && (s.rows == 0 || s.rows >= least);
}

bool prefers_rows(const Situation& s, const SystemCosts& costs) {
    if (s.features <= s.rows || s.rows == 0) return false;
    const auto m = static_cast<double>(s.features);
    const double by_features =
        s.features < large_support
            ? m * m * m / 3
            : std::min(costs.stale, static_cast<double>(expected_iterations) * costs.iteration);
    return costs.row_factor < by_features;
}

}  // namespace

SystemKind choose(const Situation& s) {
    if (s.is_coarse) return SystemKind::orthogonal;
    if (prefers_device(s)) return SystemKind::device;
    // A factor for this l2 that is at hand is appended to: nothing on the host beats that. Without
    // a ridge of its own a feature may depend on others, which only a factor can tell.
    if (s.needs_factor || s.has_factor || !s.has_ridge_everywhere) return SystemKind::appended;
    const SystemCosts costs = model_costs(s);
    if (prefers_rows(s, costs)) return SystemKind::rows;
    if (s.features < large_support) return SystemKind::appended;
    const bool fits = s.features <= largest_stale_factor;
    if (fits && (s.diagonal_failed || costs.diagonal_limit < expected_iterations))
        return s.supports < most_supports ? SystemKind::stale : SystemKind::appended;
    return SystemKind::diagonal;
}

SystemCosts model_costs(const Situation& s) {
    const auto m = static_cast<double>(s.features);
    const auto n = static_cast<double>(s.rows);
    SystemCosts costs;
    costs.factor = m * m * m / 3 + 4 * m * m;
    costs.row_factor = n * n * n + 24 * n * m;
    costs.stale = m * m * m / 9 + 10 * streamed * m * m;
    costs.iteration = scattered * s.product_cost;
    costs.device = 1e7 + m * m * m / 300;
    costs.diagonal_limit = static_cast<Index>(costs.stale / std::max(costs.iteration, 1.0));
    return costs;
}

double cost_of(SystemKind kind, const SystemCosts& costs) {
    switch (kind) {
        case SystemKind::appended:
        case SystemKind::orthogonal:
            return costs.factor;
        case SystemKind::rows:
            return costs.row_factor / 3;
        case SystemKind::device:
            return costs.device;
        case SystemKind::stale:
            return costs.stale / 2;
        case SystemKind::diagonal:
            break;
    }
    return 100 * costs.iteration;
}

}  // namespace sven::reduction
