#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <unordered_map>
#include <unordered_set>

#include "cli/checks.hpp"
#include "cli/csv_text.hpp"
#include "cli/interrupt.hpp"
#include "cli/json_reader.hpp"
#include "cli/load.hpp"
#include "cli/model_file.hpp"
#include "cli/output_file.hpp"
#include "cli/report.hpp"
#include "cli/run.hpp"

namespace sven::cli {

namespace {

// The rows to predict, with the coefficients mapped to the columns of the data.
struct Matched {
    io::Dataset table;
    std::vector<Coefficient> coefficients;
    std::vector<std::string> notes;
};

std::vector<std::string> needed_features(const Model& model) {
    std::vector<std::string> names;
    for (const Coefficient& coefficient : model.coefficients)
        names.push_back(model.features[static_cast<std::size_t>(coefficient.feature)]);
    return names;
}

// The columns of texts that a non-zero coefficient needs.
io::Encoding needed_encoding(const Model& model, const std::vector<std::string>& names) {
    const std::unordered_set<std::string> needed(names.begin(), names.end());
    io::Encoding encoding;
    encoding.means = model.encoding.means;
    encoding.dates = model.encoding.dates;
    for (const io::Encoding::Levels& text : model.encoding.one_hot) {
        const bool is_needed = std::any_of(
            text.levels.begin() + text.has_reference, text.levels.end(),
            [&](const std::string& level) { return needed.contains(text.column + "=" + level); });
        if (is_needed) encoding.one_hot.push_back(text);
    }
    return encoding;
}

// Columns of the data that the model does not know.
std::vector<std::string> unknown_columns(const Model& model, const io::Dataset& table) {
    std::unordered_set<std::string> known(model.features.begin(), model.features.end());
    for (const io::Encoding::Levels& text : model.encoding.one_hot) known.insert(text.column);
    known.insert(model.target);
    std::vector<std::string> unknown;
    for (const std::string& name : table.ignored)
        if (!known.contains(name)) unknown.push_back(name);
    return unknown;
}

Matched match_by_name(const PredictArguments& arguments, const Model& model) {
    const std::vector<std::string> names = needed_features(model);
    const io::Encoding encoding = needed_encoding(model, names);
    io::ReadOptions options = read_options(arguments.data);
    options.threads = arguments.threads.value_or(0);
    options.needs_target = arguments.data.target.has_value();
    if (!model.offset.empty()) options.offset_column = model.offset;
    options.target_may_be_missing = true;
    if (!options.target && !model.target.empty()) options.target = model.target;
    options.has_response = options.has_response && options.target.has_value();
    options.features = &names;
    options.encoding = &encoding;
    Matched matched;
    matched.table = read_table(arguments.data, options);

    std::unordered_map<std::string, Index> places;
    for (std::size_t j = 0; j < matched.table.feature_names.size(); ++j)
        places.emplace(matched.table.feature_names[j], static_cast<Index>(j));
    std::vector<std::string> missing;
    for (std::size_t k = 0; k < names.size(); ++k) {
        const auto found = places.find(names[k]);
        if (found == places.end()) {
            missing.push_back(names[k]);
            continue;
        }
        matched.coefficients.push_back(model.coefficients[k]);
        matched.coefficients.back().feature = found->second;
    }
    if (!missing.empty()) {
        throw InvalidArgument(fmt::format("{}: the model needs {} {} that {} not there: {}",
                                          arguments.data.data, missing.size(),
                                          missing.size() == 1 ? "column" : "columns",
                                          missing.size() == 1 ? "is" : "are", first_few(missing)));
    }
    const std::vector<std::string> unknown = unknown_columns(model, matched.table);
    if (!unknown.empty())
        matched.notes.push_back(
            fmt::format("{} {} not in the model, passed over: {}", unknown.size(),
                        unknown.size() == 1 ? "column is" : "columns are", first_few(unknown)));
    return matched;
}

// Without names in the model or the data, columns are matched by position.
Matched match_by_place(const PredictArguments& arguments, const Model& model, bool is_named) {
    io::ReadOptions options = read_options(arguments.data);
    options.threads = arguments.threads.value_or(0);
    options.least_features = model.feature_count;
    if (!model.offset.empty()) options.offset_column = model.offset;
    options.target_may_be_missing = true;
    options.has_response = options.has_response && (!is_named || options.target.has_value());
    Matched matched;
    matched.table = read_table(arguments.data, options);
    matched.coefficients = model.coefficients;
    if (cols(matched.table.X) != model.feature_count) {
        throw InvalidArgument(fmt::format("{} has {} features, but the model has {}",
                                          arguments.data.data, cols(matched.table.X),
                                          model.feature_count));
    }
    if (is_named != model.features.empty()) return matched;
    matched.notes.push_back(
        fmt::format("{} no names: columns are taken in their order",
                    is_named ? "the features of the model have" : "the columns of the data have"));
    return matched;
}

Matched match(const PredictArguments& arguments, const Model& model) {
    const io::Format format = io::format_of(arguments.data.data);
    const bool is_named =
        format == io::Format::csv || format == io::Format::tsv || format == io::Format::automatic;
    return is_named && !model.features.empty() ? match_by_name(arguments, model)
                                               : match_by_place(arguments, model, is_named);
}

std::string predictions_text(const io::Dataset& table, const std::vector<double>& predictions) {
    std::string text = table.row_names.empty() ? "prediction\n" : "id,prediction\n";
    const auto out = std::back_inserter(text);
    for (std::size_t i = 0; i < predictions.size(); ++i) {
        if (!table.row_names.empty())
            fmt::format_to(out, "{},", csv_field(table.row_names[i], ','));
        fmt::format_to(out, "{}\n", predictions[i]);
    }
    return text;
}

// Over the rows that have a target.
std::string metrics_text(std::vector<double> y, std::vector<double> predictions) {
    std::size_t known = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
        if (std::isnan(y[i])) continue;
        y[known] = y[i];
        predictions[known++] = predictions[i];
    }
    const std::size_t unknown = y.size() - known;
    if (known == 0) return {};
    y.resize(known);
    std::string text;
    if (unknown > 0)
        text = fmt::format("{} {} no target: compared are the other {}\n", unknown,
                           unknown == 1 ? "row has" : "rows have", known);
    const auto n = static_cast<double>(y.size());
    double mean = 0;
    for (const double value : y) mean += value / n;
    double squares = 0;
    double absolute = 0;
    double total = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
        const double error = y[i] - predictions[i];
        squares += error * error;
        absolute += std::abs(error);
        total += (y[i] - mean) * (y[i] - mean);
    }
    const std::string r2 =
        total > 0 ? fmt::format("{:.6g}", 1 - squares / total) : "none (the target is constant)";
    return text + fmt::format("MSE  {:.6g}\nMAE  {:.6g}\nR^2  {}\n", squares / n, absolute / n, r2);
}

}  // namespace

int run(const PredictArguments& arguments) {
    check(arguments);
    const Model model = read_model(arguments.model);
    Matched matched = match(arguments, model);
    const io::Dataset& table = matched.table;
    const Index rows = sven::rows(table.X);
    const std::vector<double> y = arguments.data.y ? read_response(arguments.data, rows) : table.y;
    const Interruptible scope;
    OutputFiles files;
    // Without a file the predictions are the output.
    OutputFile* const file = files.open(arguments.file == "-" ? std::nullopt : arguments.file);
    std::vector<double> predictions = predict(table.X, model.intercept, matched.coefficients);
    for (std::size_t i = 0; i < table.offset.size(); ++i) predictions[i] += table.offset[i];
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
    if (!y.empty()) text += metrics_text(y, predictions);
    const std::string content = predictions_text(table, predictions);
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
