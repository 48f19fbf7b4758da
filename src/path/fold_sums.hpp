#pragma once
// The folds of a cross-validation as sums of products over their rows: training sets by adding, and
// errors without the rows.

#include <span>
#include <vector>

#include "linalg/gram.hpp"
#include "path/workspace.hpp"

namespace sven::path {

// Intercept about the shifted columns, and values on the user's scale.
struct RawModel {
    double intercept = 0;
    std::vector<double> values;
};

RawModel raw_model(const Workspace& work, const Solved& solved, std::span<const double> origin);

// The sums of all groups but one.
linalg::GramSums add(std::span<const linalg::GramSums> groups, std::size_t left_out,
                     const linalg::Execution& execution);

// sum w (y - b0 - x'b)^2 over the rows of the sums, for each unit of weight; y about y_shift.
double squared_error(const linalg::GramSums& sums, const Solved& solved, const RawModel& model,
                     double y_shift);

// Whether the terms of that sum cancel to less than rounding leaves seven digits of: the model fits
// the test rows far better than its terms are large.
bool has_lost_digits(const linalg::GramSums& sums, const Solved& solved, const RawModel& model,
                     double y_shift, double error);

}  // namespace sven::path
