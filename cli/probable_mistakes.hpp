#pragma once
// Data that can be fitted, but probably not as they are.

#include <string>
#include <vector>

#include "cli/load.hpp"

namespace sven::cli {

// A sentence for each kind of mistake: identifiers or dates among the features, constant columns
// and those of named tables that are but for a few rows, a target of two values. Only columns in
// memory are looked at, and only dense ones.
std::vector<std::string> probable_mistakes(const LoadedData& data, Family family);

// The names of the columns are numbers: the first row of the table may be no header. Empty if they
// are not, or if they count the columns, as those of arrays do.
std::string numbers_as_names(const io::Dataset& table);

// The least error is at the end of the grid, so that a weaker penalty may be better; empty if not.
std::string end_of_grid(const CvCurve& curve, Measure measure);

// The model without features is the best of the grid; empty if it is not. With an intercept and
// without an offset that model is the mean.
std::string nothing_predicts(const CvCurve& curve, Measure measure, bool is_mean);

}  // namespace sven::cli
