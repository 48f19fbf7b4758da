#include "sven/statistics.hpp"

#include <algorithm>

#include "api/validate.hpp"
#include "linalg/devices.hpp"
#include "linalg/row_statistics.hpp"
#include "path/session.hpp"
#include "problem/summed_rows.hpp"

namespace sven {
namespace {

// The distinct numbers of the folds, and the place of each row's among them.
std::vector<std::int32_t> number_folds(std::span<const Index> fold_of_row,
                                       std::vector<Index>& folds) {
    folds.assign(fold_of_row.begin(), fold_of_row.end());
    std::sort(folds.begin(), folds.end());
    folds.erase(std::unique(folds.begin(), folds.end()), folds.end());
    std::vector<std::int32_t> group;
    for (const Index fold : fold_of_row) {
        const auto place = std::lower_bound(folds.begin(), folds.end(), fold);
        group.push_back(static_cast<std::int32_t>(place - folds.begin()));
    }
    return group;
}

}  // namespace

Index rows(const Problem& problem) {
    return problem.statistics != nullptr ? problem.statistics->rows() : rows(problem.X);
}

Index cols(const Problem& problem) {
    return problem.statistics != nullptr ? problem.statistics->cols() : cols(problem.X);
}

Statistics::Statistics(const Problem& problem, std::span<const Index> fold_of_row,
                       const Options& options)
    : Statistics() {
    if (problem.statistics != nullptr) throw InvalidArgument("statistics are made of rows");
    if (problem.family != Family::gaussian)
        throw InvalidArgument("the loss of a " + std::string(name(problem.family)) +
                              " response has no sums that it could be served from");
    Problem fitted = problem;
    // a block of larger data may have no weight at all
    if (problem::has_no_weight(problem)) fitted.weights = {};
    api::validate(fitted);
    if (!fold_of_row.empty() && static_cast<Index>(fold_of_row.size()) != sven::rows(problem.X))
        throw InvalidArgument("there are folds for " + std::to_string(fold_of_row.size()) +
                              " rows, but X has " + std::to_string(sven::rows(problem.X)));
    const std::vector<double> response = path::without_offset(problem.y, problem.offset);
    fitted.y = response;
    fitted.offset = {};
    fitted.weights = problem.weights;
    const std::vector<std::int32_t> group = number_folds(fold_of_row, data_->folds);
    const problem::RowGroups groups{group, std::max<Index>(1, data_->folds.size())};
    const linalg::Execution team{linalg::resolve_threads(options.threads), options.cancel};
    try {
        const auto design =
            linalg::make_design(problem.X, options.device, {.settings = 0, .is_of_sums = true});
        data_->groups = problem::sum_rows(*design, fitted, groups, team);
    } catch (const linalg::Cancelled&) {
        throw Interrupted("the pass over the rows was cancelled");
    }
}

}  // namespace sven
