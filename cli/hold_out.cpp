#include "cli/hold_out.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cli/json_reader.hpp"
#include "cli/match_model.hpp"

namespace sven::cli {

namespace {

// Which rows are held out: the first of a random order. The folds of the same seed are another.
std::vector<char> choose_rows(Index rows, double share, std::uint64_t seed) {
    const auto count = std::max<Index>(1, std::lround(share * static_cast<double>(rows)));
    if (count > rows - 2)
        throw InvalidArgument(
            fmt::format("--test-share {} of {} rows leaves too few of them to fit", share, rows));
    std::vector<Index> order(static_cast<std::size_t>(rows));
    std::iota(order.begin(), order.end(), Index{0});
    SplitMix64 random(~seed);
    std::vector<char> is_held(order.size(), 0);
    for (Index k = 0; k < count; ++k) {
        std::swap(order[static_cast<std::size_t>(k)],
                  order[static_cast<std::size_t>(k + random.below(rows - k))]);
        is_held[static_cast<std::size_t>(order[static_cast<std::size_t>(k)])] = 1;
    }
    return is_held;
}

// Moves the values of held-out rows from one list to another.
template <class Value>
void split(std::vector<Value>& values, std::vector<Value>* held, const std::vector<char>& is_held) {
    if (values.empty()) return;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < is_held.size(); ++i) {
        if (is_held[i] && held != nullptr) held->push_back(values[i]);
        if (is_held[i]) continue;
        if (kept != i) values[kept] = std::move(values[i]);
        ++kept;
    }
    values.resize(kept);
}

std::string sentence(const std::string& which, const Metrics& metrics) {
    return fmt::format("on {} {} {}: MSE {:.6g}, MAE {:.6g}, R^2 {}", metrics.known,
                       metrics.known == 1 ? "row" : "rows", which, metrics.mse, metrics.mae,
                       std::isnan(metrics.r2) ? "none" : fmt::format("{:.6g}", metrics.r2));
}

Model model_of(const FitRecord& record) {
    Model model;
    model.target = record.data.target;
    model.offset = record.data.offset_name;
    model.features = record.data.table.feature_names;
    model.feature_count = record.data.cols();
    model.intercept = record.solution.intercept;
    model.coefficients = record.solution.coefficients;
    model.encoding = record.data.table.encoding;
    model.family = record.solver.family;
    model.classes = record.data.classes;
    model.failures = record.data.failures_name;
    model.variants = variants_of(record.data.table, record.solution.coefficients);
    return model;
}

}  // namespace

HoldOut::HoldOut(const HoldOutArguments& arguments, LoadedData& data, std::uint64_t seed)
    : arguments_(arguments) {
    if (arguments.share) take_rows(data, *arguments.share, seed);
}

void HoldOut::take_rows(LoadedData& data, double share, std::uint64_t seed) {
    const auto* const X = std::get_if<DenseView>(&data.table.X);
    if (X == nullptr || X->layout != Layout::column_major || X->scalar != Scalar::float64)
        throw UsageError(fmt::format(
            "--test-share needs a table of text, which {} is not; --test takes a file", data.path));
    const Index rows = data.rows();
    const std::vector<char> is_held = choose_rows(rows, share, seed);
    const auto held = static_cast<Index>(std::count(is_held.begin(), is_held.end(), 1));
    const auto block = std::make_shared<std::vector<double>>();
    block->reserve(static_cast<std::size_t>((rows - held) * X->cols));
    for (Index j = 0; j < X->cols; ++j) {
        const double* const column = static_cast<const double*>(X->data) + j * X->stride;
        for (Index i = 0; i < rows; ++i)
            (is_held[static_cast<std::size_t>(i)] ? block_ : *block).push_back(column[i]);
    }
    data.table.X = column_major(block->data(), rows - held, X->cols);
    data.table.storage = block;
    split(data.y, &y_, is_held);
    split<double>(data.weights, nullptr, is_held);
    split(data.offset, &offset_, is_held);
    split<double>(data.table.folds, nullptr, is_held);
    split<std::string>(data.table.row_names, nullptr, is_held);
}

std::vector<std::string> HoldOut::notes(const FitRecord& record,
                                        const TableArguments& table) const {
    std::vector<std::string> notes;
    if (arguments_.share) {
        const auto X =
            column_major(block_.data(), static_cast<Index>(y_.size()), record.data.cols());
        std::vector<double> predictions = sven::predict(X, record.solution);
        for (std::size_t i = 0; i < offset_.size(); ++i) predictions[i] += offset_[i];
        transform_predictions(record.solver.family, Prediction::response, predictions);
        notes.push_back(sentence("held out", compare(y_, predictions)));
    }
    if (!arguments_.file) return notes;
    PredictArguments test;
    test.data = table;
    test.data.data = *arguments_.file;
    test.data.y.reset();
    const Model model = model_of(record);
    const Matched matched = match(test, model);
    if (matched.y.empty())
        throw InvalidArgument(
            fmt::format("{}: there is no target to compare with", shown_path(*arguments_.file)));
    std::vector<double> predictions = predict(matched, model.intercept);
    transform_predictions(model.family, Prediction::response, predictions);
    notes.push_back(
        sentence("of " + shown_path(*arguments_.file), compare(matched.y, predictions)));
    return notes;
}

}  // namespace sven::cli
