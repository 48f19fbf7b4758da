#include "linalg/device_costs.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/tuning.hpp"

namespace sven::linalg {
namespace {

// The host's pass over X: entries in single precision or fewer bits take as long.
double pass_seconds(const Extent& X) {
    return X.entries * (X.is_sparse ? 12 : 8) / host_bytes;
}

struct Settings {
    double host;
    double device;
};

DeviceCosts over_gram(const Extent& X, const Settings& settings) {
    const double p = X.cols;
    const double cube = p * p * p;
    const double operations = X.is_sparse ? X.entries * X.entries / X.rows : X.rows * p * p;
    // the device multiplies one block of rows while the next is sent
    return {pass_seconds(X) + operations / host_gram_rate +
                settings.host * (host_gram_column * p + host_gram_cube * cube),
            std::max(X.bytes / sent_bytes, operations / device_gram_rate) +
                settings.device *
                    (device_gram_setting + device_gram_column * p + device_gram_cube * cube)};
}

DeviceCosts over_columns(const Extent& X, const Settings& settings, double passes) {
    const double m = std::min(X.rows, X.cols);
    const double systems =
        X.is_sparse ? host_sparse * m * std::sqrt(X.entries) : host_cube * m * m * m;
    return {passes * pass_seconds(X) + settings.host * (host_setting + systems),
            X.bytes / sent_bytes +
                settings.device * (device_setting + device_support * m + device_column * X.cols)};
}

}  // namespace

DeviceCosts model_costs(const Extent& X, const Workload& work, bool has_started) {
    const double steps = work.settings * (work.is_gaussian ? 1 : outcome_steps);
    const double host_paths = 1 + host_further_path * (work.paths - 1);
    const double device_paths = 1 + device_further_path * (work.paths - 1);
    const Settings settings{steps * host_paths, steps * device_paths};
    const double passes = (fixed_passes + setting_passes * std::sqrt(steps)) * host_paths;
    DeviceCosts costs =
        work.is_of_sums ? over_gram(X, settings) : over_columns(X, settings, passes);
    costs.device += device_call + (has_started ? 0 : driver_start);
    return costs;
}

}  // namespace sven::linalg
