#pragma once
// One seeded problem: the data, how they are stored, what is asked of them.

#include <string>
#include <vector>

#include "support/matrix_kinds.hpp"
#include "support/problems.hpp"
#include "sven/path.hpp"

namespace sven::soak {

using test::Data;

struct Case {
    Data data;
    test::Kind kind;
    std::vector<Setting> settings;
    Options options;
    bool as_path = false;             // solve_path over all settings, not a fit of each
    bool may_miss_tolerance = false;  // cut off on purpose: a missed tolerance is no false alarm
};

}  // namespace sven::soak
