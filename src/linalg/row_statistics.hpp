#pragma once
// The sums of some rows, with what is needed to add them to those of others: where they are
// centred, which columns are constant, and how far rounding may have moved them. Those of two sets
// of rows merge into those of both about the means of both, so that nothing is lost whatever the
// columns' distance from zero, and in whatever order (maths.md, section "Sufficient statistics").

#include <string>
#include <vector>

#include "linalg/gram.hpp"
#include "sven/statistics.hpp"

namespace sven::linalg {

struct RowStatistics {
    Index rows = 0;
    GramSums sums;  // of X - centre and y - y_centre
    double y_centre = 0;
    // The value of a column that is constant over the rows of positive weight, else NaN.
    std::vector<double> constant;
    // Entry (i, j) of the sums is off by at most this times the root of (i, i) times (j, j).
    double rounding = 0;

    Index cols() const { return sums.cols; }
    double weight() const { return sums(sums.cols + 1, sums.cols + 1); }
};

// Of no rows.
RowStatistics no_rows(Index cols);
RowStatistics copy_of(const RowStatistics& statistics);
// The same rows, about their means; a column that is constant is zero there.
void centre_at_means(RowStatistics& statistics);
// into += from
void merge(const RowStatistics& from, RowStatistics& into);
// Those of all groups but one, merged in their order; -1: of all.
RowStatistics merged(const std::vector<RowStatistics>& groups, Index left_out = -1);

}  // namespace sven::linalg

struct sven::Statistics::Data {
    std::vector<sven::Index> folds;                     // by group; empty: one group
    std::vector<sven::linalg::RowStatistics> groups{};  // by fold; none: of no rows
    std::vector<std::string> feature_names{};
    std::string target_name{};
};
