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
    split(data.weights, &weights_, is_held);
    split(data.offset, &offset_, is_held);
    split<double>(data.table.folds, nullptr, is_held);
    split<std::string>(data.table.row_names, nullptr, is_held);
}

JudgedRows HoldOut::judged_rows(const FitRecord& record) const {
    const auto X = column_major(block_.data(), static_cast<Index>(y_.size()), record.data.cols());
    JudgedRows rows{y_, sven::predict(X, record.solution), weights_};
    for (std::size_t i = 0; i < offset_.size(); ++i) rows.means[i] += offset_[i];
    return rows;
}

std::optional<HeldOut> HoldOut::judge(const FitRecord& record, const DataArguments& data) const {
    const Family family = record.solver.family;
    HeldOut held{"held out", {}};
    JudgedRows rows;
    if (arguments_.share) {
        rows = judged_rows(record);
    } else if (arguments_.file) {
        PredictArguments test;
        test.data = data;
        test.weights_column = data.weights_column;
        test.data.data = *arguments_.file;
        test.data.y.reset();
        const Model model = model_of(record);
        const Matched matched = match(test, model);
        const std::string path = shown_path(*arguments_.file);
        if (matched.y.empty())
            throw InvalidArgument(fmt::format("{}: there is no target to compare with", path));
        rows = {matched.y, predict(matched, model.intercept), weights_of(matched)};
        held.which = "of " + path;
    } else {
        return std::nullopt;
    }
    transform_predictions(family, Prediction::response, rows.means);
    held.figures = assess(family, rows);
    return held;
}

std::string held_out_text(const HeldOut& held_out) {
    const Assessment& figures = held_out.figures;
    const auto text = [](double number) {
        return std::isfinite(number) ? fmt::format("{:.6g}", number) : std::string("none");
    };
    std::string sentence = fmt::format("on {} {} {}: ", figures.rows,
                                       figures.rows == 1 ? "row" : "rows", held_out.which);
    if (figures.family == Family::gaussian)
        return sentence + fmt::format("MSE {}, MAE {}, R^2 {}", text(figures.mse),
                                      text(figures.mae), text(figures.explained()));
    sentence += fmt::format("deviance {} a row, explained {}", text(figures.deviance),
                            text(figures.explained()));
    if (figures.family == Family::binomial)
        sentence += fmt::format(", error {}, AUC {}", text(figures.error), text(figures.auc));
    return sentence;
}

}  // namespace sven::cli
