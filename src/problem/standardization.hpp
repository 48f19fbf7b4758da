#pragma once
// Centring, scaling and weights, worked out from the column moments and applied implicitly
// (maths.md, section "Centring, scaling, weights").

#include <memory>
#include <string>
#include <vector>

#include "linalg/gram.hpp"
#include "linalg/scaled_design.hpp"
#include "problem/scaled_gram.hpp"
#include "problem/target.hpp"
#include "sven/elastic_net.hpp"

namespace sven::problem {

// The response and the row weights as the solver works with them.
struct Response {
    double mean = 0;                   // weighted; 0 without intercept
    double total_weight = 0;           // W
    std::vector<double> centred;       // y - mean
    std::vector<double> values;        // root_w (y - mean)
    std::vector<double> root_weights;  // empty: all one
    double squares = 0;                // ||values||^2
    double sum = 0;                    // sum w (y - mean): 0 with intercept, but for rounding

    // Whether the vectors are there: sums over the rows do without.
    bool has_rows() const { return !centred.empty(); }
};

Response make_response(const Problem& problem, const linalg::Execution& execution);
// From sums over the rows, without the vectors; y_shift was subtracted from y before summing.
Response response_of(const linalg::GramSums& sums, double y_shift, bool intercept);

// What was done to each column; enough to map coefficients back.
struct Columns {
    std::vector<double> mean;      // weighted means of the raw columns
    std::vector<double> scale;     // sigma_j; 1 without standardisation
    std::vector<double> norms;     // ||x~_j||
    std::vector<double> products;  // x~_j'y
    std::vector<Exclusion> excluded;
    std::vector<Index> left_out;  // features that are excluded as constant but for rounding
    // The largest length of a column before its mean is subtracted, over that after: by how much a
    // product loses to the correction of eq. 33.
    double spread = 1;
    double scale_error = 0;  // of `scale`, relative
};

// Columns whose mean is more than 1e10 of their standard deviations away from zero are left out:
// what varies in them is rounding. Throws InvalidArgument where a column is not finite, or too
// large or too small to square.
Columns make_columns(const Problem& problem, const Response& response,
                     const linalg::ColumnMoments& moments);

// The means of the columns that are far from zero; empty where none is.
std::vector<double> choose_shift(const Problem& problem, const Response& response,
                                 const linalg::ColumnMoments& moments);
// Wraps the design, whatever its shift.
linalg::ScaledDesign scale_design(const linalg::Design& design, const Problem& problem,
                                  const Response& response, const Columns& columns,
                                  const linalg::ColumnMoments& moments);

// By how much the moments of a Gram matrix are less accurate than those of the data: the largest
// sum of squares over what is left of it about the mean.
double moment_loss(const linalg::GramSums& sums, const linalg::ColumnMoments& moments);
// The moments that a Gram matrix holds. `needs_care` is set where a column is so far from zero,
// or so nearly constant, that they must be taken from the data.
linalg::ColumnMoments moments_of(const linalg::GramSums& sums, bool& needs_care);
ScaledGram scale_gram(const linalg::GramSums& sums, const Problem& problem,
                      const Response& response, const Columns& columns,
                      const linalg::Execution& execution);

}  // namespace sven::problem
