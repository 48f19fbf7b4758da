#include "linalg/row_statistics.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "linalg/gram_panels.hpp"
#include "linalg/tuning.hpp"

namespace sven::linalg {
namespace {

constexpr double not_constant = std::numeric_limits<double>::quiet_NaN();

// What moves the sums of some rows to another centre: sum w (x - c)(y - d) of the old sums, the
// distances of the centres and the weight. The response is behind the columns.
struct Move {
    Move(const RowStatistics& of, const std::vector<double>& centre) : weight(of.weight()) {
        const Index p = of.cols();
        for (Index j = 0; j <= p; ++j) {
            distance.push_back((j < p ? of.sums.centre[j] : of.y_centre) - centre[j]);
            sum.push_back(of.sums(p + 1, j));
        }
    }

    double change(Index i, Index j) const {
        return distance[i] * (sum[j] + weight * distance[j]) + sum[i] * distance[j];
    }
    // The error of a diagonal entry once moved, from that of the sums (maths.md, eq. 78).
    double error(const RowStatistics& of, Index j) const {
        const double length = std::sqrt(of.sums(j, j)) + std::sqrt(weight) * std::abs(distance[j]);
        return of.rounding * length * length;
    }

    std::vector<double> distance, sum;  // p + 1
    double weight;
};

double common_constant(const RowStatistics& a, const RowStatistics& b, Index j) {
    if (a.weight() == 0) return b.constant[j];
    if (b.weight() == 0) return a.constant[j];
    return a.constant[j] == b.constant[j] ? a.constant[j] : not_constant;
}

// The means of both, rounded, and the values of constant columns.
std::vector<double> common_centre(const RowStatistics& a, const RowStatistics& b,
                                  const std::vector<double>& constant) {
    const Index p = a.cols();
    const double weight = a.weight() + b.weight();
    std::vector<double> centre;
    for (Index j = 0; j <= p; ++j) {
        const double to = j < p ? b.sums.centre[j] : b.y_centre;
        const double here = j < p ? a.sums.centre[j] : a.y_centre;
        const double from = a.weight() == 0 ? to : here;
        const double shift = (to - from) * b.weight() + a.sums(p + 1, j) + b.sums(p + 1, j);
        const bool is_constant = j < p && !std::isnan(constant[j]);
        centre.push_back(is_constant ? constant[j] : from + shift / weight);
    }
    return centre;
}

// A constant column is exactly zero about its value.
void clear_constant(RowStatistics& of) {
    const Index p = of.cols();
    for (Index j = 0; j < p; ++j) {
        if (std::isnan(of.constant[j])) continue;
        for (Index i = 0; i < p + 2; ++i)
            of.sums.values[std::min(i, j) * of.sums.stride + std::max(i, j)] = 0;
    }
}

}  // namespace

RowStatistics no_rows(Index cols) {
    RowStatistics none;
    const Index panels = (cols + 2 + gram_width - 1) / gram_width;
    none.sums.cols = cols;
    none.sums.stride = panels * gram_width;
    none.sums.centre.assign(static_cast<std::size_t>(cols), 0.0);
    none.sums.values.reserve(none.sums.stride * none.sums.stride);
    std::fill_n(none.sums.values.data(), none.sums.stride * none.sums.stride, 0.0);
    none.constant.assign(static_cast<std::size_t>(cols), not_constant);
    return none;
}

RowStatistics copy_of(const RowStatistics& statistics) {
    RowStatistics copy = no_rows(statistics.cols());
    copy.rows = statistics.rows;
    copy.sums.centre = statistics.sums.centre;
    std::copy_n(statistics.sums.values.data(), copy.sums.stride * copy.sums.stride,
                copy.sums.values.data());
    copy.y_centre = statistics.y_centre;
    copy.constant = statistics.constant;
    copy.rounding = statistics.rounding;
    return copy;
}

void centre_at_means(RowStatistics& statistics) {
    merge(no_rows(statistics.cols()), statistics);
}

// About the means of both, where each part's sums of squares can only grow by the distance: nothing
// cancels (maths.md, eq. 77).
void merge(const RowStatistics& from, RowStatistics& into) {
    const Index p = into.cols();
    into.rows += from.rows;
    if (into.weight() + from.weight() == 0) return;
    std::vector<double> constant;
    for (Index j = 0; j < p; ++j) constant.push_back(common_constant(from, into, j));
    const std::vector<double> centre = common_centre(into, from, constant);
    const Move here(into, centre);
    const Move there(from, centre);
    std::vector<double> errors;
    for (Index j = 0; j <= p; ++j) errors.push_back(here.error(into, j) + there.error(from, j));
    GramSums& sums = into.sums;
    for (Index j = 0; j <= p; ++j) {
        double* const column = sums.values.data() + j * sums.stride;
        const double* const other = from.sums.values.data() + j * from.sums.stride;
        for (Index i = j; i <= p; ++i)
            column[i] += other[i] + (here.change(i, j) + there.change(i, j));
        column[p + 1] +=
            other[p + 1] + (here.weight * here.distance[j] + there.weight * there.distance[j]);
    }
    sums.values[(p + 1) * sums.stride + p + 1] += from.weight();
    sums.centre.assign(centre.begin(), centre.end() - 1);
    into.y_centre = centre.back();
    into.constant = std::move(constant);
    clear_constant(into);
    double relative = 0;
    for (Index j = 0; j <= p; ++j)
        if (sums(j, j) > 0) relative = std::max(relative, errors[j] / sums(j, j));
    into.rounding = std::hypot(relative, merge_rounding);
}

RowStatistics merged(const std::vector<RowStatistics>& groups, Index left_out) {
    RowStatistics total = no_rows(groups.front().cols());
    for (std::size_t k = 0; k < groups.size(); ++k)
        if (static_cast<Index>(k) != left_out) merge(groups[k], total);
    return total;
}

}  // namespace sven::linalg
