#pragma once
// The Gram matrix of all columns in one pass over the rows, with the response and a column of ones
// beside them: X'WX, X'Wy, y'Wy, the sums and the total weight at once (maths.md, eq. 40).

#include <span>
#include <vector>

#include "linalg/design.hpp"

namespace sven::linalg {

struct GramSums {
    Index cols = 0;              // p; row p is the response, row p + 1 the ones
    Index stride = 0;            // of a column of `values`
    std::vector<double> centre;  // p: what was subtracted from each column before summing
    Buffer<double> values;       // lower triangle of (p + 2) x (p + 2), column-major

    double operator()(Index i, Index j) const {
        return i >= j ? values[j * stride + i] : values[i * stride + j];
    }
};

// Sums of (X - centre) and y, weighted. The centre is near the columns' means, so that no digits
// are lost when the true means are subtracted afterwards; a given centre is used unchanged.
GramSums accumulate_gram(const Design& X, std::span<const double> y, RowWeights weights,
                         const Execution& execution, std::span<const double> centre = {});

// The same for disjoint groups of rows in one pass, about one centre.
std::vector<GramSums> accumulate_group_grams(const Design& X, const GramRequest& request,
                                             Index groups, const Execution& execution,
                                             std::span<const double> centre = {});

}  // namespace sven::linalg
