#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <vector>

#include "cli/report.hpp"

namespace sven::cli {

namespace {

// Settings that a terminal is shown, the first and the last among them: a screen of 24 lines holds
// the table and what is around it.
constexpr std::size_t rows_on_a_screen = 15;
// Multiplications that the shares of explained deviance may take, about a second.
constexpr double most_work = 2e9;

double weight(const LoadedData& data, std::size_t i) {
    return data.weights.empty() ? 1.0 : data.weights[i];
}

// The sum of squares that is left, over the one about the mean; NaN if there is none.
double share_left(const LoadedData& data, const Solution& solution, bool has_intercept) {
    const std::vector<double> fitted = predict(data.table.X, solution);
    double total = 0;
    double mean = 0;
    for (std::size_t i = 0; i < data.y.size(); ++i) total += weight(data, i);
    for (std::size_t i = 0; i < data.y.size() && has_intercept; ++i)
        mean += weight(data, i) / total * data.y[i];
    double all = 0;
    double left = 0;
    for (std::size_t i = 0; i < data.y.size(); ++i) {
        all += weight(data, i) * (data.y[i] - mean) * (data.y[i] - mean);
        left += weight(data, i) * (data.y[i] - fitted[i]) * (data.y[i] - fitted[i]);
    }
    return left / all;
}

// Whether the shares can be had in little time.
bool is_cheap(const PathRecord& record) {
    double work = 0;
    for (const Solution& solution : record.solutions)
        work += static_cast<double>(record.data.rows()) *
                static_cast<double>(solution.coefficients.size() + 4);
    return work <= most_work;
}

std::string explained(const PathRecord& record, const Solution& solution, bool is_shown) {
    if (!is_shown) return "-";
    const double left = share_left(record.data, solution, !record.solver.no_intercept);
    return std::isfinite(left) ? fmt::format("{:.2f}", 100 * (1 - left)) : "-";
}

// All settings, or as many as a screen holds, evenly taken.
std::vector<std::size_t> settings_to_show(std::size_t count) {
    const bool is_screen = ::isatty(STDOUT_FILENO) != 0;
    const std::size_t rows = is_screen ? std::min(count, rows_on_a_screen) : count;
    std::vector<std::size_t> shown;
    for (std::size_t k = 0; k < rows; ++k)
        shown.push_back(rows == 1 ? 0 : k * (count - 1) / (rows - 1));
    return shown;
}

}  // namespace

std::size_t sensible_setting(const PathRecord& record) {
    const std::size_t last = record.solutions.size() - 1;
    if (last == 0 || !is_cheap(record)) return last;
    const auto n = static_cast<double>(record.data.rows());
    std::size_t best = last;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k <= last; ++k) {
        const auto features = static_cast<double>(record.solutions[k].coefficients.size());
        if (features > n / 2) continue;
        const double left =
            share_left(record.data, record.solutions[k], !record.solver.no_intercept);
        const double criterion = n * std::log(left) + features * std::log(n);
        if (criterion < least) {
            least = criterion;
            best = k;
        }
    }
    return best;
}

std::string path_report(const PathRecord& record) {
    const std::span<const Solution> solutions = record.solutions;
    std::string text = data_summary(record.data);
    auto out = std::back_inserter(text);
    fmt::format_to(out, "\n{:>5}  {:>12}  {:>6}  {:>12}  {:>12}  {:>12}  {:>7}  {:>6}  {:>8}  {}\n",
                   "", "lambda", "alpha", "t", "lambda1", "lambda2", "nonzero", "%Dev", "gap",
                   "status");
    const bool shows_shares = is_cheap(record);
    double largest_gap = 0;
    for (const Solution& solution : solutions) largest_gap = std::max(largest_gap, solution.gap);
    const std::vector<std::size_t> shown = settings_to_show(solutions.size());
    for (const std::size_t k : shown) {
        const Solution& solution = solutions[k];
        fmt::format_to(
            out,
            "{:>5}  {:>12.6g}  {:>6}  {:>12.6g}  {:>12.6g}  {:>12.6g}  {:>7}  {:>6}  {:>8.1e}  "
            "{}\n",
            k + 1, solution.lambda, solution.alpha ? fmt::format("{:.4g}", *solution.alpha) : "-",
            solution.t, solution.l1, solution.l2, solution.coefficients.size(),
            explained(record, solution, shows_shares), solution.gap, name(solution.status));
    }
    if (shown.size() < solutions.size())
        fmt::format_to(out, "{} of {} settings are shown; sven path ... | cat shows all\n",
                       shown.size(), solutions.size());
    fmt::format_to(out, "\n{} {} in {}, largest gap {:.1e}\n", solutions.size(),
                   solutions.size() == 1 ? "setting" : "settings", duration(record.seconds),
                   largest_gap);
    return text;
}

}  // namespace sven::cli
