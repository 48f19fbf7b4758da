#include "cli/out_of_fold.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <limits>

#include "cli/csv_text.hpp"

namespace sven::cli {

namespace {

std::string share_text(double share) {
    return std::isfinite(share) ? fmt::format("{:.4g}", share) : "none";
}

// Without predictions every row is tested once and judged by its square: the mean of the folds is
// that of the rows.
double explained_by_folds(const CvRecord& record) {
    if (!out_of_fold_means(record).empty()) return assess_folds(record).explained();
    const LoadedData& data = record.model.data;
    if (data.statistics) {  // which know the spread of the target about its mean or about zero
        if (record.model.solver.no_intercept) return std::numeric_limits<double>::quiet_NaN();
        return explained_share(
            record.best().mean[record.chosen()] * data.statistics->total_weight(),
            record.model.solution.null_deviance);
    }
    Assessment figures = assess(Family::gaussian, {data.y, data.y, data.weights});
    figures.deviance = record.best().mean[record.chosen()];
    return figures.explained();
}

}  // namespace

bool needs_predictions(const CvArguments& arguments) {
    const bool are_read = arguments.oof || arguments.save || arguments.output.report;
    const bool tests_once = !arguments.repeats && !arguments.time_ordered;
    const bool takes_squares =
        arguments.solver.family == Family::gaussian && arguments.measure != Measure::mae;
    return are_read || arguments.output.json || !tests_once || !takes_squares;
}

const std::vector<double>& out_of_fold_means(const CvRecord& record) {
    const OutOfFold& kept = record.best().out_of_fold;
    return record.arguments.choose == Choice::min ? kept.best : kept.one_standard_error;
}

Assessment assess_folds(const CvRecord& record) {
    const LoadedData& data = record.model.data;
    return assess(record.model.solver.family, {data.y, out_of_fold_means(record), data.weights});
}

std::string explained_text(const CvRecord& record) {
    const Solution& solution = record.model.solution;
    return fmt::format("{} cross-validated, {} on the rows of the fit",
                       share_text(explained_by_folds(record)),
                       share_text(explained_share(solution.deviance, solution.null_deviance)));
}

std::string out_of_fold_table(const CvRecord& record) {
    const LoadedData& data = record.model.data;
    const std::vector<double>& means = out_of_fold_means(record);
    const std::vector<std::string>& names = data.table.row_names;
    std::string text = names.empty() ? "row,actual,prediction\n" : "id,actual,prediction\n";
    const auto out = std::back_inserter(text);
    for (std::size_t i = 0; i < means.size(); ++i) {
        text += names.empty() ? std::to_string(i) : csv_field(names[i], ',');
        if (data.classes.empty())
            fmt::format_to(out, ",{},", data.y[i]);
        else
            fmt::format_to(out, ",{},", csv_field(data.classes[data.y[i] == 1 ? 1 : 0], ','));
        if (!std::isnan(means[i])) fmt::format_to(out, "{}", means[i]);
        text += '\n';
    }
    return text;
}

}  // namespace sven::cli
