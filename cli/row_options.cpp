// Options that ask for rows, where there are only their sums.

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "cli/checks.hpp"

namespace sven::cli {

std::vector<const char*> data_options(const DataArguments& data) {
    const std::vector<std::pair<bool, const char*>> all = {
        {data.target.has_value(), "--target"},
        {data.y.has_value(), "--y"},
        {data.id.has_value(), "--id"},
        {!data.drop.empty(), "--drop"},
        {data.transpose, "--transpose"},
        {data.impute_mean, "--impute"},
        {data.one_hot, "--one-hot"},
        {data.drop_missing, "--drop-missing"},
        {!data.dates.empty(), "--date"},
        {data.weights.has_value(), "--weights"},
        {data.weights_column.has_value(), "--weights-column"},
        {data.offset.has_value(), "--offset"},
        {data.fold_column.has_value(), "--fold-column"},
        {data.groups_column.has_value(), "--folds-by"}};
    std::vector<const char*> given;
    for (const auto& [is_given, name] : all)
        if (is_given) given.push_back(name);
    return given;
}

namespace {

using Given = std::vector<std::pair<bool, const char*>>;

void refuse_given(const Given& options, const DataArguments& data) {
    for (const auto& [is_given, name] : options) {
        if (!is_given) continue;
        if (data.distribution == Distribution::rows)
            throw UsageError(fmt::format("--distributed rows and {} exclude each other", name));
        throw UsageError(fmt::format(
            "{} is for rows, and {} holds statistics, which were summed before", name, data.data));
    }
}

}  // namespace

void refuse_rows(const DataArguments& data) {
    Given options;
    for (const char* const name : data_options(data)) options.emplace_back(true, name);
    refuse_given(options, data);
}

void refuse_rows(const FitArguments& arguments) {
    refuse_given({{arguments.hold_out.share.has_value(), "--test-share"},
                  {arguments.relax.is_asked, "--relax"},
                  {arguments.output.report.has_value(), "--report"}},
                 arguments.data);
}

void refuse_rows(const PathArguments& arguments) {
    refuse_given(
        {{arguments.relax.is_asked, "--relax"}, {arguments.output.report.has_value(), "--report"}},
        arguments.data);
}

void refuse_rows(const CvArguments& arguments) {
    const bool are_summed =
        arguments.data.distribution == Distribution::none;  // by folds that were chosen then
    refuse_given({{are_summed && arguments.folds, "--folds"},
                  {are_summed && arguments.seed, "--seed"},
                  {arguments.data.groups_column.has_value(), "--folds-by"},
                  {arguments.repeats.has_value(), "--repeats"},
                  {arguments.stratified, "--stratified"},
                  {arguments.time_ordered, "--time-ordered"},
                  {arguments.ungrouped, "--ungrouped"},
                  {arguments.oof.has_value(), "--oof"},
                  {arguments.relax.is_asked, "--relax"},
                  {arguments.hold_out.share.has_value(), "--test-share"},
                  {arguments.output.report.has_value(), "--report"}},
                 arguments.data);
}

}  // namespace sven::cli
