#include "problem/summed_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "problem/rounding.hpp"
#include "problem/tuning.hpp"
#include "sven/error.hpp"

namespace sven::problem {
namespace {

constexpr double not_constant = std::numeric_limits<double>::quiet_NaN();

void check_finite(const linalg::ColumnMoments& moments) {
    for (std::size_t j = 0; j < moments.mean.size(); ++j)
        if (!std::isfinite(moments.mean[j]) || !std::isfinite(moments.squares[j]))
            throw InvalidArgument("column " + std::to_string(j) +
                                  " of X holds a value that is not finite, or too large to square");
}

std::vector<double> constants_of(const linalg::ColumnMoments& moments) {
    std::vector<double> constant;
    for (std::size_t j = 0; j < moments.mean.size(); ++j)
        constant.push_back(moments.is_constant[j] != 0 ? moments.mean[j] : not_constant);
    return constant;
}

// Weights that are zero outside of a group.
std::vector<double> weights_in(const Problem& problem, const RowGroups& groups, Index group) {
    std::vector<double> weights(groups.of_row.size(), 0.0);
    for (std::size_t i = 0; i < weights.size(); ++i)
        if (groups.of_row[i] == group)
            weights[i] = problem.weights.empty() ? 1 : problem.weights[i];
    return weights;
}

Index rows_in(const RowGroups& groups, Index group, Index rows) {
    if (groups.of_row.empty()) return rows;
    return std::count(groups.of_row.begin(), groups.of_row.end(), group);
}

// Of the whole pass: about the given centre, or where it is left to the pass.
std::vector<linalg::GramSums> sum_about(const linalg::Design& design, const Problem& problem,
                                        const Response& response, const RowGroups& groups,
                                        const linalg::Execution& execution,
                                        std::span<const double> centre) {
    if (!groups.of_row.empty())
        return linalg::accumulate_group_grams(design,
                                              {response.centred, problem.weights, groups.of_row},
                                              groups.count, execution, centre);
    std::vector<linalg::GramSums> sums;
    sums.push_back(
        linalg::accumulate_gram(design, response.centred, problem.weights, execution, centre));
    return sums;
}

// Whether sums about another centre than the means have lost the digits of a column.
bool is_lost(const linalg::ColumnMoments& moments, std::span<const linalg::GramSums> sums) {
    for (Index j = 0; j < sums.front().cols; ++j) {
        double squares = 0;
        for (const linalg::GramSums& one : sums) squares += one(j, j);
        if (moments.is_constant[j] == 0 && !(moments.squares[j] > remaining_squares * squares))
            return true;
    }
    return false;
}

}  // namespace

bool has_no_weight(const Problem& problem) {
    return static_cast<Index>(problem.weights.size()) == rows(problem.X) &&
           std::all_of(problem.weights.begin(), problem.weights.end(),
                       [](double w) { return w == 0; });
}

// About the means, which a pass before finds exactly enough; over the stored entries alone, where
// that is cheaper and loses little.
std::vector<linalg::RowStatistics> sum_rows(const linalg::Design& design, const Problem& problem,
                                            const RowGroups& groups,
                                            const linalg::Execution& execution) {
    std::vector<linalg::RowStatistics> result;
    if (has_no_weight(problem)) {
        for (Index group = 0; group < groups.count; ++group) {
            result.push_back(linalg::no_rows(design.cols()));
            result.back().rows = rows_in(groups, group, design.rows());
        }
        return result;
    }
    Problem centred = problem;
    centred.intercept = true;
    const Response response = make_response(centred, execution);
    const linalg::ColumnMoments moments =
        design.moments(problem.weights, response.centred, execution);
    check_finite(moments);
    std::span<const double> centre = moments.mean;
    if (design.is_sparse()) centre = {};
    std::vector<linalg::GramSums> sums =
        sum_about(design, problem, response, groups, execution, centre);
    if (centre.empty() && is_lost(moments, sums))
        sums = sum_about(design, problem, response, groups, execution, moments.mean);
    for (linalg::GramSums& one : sums) {
        linalg::RowStatistics statistics;
        const auto group = static_cast<Index>(result.size());
        statistics.rows = rows_in(groups, group, design.rows());
        statistics.sums = std::move(one);
        statistics.y_centre = response.mean;
        if (groups.of_row.empty())
            statistics.constant = constants_of(moments);
        else if (statistics.weight() > 0)
            statistics.constant = constants_of(
                design.moments(weights_in(problem, groups, group), response.centred, execution));
        else
            statistics.constant.assign(moments.mean.size(), not_constant);
        statistics.rounding = product_rounding(design.rows());
        result.push_back(std::move(statistics));
    }
    return result;
}

Response response_of(const linalg::RowStatistics& statistics, bool intercept) {
    return response_of(statistics.sums, statistics.y_centre, intercept);
}

linalg::ColumnMoments moments_of(const linalg::RowStatistics& statistics) {
    bool needs_care = false;  // which sums about the means have had
    linalg::ColumnMoments moments = moments_of(statistics.sums, needs_care);
    for (Index j = 0; j < statistics.cols(); ++j) {
        if (std::isnan(statistics.constant[j])) continue;
        moments.is_constant[j] = 1;
        moments.mean[j] = statistics.constant[j];
        moments.centred_sum[j] = moments.squares[j] = moments.products[j] = 0;
    }
    return moments;
}

}  // namespace sven::problem
