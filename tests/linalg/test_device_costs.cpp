// What `auto` expects of the host and of a device, beside what was measured (docs/gpu.md).

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "linalg/device_costs.hpp"
#include "linalg/tuning.hpp"

namespace sven::linalg {
namespace {

struct Measured {
    std::string name;
    double rows, cols;
    double entries;  // 0: dense
    Workload work;
    double device, host;  // seconds: X sent to an H200; 16 cores of its host
};

constexpr Workload path_of_columns{40, 1, false, true};
constexpr Workload path_of_sums{40, 1, true, true};

std::vector<Measured> all_measured() {
    return {
        {"440 x 138672", 440, 138672, 0, path_of_columns, 0.0526, 0.1318},
        {"3308 x 150360", 3308, 150360, 4973900, path_of_columns, 0.2266, 1.19},
        {"463715 x 90", 463715, 90, 0, path_of_sums, 0.0167, 0.0151},
        {"489410 x 361", 489410, 361, 0, path_of_sums, 0.0453, 0.1395},
        {"400000 x 900", 400000, 900, 0, path_of_sums, 0.0831, 0.6315},
        {"1000000 x 2000", 1000000, 2000, 0, path_of_sums, 0.4031, 8.24},
        {"blogfeedback", 52397, 276, 0, path_of_sums, 0.0127, 0.0192},
        {"caco_fp", 3796, 5318, 947586, path_of_columns, 0.0765, 0.2698},
        {"dorothea", 800, 88119, 727760, path_of_columns, 0.0372, 0.0762},
        {"hockey", 69449, 2776, 969186, path_of_sums, 0.2302, 0.6497},
        {"mice_bmi", 1814, 10346, 0, path_of_columns, 0.0982, 0.6351},
        {"mitfaces", 6977, 361, 0, path_of_sums, 0.0106, 0.0186},
        {"news20", 15935, 60346, 1272569, path_of_columns, 0.697, 3.35},
        {"w8a", 49749, 300, 579586, path_of_sums, 0.0119, 0.0216},
        {"we8there", 6166, 2640, 66459, path_of_columns, 0.0979, 0.3809},
        {"104 x 22283, ten folds", 104, 22283, 0, {100, 11, false, true}, 0.0367, 0.0415},
        {"200 x 200000, five folds", 200, 200000, 0, {100, 6, false, true}, 0.0961, 0.2487},
        {"2000 x 50000, five folds", 2000, 50000, 0, {100, 6, false, true}, 0.5388, 4.64},
        {"200000 x 1000, five folds", 200000, 1000, 0, {100, 6, true, true}, 0.1377, 1.17},
    };
}

Extent extent_of(const Measured& set) {
    const bool is_sparse = set.entries > 0;
    const double entries = is_sparse ? set.entries : set.rows * set.cols;
    return {set.rows, set.cols, entries, entries * (is_sparse ? 12 : 8), is_sparse};
}

TEST(DeviceCosts, AreNearWhatWasMeasured) {
    for (const Measured& set : all_measured()) {
        SCOPED_TRACE(set.name);
        const DeviceCosts costs = model_costs(extent_of(set), set.work, true);
        EXPECT_LE(costs.device, 3.5 * set.device);
        EXPECT_GE(costs.device, set.device / 3.5);
        EXPECT_LE(costs.host, 3.5 * set.host);
        EXPECT_GE(costs.host, set.host / 3.5);
    }
}

// In a process that has the driver already, and in a fresh one, which waits for it.
TEST(DeviceCosts, ChooseWhatTakesLittleMoreThanTheBest) {
    for (const bool has_started : {true, false})
        for (const Measured& set : all_measured()) {
            SCOPED_TRACE(set.name + (has_started ? "" : ", fresh"));
            const DeviceCosts costs = model_costs(extent_of(set), set.work, has_started);
            const double device = set.device + (has_started ? 0 : driver_start);
            const double chosen = costs.device < costs.host ? device : set.host;
            EXPECT_LE(chosen, 1.45 * std::min(device, set.host));
        }
}

TEST(DeviceCosts, LeaveSmallSetsToTheHost) {
    const Workload fit{1, 1, false, true};
    const std::vector<Measured> small{
        {"prostate", 97, 8, 0, path_of_sums, 0, 0},
        {"leukemia", 72, 7129, 0, path_of_columns, 0, 0},
        {"aquatictox_fp, a fit", 322, 2438, 19000, fit, 0, 0},
    };
    for (const Measured& set : small) {
        SCOPED_TRACE(set.name);
        const DeviceCosts costs = model_costs(extent_of(set), set.work, true);
        EXPECT_LT(costs.host, costs.device);
    }
}

// One setting of mice_bmi is done by the time that the driver would answer; a path of it is not.
TEST(DeviceCosts, KnowHowMuchIsAsked) {
    Measured set{"mice_bmi", 1814, 10346, 0, {1, 1, false, true}, 0, 0};
    const DeviceCosts fit = model_costs(extent_of(set), set.work, false);
    EXPECT_LT(fit.host, fit.device);
    set.work.settings = 40;
    const DeviceCosts path = model_costs(extent_of(set), set.work, false);
    EXPECT_GT(path.host, path.device);
    set.work = {10, 1, false, true};
    const DeviceCosts gaussian = model_costs(extent_of(set), set.work, false);
    set.work.is_gaussian = false;
    const DeviceCosts classes = model_costs(extent_of(set), set.work, false);
    EXPECT_LT(gaussian.host, gaussian.device);
    EXPECT_GT(classes.host, classes.device);
}

TEST(DeviceCosts, SendNoMoreThanThereIs) {
    Extent X{500000, 10000, 5e9, 5e9 / 4, false};  // genotypes
    const double packed = model_costs(X, path_of_columns, true).device;
    X.bytes = 8 * X.entries;
    const double unpacked = model_costs(X, path_of_columns, true).device;
    EXPECT_NEAR(unpacked - packed, (8 - 0.25) * 5e9 / sent_bytes, 1e-9);
}

}  // namespace
}  // namespace sven::linalg
