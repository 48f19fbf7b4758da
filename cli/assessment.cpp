#include "cli/assessment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

namespace sven::cli {

namespace {

constexpr std::size_t bins = 10;
// Points of a curve that a page draws: more are not seen.
constexpr std::size_t most_points = 400;

// Only the rows that count.
JudgedRows complete(const JudgedRows& given) {
    JudgedRows rows;
    for (std::size_t i = 0; i < given.y.size(); ++i) {
        const double weight = given.weights.empty() ? 1 : given.weights[i];
        if (std::isnan(given.y[i]) || std::isnan(given.means[i]) || weight == 0) continue;
        rows.y.push_back(given.y[i]);
        rows.means.push_back(given.means[i]);
        rows.weights.push_back(weight);
    }
    return rows;
}

void count_classes(const JudgedRows& rows, Assessment& figures) {
    std::array<CalibrationBin, bins> table;
    for (std::size_t i = 0; i < rows.y.size(); ++i) {
        const double w = rows.weights[i];
        const double mean = rows.means[i];
        const std::size_t predicted = mean > 0.5 ? 1 : 0;
        figures.confusion[0][predicted] += w * (1 - rows.y[i]);
        figures.confusion[1][predicted] += w * rows.y[i];
        CalibrationBin& bin =
            table[std::min(bins - 1, static_cast<std::size_t>(mean * static_cast<double>(bins)))];
        bin.weight += w;
        bin.predicted += w * mean;
        bin.observed += w * rows.y[i];
    }
    for (std::size_t k = 0; k < bins; ++k) {
        CalibrationBin& bin = table[k];
        if (bin.weight == 0) continue;
        bin.from = static_cast<double>(k) / static_cast<double>(bins);
        bin.to = static_cast<double>(k + 1) / static_cast<double>(bins);
        bin.predicted /= bin.weight;
        bin.observed /= bin.weight;
        figures.calibration.push_back(bin);
    }
}

// From the largest probability down, one point for each that differs.
std::vector<RocPoint> roc_of(const JudgedRows& rows, const Assessment& figures) {
    const double negatives = figures.confusion[0][0] + figures.confusion[0][1];
    const double positives = figures.confusion[1][0] + figures.confusion[1][1];
    if (!(negatives > 0 && positives > 0)) return {};
    std::vector<std::size_t> order(rows.y.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return rows.means[a] > rows.means[b]; });
    std::vector<RocPoint> points{{0, 0}};
    double taken[2] = {0, 0};
    for (std::size_t k = 0; k < order.size(); ++k) {
        const std::size_t i = order[k];
        taken[0] += rows.weights[i] * (1 - rows.y[i]);
        taken[1] += rows.weights[i] * rows.y[i];
        if (k + 1 < order.size() && rows.means[order[k + 1]] == rows.means[i]) continue;
        points.push_back({taken[0] / negatives, taken[1] / positives});
    }
    const std::size_t step = (points.size() + most_points - 1) / most_points;
    std::vector<RocPoint> drawn;
    for (std::size_t k = 0; k + 1 < points.size(); k += step) drawn.push_back(points[k]);
    drawn.push_back(points.back());
    return drawn;
}

Json or_null(double number) {
    return std::isfinite(number) ? Json(number) : Json(nullptr);
}

std::string or_none(double number) {
    return std::isfinite(number) ? fmt::format("{:.6g}", number) : "none";
}

std::string class_tables(const Assessment& figures, const Classes& classes) {
    const Classes names = classes.empty() ? Classes{"0", "1"} : classes;
    const auto width = std::max({names[0].size(), names[1].size(), std::string("actual").size()});
    std::string text;
    const auto out = std::back_inserter(text);
    fmt::format_to(out, "\n{:<{}}  {:>16}  {:>16}\n", "actual", width, "predicted " + names[0],
                   "predicted " + names[1]);
    for (std::size_t k = 0; k < 2; ++k)
        fmt::format_to(out, "{:<{}}  {:>16.6g}  {:>16.6g}\n", names[k], width,
                       figures.confusion[k][0], figures.confusion[k][1]);
    fmt::format_to(out, "\n{:<12}  {:>9}  {:>9}  {:>9}\n", "probability", "rows", "predicted",
                   "observed");
    for (const CalibrationBin& bin : figures.calibration)
        fmt::format_to(out, "{:<12}  {:>9.6g}  {:>9.4f}  {:>9.4f}\n",
                       fmt::format("{:.1f} to {:.1f}", bin.from, bin.to), bin.weight, bin.predicted,
                       bin.observed);
    return text;
}

}  // namespace

double explained_share(double deviance, double null_deviance) {
    constexpr double rounding = 1e-12;  // of sums over a great many rows
    const double share = null_deviance > 0 ? 1 - deviance / null_deviance : std::nan("");
    return std::abs(share) < rounding ? 0 : share;
}

double Assessment::explained() const {
    return explained_share(deviance, null_deviance);
}

Assessment assess(Family family, const JudgedRows& given) {
    const JudgedRows rows = complete(given);
    Assessment figures;
    figures.family = family;
    figures.rows = static_cast<Index>(rows.y.size());
    if (figures.rows == 0) return figures;
    figures.weight = std::accumulate(rows.weights.begin(), rows.weights.end(), 0.0);
    const double mean =
        std::inner_product(rows.y.begin(), rows.y.end(), rows.weights.begin(), 0.0) /
        figures.weight;
    const auto judge = [&](Measure measure, const std::vector<double>& means) {
        return measured(family, measure, rows.y, means, rows.weights);
    };
    figures.deviance = judge(Measure::deviance, rows.means);
    figures.null_deviance = judge(Measure::deviance, std::vector<double>(rows.y.size(), mean));
    figures.mse = judge(Measure::mse, rows.means);
    figures.mae = judge(Measure::mae, rows.means);
    if (family != Family::binomial) return figures;
    figures.error = judge(Measure::classification, rows.means);
    figures.auc = mean > 0 && mean < 1 ? judge(Measure::auc, rows.means) : std::nan("");
    count_classes(rows, figures);
    figures.roc = roc_of(rows, figures);
    return figures;
}

Json assessment_entry(const Assessment& figures, const Classes& classes) {
    Json entry;
    entry["rows"] = figures.rows;
    entry["weight"] = figures.weight;
    entry["deviance"] = figures.deviance;
    entry["null_deviance"] = figures.null_deviance;
    entry["explained"] = or_null(figures.explained());
    if (figures.family != Family::binomial) {
        entry["mse"] = figures.mse;
        entry["mae"] = figures.mae;
        return entry;
    }
    entry["error"] = figures.error;
    entry["auc"] = or_null(figures.auc);
    entry["classes"] = classes.empty() ? Classes{"0", "1"} : classes;
    entry["confusion"] = figures.confusion;
    entry["calibration"] = Json::array();
    for (const CalibrationBin& bin : figures.calibration)
        entry["calibration"].push_back({{"from", bin.from},
                                        {"to", bin.to},
                                        {"weight", bin.weight},
                                        {"predicted", bin.predicted},
                                        {"observed", bin.observed}});
    entry["roc"] = {{"false_positive", Json::array()}, {"true_positive", Json::array()}};
    for (const RocPoint& point : figures.roc) {
        entry["roc"]["false_positive"].push_back(point.false_positive);
        entry["roc"]["true_positive"].push_back(point.true_positive);
    }
    return entry;
}

std::string assessment_text(const Assessment& figures, const Classes& classes) {
    std::string text;
    const auto line = [&](const char* label, const std::string& value) {
        text += fmt::format("{:<9}  {}\n", label, value);
    };
    line("deviance", fmt::format("{:.6g} a row, {:.6g} by the mean alone", figures.deviance,
                                 figures.null_deviance));
    if (figures.family == Family::binomial) {
        line("explained", or_none(figures.explained()));
        line("error", fmt::format("{:.6g}", figures.error));
        line("AUC", or_none(figures.auc));
        return text + class_tables(figures, classes);
    }
    line("MSE", fmt::format("{:.6g}", figures.mse));
    line("MAE", fmt::format("{:.6g}", figures.mae));
    line(figures.family == Family::gaussian ? "R^2" : "explained", or_none(figures.explained()));
    return text;
}

}  // namespace sven::cli
