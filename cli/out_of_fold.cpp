#include "cli/out_of_fold.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "cli/csv_text.hpp"

namespace sven::cli {

namespace {

std::string share_text(double share) {
    return std::isfinite(share) ? fmt::format("{:.4g}", share) : "none";
}

}  // namespace

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
                       share_text(assess_folds(record).explained()),
                       share_text(1 - solution.deviance / solution.null_deviance));
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
