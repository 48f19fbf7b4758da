#pragma once
// Centring, scaling and weights, computed from the column moments and applied implicitly (maths.md,
// section "Centring, scaling, weights").

#include <memory>
#include <string>
#include <vector>

#include "linalg/gram.hpp"
#include "linalg/memory.hpp"
#include "linalg/scaled_design.hpp"
#include "problem/scaled_gram.hpp"
#include "problem/target.hpp"
#include "sven/elastic_net.hpp"

namespace sven::problem {

// The response and the row weights as the solver works with them.
struct Response {
    double mean = 0;                   // weighted; 0 without intercept
    double total_weight = 0;           // W
    linalg::RowVector centred;         // y - mean
    linalg::RowVector weighted;        // root_w (y - mean); empty: all weights are one
    std::vector<double> root_weights;  // empty: all one
    double squares = 0;                // ||values||^2
    double sum = 0;                    // sum w (y - mean): 0 with intercept, but for rounding

    // Whether the vectors exist; responses from sums over the rows have none.
    bool has_rows() const { return !centred.empty(); }
    // root_w (y - mean)
    std::span<const double> values() const { return root_weights.empty() ? centred : weighted; }
};

Response make_response(const Problem& problem, const linalg::Execution& execution);
// From sums over the rows, without the vectors; y_shift was subtracted from y before summing.
Response response_of(const linalg::GramSums& sums, double y_shift, bool intercept);

// The transformation of each column, as needed to map coefficients back.
struct Columns {
    std::vector<double> mean;      // weighted means of the raw columns
    std::vector<double> scale;     // sigma_j; 1 without standardisation
    std::vector<double> norms;     // ||x~_j||, or a little more
    std::vector<double> products;  // x~_j'y
    std::vector<Exclusion> excluded;
    std::vector<Index> left_out;  // features excluded as constant up to rounding
    // The largest ratio of a column's length before and after subtracting its mean: the loss of
    // accuracy of a product by the correction of eq. 37.
    double spread = 1;
    double scale_error = 0;  // of `scale`, relative
};

// Columns whose mean is more than largest_mean standard deviations from zero are left out: their
// variation is rounding. Throws InvalidArgument if a column is not finite, or too large or too
// small to square.
Columns make_columns(const Problem& problem, const Response& response,
                     const linalg::ColumnMoments& moments, const linalg::Execution& execution);

// The means of the columns that are far from zero; empty if none is.
std::vector<double> choose_shift(const Problem& problem, const Response& response,
                                 const linalg::ColumnMoments& moments);
// Wraps the design, with any shift.
linalg::ScaledDesign scale_design(const linalg::Design& design, const Problem& problem,
                                  const Response& response, const Columns& columns,
                                  const linalg::ColumnMoments& moments);

// The loss of accuracy of moments from a Gram matrix: the largest ratio of a sum of squares about
// the centre to that about the mean.
double moment_loss(const linalg::GramSums& sums, const linalg::ColumnMoments& moments);
// Moments from a Gram matrix. `needs_care` is set if a column is so far from zero, or so nearly
// constant, that they must be computed from the data.
linalg::ColumnMoments moments_of(const linalg::GramSums& sums, bool& needs_care);
ScaledGram scale_gram(const linalg::GramSums& sums, const Problem& problem,
                      const Response& response, const Columns& columns,
                      const linalg::Execution& execution);

}  // namespace sven::problem
