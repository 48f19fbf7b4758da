#pragma once
// The statistics of rows that are there, and what a problem is made of them.

#include <cstdint>
#include <span>
#include <vector>

#include "linalg/row_statistics.hpp"
#include "problem/standardization.hpp"

namespace sven::problem {

// Rows in groups: the number of the group for each; empty: all are one.
struct RowGroups {
    std::span<const std::int32_t> of_row;
    Index count = 1;
};

// Whether every row of X has the weight zero.
bool has_no_weight(const Problem& problem);

// The statistics of each group, in one pass; y is the response of the problem. Throws
// InvalidArgument if a column is not finite, or too large to square, and Cancelled.
std::vector<linalg::RowStatistics> sum_rows(const linalg::Design& design, const Problem& problem,
                                            const RowGroups& groups,
                                            const linalg::Execution& execution);

Response response_of(const linalg::RowStatistics& statistics, bool intercept);
linalg::ColumnMoments moments_of(const linalg::RowStatistics& statistics);

}  // namespace sven::problem
