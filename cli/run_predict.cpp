#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "cli/checks.hpp"
#include "cli/csv_text.hpp"
#include "cli/interrupt.hpp"
#include "cli/json_reader.hpp"
#include "cli/load.hpp"
#include "cli/match_model.hpp"
#include "cli/model_file.hpp"
#include "cli/output_file.hpp"
#include "cli/report.hpp"
#include "cli/run.hpp"

namespace sven::cli {

namespace {

// With names, the predictions are classes.
std::string predictions_text(const io::Dataset& table, const std::vector<double>& predictions,
                             const Classes& names) {
    std::string text = table.row_names.empty() ? "prediction\n" : "id,prediction\n";
    const auto out = std::back_inserter(text);
    for (std::size_t i = 0; i < predictions.size(); ++i) {
        if (!table.row_names.empty())
            fmt::format_to(out, "{},", csv_field(table.row_names[i], ','));
        if (names.empty())
            fmt::format_to(out, "{}\n", predictions[i]);
        else
            fmt::format_to(out, "{}\n", csv_field(names[predictions[i] == 1 ? 1 : 0], ','));
    }
    return text;
}

std::string metrics_text(const std::vector<double>& y, const std::vector<double>& predictions) {
    const Metrics metrics = compare(y, predictions);
    const std::size_t unknown = y.size() - metrics.known;
    if (metrics.known == 0) return {};
    std::string text;
    if (unknown > 0)
        text = fmt::format("{} {} no target: compared are the other {}\n", unknown,
                           unknown == 1 ? "row has" : "rows have", metrics.known);
    const std::string r2 = std::isnan(metrics.r2) ? "none (the target is constant)"
                                                  : fmt::format("{:.6g}", metrics.r2);
    return text + fmt::format("MSE  {:.6g}\nMAE  {:.6g}\nR^2  {}\n", metrics.mse, metrics.mae, r2);
}

}  // namespace

int run(const PredictArguments& arguments) {
    check(arguments);
    const Model model = read_model(arguments.model);
    Matched matched = match(arguments, model);
    const io::Dataset& table = matched.table;
    const Index rows = sven::rows(table.X);
    const std::vector<double>& y = matched.y;
    const Interruptible scope;
    OutputFiles files;
    // Without a file the predictions are the output.
    OutputFile* const file = files.open(arguments.file == "-" ? std::nullopt : arguments.file);
    std::vector<double> predictions = predict(matched, model.intercept);
    transform_predictions(model.family, arguments.type, predictions);
    for (std::size_t i = 0; i < predictions.size(); ++i) {
        if (!std::isfinite(predictions[i]))
            throw InvalidArgument(fmt::format(
                "{}: row {} (counted from 0) has no finite prediction", arguments.data.data, i));
    }

    std::string text =
        fmt::format("{}: {} {}, {} of {} features in use\n", shown_path(arguments.data.data), rows,
                    rows == 1 ? "row" : "rows", model.coefficients.size(), model.feature_count);
    if (table.imputed > 0)
        matched.notes.push_back(fmt::format("{} missing {} filled in by the means of the model",
                                            table.imputed,
                                            table.imputed == 1 ? "value" : "values"));
    for (const std::string& note : matched.notes) text += note + "\n";
    // a linear predictor is not to be compared with a class or a count
    const bool is_comparable =
        model.family == Family::gaussian || arguments.type == Prediction::response;
    if (!y.empty() && is_comparable) text += metrics_text(y, predictions);
    const std::string content = predictions_text(
        table, predictions, arguments.type == Prediction::label ? model.classes : Classes());
    if (file == nullptr) {
        print(content);
        fmt::print(stderr, "{}", text);
        return 0;
    }
    file->write(content);
    files.commit(text + fmt::format("predictions in {}\n", shown_path(*arguments.file)));
    return 0;
}

}  // namespace sven::cli
