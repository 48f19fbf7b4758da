#pragma once
// What predictions are judged by, as cv.glmnet defines it.

#include <vector>

#include "path/curve.hpp"

namespace sven::path {

// A row that was not fitted: what was observed, what was predicted, and its weight.
struct TestRow {
    double y;
    double mean;
    double eta;
    double weight;
};

// The weighted mean over the rows, with their variance, or the area under the curve.
RowErrors measured(Family family, Measure measure, const std::vector<TestRow>& rows,
                   const linalg::Execution& team);

}  // namespace sven::path
