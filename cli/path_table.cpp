#include <fmt/format.h>

#include <iterator>

#include "cli/csv_text.hpp"
#include "cli/report.hpp"

namespace sven::cli {

std::string path_table(const PathRecord& record) {
    std::string text = "setting,lambda,alpha,t,feature,coefficient,standardized\n";
    const auto out = std::back_inserter(text);
    for (std::size_t k = 0; k < record.solutions.size(); ++k) {
        const Solution& solution = record.solutions[k];
        const std::string head = fmt::format(
            "{},{},{},{},", k + 1, solution.lambda,
            solution.alpha ? fmt::format("{}", *solution.alpha) : std::string(), solution.t);
        if (!record.solver.no_intercept)
            fmt::format_to(out, "{}(intercept),{},\n", head, solution.intercept);
        for (const Coefficient& coefficient : solution.coefficients)
            fmt::format_to(out, "{}{},{},{}\n", head,
                           csv_field(io::feature_name(record.data.table, coefficient.feature), ','),
                           coefficient.value, coefficient.standardized);
    }
    return text;
}

}  // namespace sven::cli
