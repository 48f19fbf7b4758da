#include "cli/match_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "cli/assessment.hpp"
#include "cli/csv_text.hpp"
#include "cli/json_reader.hpp"
#include "cli/load.hpp"
#include "cli/match_variants.hpp"

namespace sven::cli {

namespace {

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
    known.insert(model.failures);
    std::vector<std::string> unknown;
    for (const std::string& name : table.ignored)
        if (!known.contains(name)) unknown.push_back(name);
    return unknown;
}

// The target, by the names and the classes of the model.
void want_target(const Model& model, io::ReadOptions& options) {
    if (!options.target && !model.target.empty()) options.target = model.target;
    options.target_may_be_missing = true;
    options.target_may_be_text = !model.classes.empty() && options.has_response;
    if (model.failures.empty() || !options.target) return;
    const auto [successes, failures] = split_counts(*options.target);
    options.target = successes;
    options.failures_column = failures.empty() ? model.failures : failures;
}

Matched match_by_name(const PredictArguments& arguments, const Model& model) {
    const std::vector<std::string> names = needed_features(model);
    const io::Encoding encoding = needed_encoding(model, names);
    io::ReadOptions options = read_options(arguments.data);
    options.threads = arguments.threads.value_or(0);
    options.weights_column = arguments.weights_column;
    options.needs_target = arguments.data.target.has_value();
    if (!model.offset.empty()) options.offset_column = model.offset;
    want_target(model, options);
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
    options.weights_column = arguments.weights_column;
    options.least_features = model.feature_count;
    if (!model.offset.empty()) options.offset_column = model.offset;
    options.target_may_be_missing = true;
    options.has_response = options.has_response && (!is_named || options.target.has_value());
    Matched matched;
    matched.table = read_table(arguments.data, options);
    matched.coefficients = model.coefficients;
    if (cols(matched.table.X) != model.feature_count) {
        throw InvalidArgument(fmt::format("{} has {}, but the model has {}", arguments.data.data,
                                          counted(cols(matched.table.X), "feature"),
                                          model.feature_count));
    }
    if (is_named != model.features.empty()) return matched;
    matched.notes.push_back(
        fmt::format("{} no names: columns are taken in their order",
                    is_named ? "the features of the model have" : "the columns of the data have"));
    return matched;
}

}  // namespace

Matched match(const PredictArguments& arguments, const Model& model) {
    const io::Format format = io::format_of(arguments.data.data);
    const bool is_named =
        format == io::Format::csv || format == io::Format::tsv || format == io::Format::automatic;
    Matched matched = [&] {
        if (format == io::Format::plink) return match_variants(arguments, model);
        return is_named && !model.features.empty() ? match_by_name(arguments, model)
                                                   : match_by_place(arguments, model, is_named);
    }();
    if (arguments.data.y) matched.table.y = read_response(arguments.data, rows(matched.table.X));
    if (matched.table.y.empty()) return matched;
    BinomialTarget target =
        known_target(matched.table, shown_path(arguments.data.data), model.classes);
    matched.y = std::move(target.y);
    matched.trials = std::move(target.trials);
    return matched;
}

std::vector<double> predict(const Matched& matched, double intercept) {
    std::vector<double> predictions =
        sven::predict(matched.table.X, intercept + matched.moved_intercept, matched.coefficients);
    const std::vector<double>& offset = matched.table.offset;
    for (std::size_t i = 0; i < offset.size(); ++i) predictions[i] += offset[i];
    return predictions;
}

std::vector<double> weights_of(const Matched& matched) {
    std::vector<double> weights = matched.table.weights;
    if (matched.trials.empty()) return weights;
    if (weights.empty()) return matched.trials;
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] *= matched.trials[i];
    return weights;
}

Metrics compare(const std::vector<double>& y, const std::vector<double>& predictions) {
    Metrics metrics;
    double mean = 0;
    for (const double value : y) {
        if (std::isnan(value)) continue;
        mean += value;
        ++metrics.known;
    }
    if (metrics.known == 0) return metrics;
    const auto n = static_cast<double>(metrics.known);
    mean /= n;
    double total = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
        if (std::isnan(y[i])) continue;
        const double error = y[i] - predictions[i];
        metrics.mse += error * error / n;
        metrics.mae += std::abs(error) / n;
        total += (y[i] - mean) * (y[i] - mean) / n;
    }
    metrics.r2 = explained_share(metrics.mse, total);
    return metrics;
}

}  // namespace sven::cli
