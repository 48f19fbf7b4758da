#pragma once
// A model, applied to rows that it was not fitted to.

#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/model_file.hpp"

namespace sven::cli {

// The rows to predict, with the coefficients mapped to the columns of the data.
struct Matched {
    io::Dataset table;
    std::vector<Coefficient> coefficients;
    double moved_intercept = 0;  // of variants whose other allele the data count
    std::vector<double> y;  // the target as in the fit, NaN where there is none; empty: not there
    std::vector<double> trials;  // of counts
    std::vector<std::string> notes;
};

// By the names of the columns; without names in the model or the data, by position. Throws
// ParseError, or InvalidArgument if a column is missing.
Matched match(const PredictArguments& arguments, const Model& model);

// The weights of the rows, times the trials of counts; empty: all one.
std::vector<double> weights_of(const Matched& matched);

// The rows' predictions, their offsets included.
std::vector<double> predict(const Matched& matched, double intercept);

struct Metrics {
    std::size_t known = 0;  // rows that have a target
    double mse = 0;
    double mae = 0;
    double r2 = 0;  // NaN if the target is constant
};
Metrics compare(const std::vector<double>& y, const std::vector<double>& predictions);

}  // namespace sven::cli
