#pragma once
// One seeded problem: the data, how they are stored, what is asked of them.

#include <string>
#include <vector>

#include "support/matrix_kinds.hpp"
#include "support/problems.hpp"
#include "sven/cross_validation.hpp"

namespace sven::soak {

using test::Data;

// Which function of the library is asked.
enum class Call {
    fits,       // fit, for each setting
    path,       // solve_path over the settings
    responses,  // solve_paths, for each column of `responses`
    folds,      // cross_validate over `folds` at the lambdas of the settings
    machine     // svm::train: y holds the labels, the weights are the costs
};

struct Case {
    Data data;
    test::Kind kind;
    std::vector<Setting> settings;
    Options options;
    Call call = Call::fits;
    std::vector<double> responses;  // n numbers each
    std::vector<Fold> folds;
    bool may_miss_tolerance = false;  // cut off on purpose: a missed tolerance is no false alarm
};

}  // namespace sven::soak
