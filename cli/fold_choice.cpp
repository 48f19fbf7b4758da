#include "cli/fold_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/csv_text.hpp"

namespace sven::cli {

namespace {

std::vector<Fold> folds_from_column(const LoadedData& data, const std::string& column) {
    std::vector<Fold> folds = folds_of(fold_numbers(data, column));
    if (folds.size() < 2)
        throw InvalidArgument(
            fmt::format("{}: the column \"{}\" holds one fold only; two or more "
                        "are needed",
                        data.path, column));
    return folds;
}

// Numbered in the order of their values.
std::vector<Index> groups_of_rows(const LoadedData& data, Index& count) {
    std::vector<double> values = data.table.folds;
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    count = static_cast<Index>(values.size());
    std::vector<Index> groups;
    for (const double value : data.table.folds)
        groups.push_back(std::lower_bound(values.begin(), values.end(), value) - values.begin());
    return groups;
}

std::vector<Fold> folds_of_groups(const LoadedData& data, const CvArguments& arguments) {
    Index groups = 0;
    const std::vector<Index> group_of_row = groups_of_rows(data, groups);
    const std::string& column = *arguments.data.groups_column;
    if (groups < 2)
        throw InvalidArgument(
            fmt::format("{}: the column \"{}\" holds one group only; two or more are needed",
                        data.path, column));
    const auto count = static_cast<Index>(arguments.folds.value_or(10));
    if (arguments.folds && count > groups)
        throw InvalidArgument(
            fmt::format("{}: the column \"{}\" holds {} groups, too few for {} folds", data.path,
                        column, groups, count));
    return grouped_folds(group_of_row, static_cast<int>(std::min(count, groups)),
                         arguments.seed.value_or(1), arguments.repeats.value_or(1));
}

}  // namespace

std::vector<Index> fold_numbers(const LoadedData& data, const std::string& column) {
    std::vector<Index> fold_of_row;
    for (const double number : data.table.folds) {
        if (number != std::floor(number) || std::abs(number) > 1e15) {
            throw InvalidArgument(
                fmt::format("{}: the column \"{}\" holds {}, but folds are whole "
                            "numbers",
                            data.path, column, number));
        }
        fold_of_row.push_back(static_cast<Index>(number));
    }
    return fold_of_row;
}

std::vector<Index> summable_folds(const LoadedData& data, const std::string& column) {
    if (!data.table.fold_levels.empty())
        throw InvalidArgument(fmt::format(
            "{}: the column \"{}\" holds texts, but the folds of statistics are whole numbers",
            data.path, column));
    return fold_numbers(data, column);
}

std::vector<Fold> choose_folds(const LoadedData& data, const CvArguments& arguments) {
    if (arguments.data.fold_column) return folds_from_column(data, *arguments.data.fold_column);
    if (arguments.data.groups_column) return folds_of_groups(data, arguments);
    const int count = arguments.folds.value_or(10);
    const Index room = data.rows() - (arguments.time_ordered ? 1 : 0);
    if (count > room)
        throw InvalidArgument(fmt::format("{} has {}, too few for {} folds; give --folds K",
                                          data.path, counted(data.rows(), "row"), count));
    if (arguments.time_ordered) return time_ordered_folds(data.rows(), count);
    const std::uint64_t seed = arguments.seed.value_or(1);
    const int repeats = arguments.repeats.value_or(1);
    if (arguments.stratified) return stratified_folds(data.y, count, seed, repeats);
    return make_folds(data.rows(), count, seed, repeats);
}

std::string folds_text(const CvArguments& arguments, Index folds) {
    if (arguments.data.fold_column)
        return fmt::format("{} folds from the column {}", folds, *arguments.data.fold_column);
    if (arguments.time_ordered)
        return fmt::format("{} folds, each of the rows that follow its training rows", folds);
    std::string text = fmt::format("{} folds", folds);
    if (arguments.repeats)
        text = fmt::format("{} times {} folds", *arguments.repeats, folds / *arguments.repeats);
    if (arguments.data.groups_column)
        text += fmt::format(" of whole groups of {},", *arguments.data.groups_column);
    if (arguments.stratified) text += ", stratified,";
    return text + fmt::format(" from seed {}", arguments.seed.value_or(1));
}

}  // namespace sven::cli
