#include "path/measure.hpp"

#include <algorithm>
#include <cmath>

#include "path/tuning.hpp"
#include "problem/loss.hpp"

namespace sven::path {
namespace {

// Of one row; cv.glmnet counts both classes of a binomial response.
double row_error(Family family, Measure measure, const TestRow& row) {
    const bool is_binomial = family == Family::binomial;
    switch (measure) {
        case Measure::mse:
            return (is_binomial ? 2 : 1) * (row.y - row.mean) * (row.y - row.mean);
        case Measure::mae:
            return (is_binomial ? 2 : 1) * std::abs(row.y - row.mean);
        case Measure::classification:
            return row.mean > 0.5 ? 1 - row.y : row.y;
        default:
            break;
    }
    if (family == Family::gaussian) return (row.y - row.mean) * (row.y - row.mean);
    // as in cv.glmnet, a certainty that was wrong does not count as infinite
    const problem::Loss loss(family);
    const double limit = loss.link(1 - tuning::certainty);
    const double eta = is_binomial ? std::clamp(row.eta, -limit, limit) : row.eta;
    return 2 * loss.half_deviance(loss.at(row.y, eta), row.y, eta);
}

// The probability that a success has the larger mean of a pair, ties counted by half; a share is
// as many successes and failures as its weight says.
double area_under_curve(std::vector<TestRow> rows) {
    std::sort(rows.begin(), rows.end(),
              [](const TestRow& a, const TestRow& b) { return a.eta < b.eta; });
    double below = 0;  // weight of the failures so far
    double pairs = 0;
    double successes = 0;
    for (std::size_t begin = 0; begin < rows.size();) {
        std::size_t end = begin;
        double failures_here = 0;
        double successes_here = 0;
        for (; end < rows.size() && rows[end].eta == rows[begin].eta; ++end) {
            successes_here += rows[end].weight * rows[end].y;
            failures_here += rows[end].weight * (1 - rows[end].y);
        }
        pairs += successes_here * (below + failures_here / 2);
        below += failures_here;
        successes += successes_here;
        begin = end;
    }
    return pairs / (below * successes);
}

}  // namespace

RowErrors measured(Family family, Measure measure, const std::vector<TestRow>& rows,
                   const linalg::Execution& team) {
    if (measure == Measure::auc) return {area_under_curve(rows), 0};
    return sum_errors(team, rows.size(), [&](Index k) -> WeightedError {
        return {rows[k].weight, row_error(family, measure, rows[k])};
    });
}

}  // namespace sven::path
