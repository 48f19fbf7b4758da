#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <vector>

#include "cli/relaxing.hpp"
#include "cli/report.hpp"

namespace sven::cli {

namespace {

// Settings that a terminal is shown, the first and the last among them: a screen of 24 lines holds
// the table and what is around it.
constexpr std::size_t rows_on_a_screen = 15;

// The share of the deviance that a solution leaves; not finite if there is none to explain.
double share_left(const Solution& solution) {
    return solution.deviance / solution.null_deviance;
}

std::string explained(const Solution& solution) {
    const double left = share_left(solution);
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
    if (last == 0) return last;
    const auto n = static_cast<double>(record.data.rows());
    std::size_t best = last;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k <= last; ++k) {
        const auto features = static_cast<double>(record.solutions[k].coefficients.size());
        if (features > n / 2) continue;
        const Solution& solution = record.solutions[k];
        const bool is_gaussian = record.solver.family == Family::gaussian;
        const double misfit = is_gaussian ? n * std::log(share_left(solution)) : solution.deviance;
        const double criterion = misfit + features * std::log(n);
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
            solution.t, solution.l1, solution.l2, solution.coefficients.size(), explained(solution),
            solution.gap,
            record.blendings.empty() || record.blendings[k].refit == Refit::done
                ? name(solution.status)
                : "not relaxed");
    }
    if (shown.size() < solutions.size())
        fmt::format_to(out, "{} of {} settings are shown; sven path ... | cat shows all\n",
                       shown.size(), solutions.size());
    fmt::format_to(out, "\n{} {} in {}, largest gap {:.1e}\n", solutions.size(),
                   solutions.size() == 1 ? "setting" : "settings", duration(record.seconds),
                   largest_gap);
    // statistics have no X to read
    if (record.reads.passes > 0) fmt::format_to(out, "{}\n", reads_text(record.reads));
    if (!record.blendings.empty())
        fmt::format_to(
            out, "relaxed, {}\n",
            blending_text({record.blendings.front().gamma, Refit::done}, record.solver.family));
    return text;
}

}  // namespace sven::cli
