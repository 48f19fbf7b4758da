#include "cli/settings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sven::cli {

namespace {

std::vector<Setting> settings_from_lambdas(const GridArguments& grid, char comment) {
    std::vector<Setting> settings;
    for (const double lambda : read_lambdas(*grid.lambdas, comment)) {
        settings.emplace_back(Mixing{lambda, grid.alpha.value_or(1), convention(grid)});
    }
    return settings;
}

// A column of numbers that must not be negative.
std::vector<double> settings_column(const std::string& path, const std::string& name,
                                    char comment) {
    const io::Dataset table = io::read(path, {.target = name, .comment = comment});
    const auto negative =
        std::find_if(table.y.begin(), table.y.end(), [](double value) { return value < 0; });
    if (negative != table.y.end()) {
        throw ParseError(fmt::format("{}: {} is {} in setting {}, but it must not be negative",
                                     path, name, *negative, negative - table.y.begin() + 1));
    }
    return table.y;
}

std::vector<Setting> settings_from_table(const std::string& path, char comment) {
    const std::vector<double> t = settings_column(path, "t", comment);
    const std::vector<double> l2 = settings_column(path, "lambda2", comment);
    std::vector<Setting> settings;
    for (std::size_t k = 0; k < t.size(); ++k) settings.emplace_back(Budget{t[k], l2[k]});
    return settings;
}

}  // namespace

Convention convention(const GridArguments& grid) {
    return grid.glmnet ? Convention::glmnet : Convention::documented;
}

Grid automatic_grid(const GridArguments& arguments, double alpha) {
    Grid grid;
    grid.alpha = alpha;
    grid.count = arguments.n_lambda.value_or(grid.count);
    grid.min_ratio = arguments.lambda_min_ratio.value_or(grid.min_ratio);
    grid.convention = convention(arguments);
    return grid;
}

std::vector<double> read_lambdas(const std::string& path, char comment) {
    return io::read_vector(path, {.nonnegative = true, .comment = comment});
}

std::vector<Setting> make_settings(const PathArguments& arguments, const Problem& problem,
                                   const Options& options, Session& session) {
    const GridArguments& grid = arguments.grid;
    const char comment = arguments.data.comment;
    if (grid.settings) return settings_from_table(*grid.settings, comment);
    if (grid.lambdas) return settings_from_lambdas(grid, comment);
    if (grid.distinct)
        return distinct_budgets(problem, automatic_grid(grid, grid.alpha.value_or(1)),
                                *grid.distinct, options);
    return session.lambda_grid(automatic_grid(grid, grid.alpha.value_or(1)));
}

}  // namespace sven::cli
