#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cli/report.hpp"

namespace sven::cli {

std::string path_report(const PathRecord& record) {
    const std::span<const Solution> solutions = record.solutions;
    std::string text = data_summary(record.data);
    auto out = std::back_inserter(text);
    fmt::format_to(out, "\n{:>5}  {:>12}  {:>6}  {:>12}  {:>12}  {:>12}  {:>7}  {:>8}  {}\n", "",
                   "lambda", "alpha", "t", "lambda1", "lambda2", "nonzero", "gap", "status");
    double largest_gap = 0;
    for (std::size_t k = 0; k < solutions.size(); ++k) {
        const Solution& solution = solutions[k];
        largest_gap = std::max(largest_gap, solution.gap);
        fmt::format_to(
            out, "{:>5}  {:>12.6g}  {:>6}  {:>12.6g}  {:>12.6g}  {:>12.6g}  {:>7}  {:>8.1e}  {}\n",
            k + 1, solution.lambda, solution.alpha ? fmt::format("{:.4g}", *solution.alpha) : "-",
            solution.t, solution.l1, solution.l2, solution.coefficients.size(), solution.gap,
            name(solution.status));
    }
    fmt::format_to(out, "\n{} {} in {}, largest gap {:.1e}\n", solutions.size(),
                   solutions.size() == 1 ? "setting" : "settings", duration(record.seconds),
                   largest_gap);
    return text;
}

}  // namespace sven::cli
