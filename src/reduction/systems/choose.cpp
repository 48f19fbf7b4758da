#include "reduction/systems/choose.hpp"

#include <algorithm>

#include "reduction/tuning.hpp"

namespace sven::reduction {
namespace {

bool prefers_device(const Situation& s) {
    // small steps, once expected without a ridge, are so for the whole path: not for a device
    if (!s.has_device || (s.needs_factor && s.l2 > 0)) return false;
    const bool has_columns = s.rows > 0;
    const Index least = !(s.l2 > 0)   ? tuning::device_support_without_ridge
                        : has_columns ? tuning::device_support
                                      : tuning::device_support_of_gram;
    return s.features >= std::max(least, s.device_from) && (!has_columns || s.rows >= least);
}

bool prefers_rows(const Situation& s, const SystemCosts& costs) {
    if (s.features <= s.rows || s.rows == 0) return false;
    const auto m = static_cast<double>(s.features);
    const double by_features =
        s.features < tuning::large_support
            ? m * m * m / 3
            : std::min(costs.stale,
                       static_cast<double>(tuning::expected_iterations) * costs.iteration);
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
    if (s.features < tuning::large_support) return SystemKind::appended;
    const bool fits = s.features <= tuning::largest_stale_factor;
    if (fits && (s.diagonal_failed || costs.diagonal_limit < tuning::expected_iterations))
        return s.supports < tuning::most_supports ? SystemKind::stale : SystemKind::appended;
    return SystemKind::diagonal;
}

SystemCosts model_costs(const Situation& s) {
    const auto m = static_cast<double>(s.features);
    const auto n = static_cast<double>(s.rows);
    SystemCosts costs;
    costs.factor = m * m * m / 3 + tuning::factor_entry * m * m;
    costs.row_factor = n * n * n + tuning::streamed * n * m;
    costs.stale = m * m * m / (3 * tuning::settings_a_stale_factor) +
                  tuning::stale_products * tuning::streamed * m * m;
    costs.iteration = tuning::scattered * s.product_cost;
    costs.device = tuning::device_start + m * m * m / 3 / tuning::device_speed;
    costs.diagonal_limit = static_cast<Index>(costs.stale / std::max(costs.iteration, 1.0));
    return costs;
}

double cost_of(SystemKind kind, const SystemCosts& costs) {
    switch (kind) {
        case SystemKind::appended:
        case SystemKind::orthogonal:
            return costs.factor;
        case SystemKind::rows:
            return costs.row_factor / tuning::supports_a_setting;
        case SystemKind::device:
            return costs.device;
        case SystemKind::stale:
            return costs.stale / tuning::solves_a_stale_setting;
        case SystemKind::diagonal:
            break;
    }
    return tuning::iterations_a_solve * costs.iteration;
}

}  // namespace sven::reduction
