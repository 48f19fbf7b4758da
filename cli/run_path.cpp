#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "cli/checks.hpp"
#include "cli/interrupt.hpp"
#include "cli/json.hpp"
#include "cli/load.hpp"
#include "cli/output_file.hpp"
#include "cli/report.hpp"
#include "cli/run.hpp"

namespace sven::cli {

namespace {

std::vector<Setting> settings_from_lambdas(const GridArguments& grid, Convention convention) {
    std::vector<Setting> settings;
    for (const double lambda : io::read_vector(*grid.lambdas, {.nonnegative = true})) {
        settings.emplace_back(Mixing{lambda, grid.alpha.value_or(1), convention});
    }
    return settings;
}

// A column of numbers that must not be negative.
std::vector<double> settings_column(const std::string& path, const std::string& name) {
    const io::Dataset table = io::read(path, {.target = name});
    const auto negative =
        std::find_if(table.y.begin(), table.y.end(), [](double value) { return value < 0; });
    if (negative != table.y.end()) {
        throw ParseError(fmt::format("{}: {} is {} in setting {}, but it must not be negative",
                                     path, name, *negative, negative - table.y.begin() + 1));
    }
    return table.y;
}

std::vector<Setting> settings_from_table(const std::string& path) {
    const std::vector<double> t = settings_column(path, "t");
    const std::vector<double> l2 = settings_column(path, "lambda2");
    std::vector<Setting> settings;
    for (std::size_t k = 0; k < t.size(); ++k) settings.emplace_back(Budget{t[k], l2[k]});
    return settings;
}

std::vector<Setting> make_settings(const GridArguments& grid, const Problem& problem,
                                   const Options& options) {
    const Convention convention = grid.glmnet ? Convention::glmnet : Convention::documented;
    if (grid.settings) return settings_from_table(*grid.settings);
    if (grid.lambdas) return settings_from_lambdas(grid, convention);
    Grid automatic;
    automatic.alpha = grid.alpha.value_or(1);
    automatic.count = grid.n_lambda.value_or(automatic.count);
    automatic.min_ratio = grid.lambda_min_ratio.value_or(automatic.min_ratio);
    automatic.convention = convention;
    return lambda_grid(problem, automatic, options);
}

std::vector<Solution> solve(const LoadedData& data, const PathArguments& arguments,
                            const Options& solver) {
    const Problem whole = problem(data, arguments.solver);
    try {
        return solve_path(whole, make_settings(arguments.grid, whole, solver), solver);
    } catch (const InvalidArgument& error) {
        throw InvalidArgument(describe_refusal(data, error));
    }
}

int report_limit(std::span<const Solution> solutions, Index short_ones, const Options& options,
                 bool has_file) {
    double largest = 0;
    for (const Solution& solution : solutions) largest = std::max(largest, solution.gap);
    complain(
        fmt::format("{} of {} settings stopped at a relative gap of up to {:.2g}, above the "
                    "tolerance of {:g}{}",
                    short_ones, solutions.size(), largest, options.tolerance,
                    has_file ? "; nothing was written" : ""));
    return 1;
}

Index count(std::span<const Solution> solutions, Status status) {
    return std::count_if(solutions.begin(), solutions.end(),
                         [&](const Solution& solution) { return solution.status == status; });
}

}  // namespace

int run(const PathArguments& arguments) {
    check(arguments);
    const LoadedData data = load(arguments.data, arguments.solver);
    const Interruptible scope;
    std::optional<OutputFile> file;
    if (arguments.output.file) file.emplace(*arguments.output.file);

    const Options solver = options(arguments.solver);
    const auto start = std::chrono::steady_clock::now();
    const std::vector<Solution> solutions = solve(data, arguments, solver);
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (count(solutions, Status::cancelled) > 0) throw Interrupted{};

    const Index short_ones = count(solutions, Status::iteration_limit);
    const bool needs_json = arguments.output.json || (file && short_ones == 0);
    const std::string json = needs_json ? path_json(data, solutions, seconds) : std::string();
    if (file && short_ones == 0) file->write(json);
    print(arguments.output.json ? json : path_report(data, solutions, seconds));
    if (short_ones > 0) return report_limit(solutions, short_ones, solver, file.has_value());
    if (file) file->commit();
    if (file && !arguments.output.json) print(fmt::format("path in {}\n", *arguments.output.file));
    return 0;
}

}  // namespace sven::cli
