#pragma once
// What a call takes on the host and on a device: `auto` goes where it is less.

namespace sven::linalg {

// What X is.
struct Extent {
    double rows = 0;
    double cols = 0;
    double entries = 0;  // that are stored
    double bytes = 0;    // that are sent
    bool is_sparse = false;
};

// What is asked of it.
struct Workload {
    double settings = 1;      // of a path
    double paths = 1;         // side by side: folds, responses
    bool is_of_sums = false;  // over a Gram matrix, which takes one pass
    bool is_gaussian = true;
};

// Seconds.
struct DeviceCosts {
    double host;
    double device;  // with X on its way there
};

// `has_started`: the process has used the device before.
DeviceCosts model_costs(const Extent& X, const Workload& work, bool has_started);

}  // namespace sven::linalg
