#pragma once
// What predictions are judged by, as cv.glmnet defines it.

#include <vector>

#include "linalg/execution.hpp"
#include "sven/cross_validation.hpp"

namespace sven::path {

// A row that was not fitted: what was observed, what was predicted, and its weight.
struct TestRow {
    double y;
    double mean;
    double eta;
    double weight;
};

// The weighted mean over the rows, or the area under the curve.
double measured(Family family, Measure measure, const std::vector<TestRow>& rows,
                const linalg::Execution& team);

}  // namespace sven::path
