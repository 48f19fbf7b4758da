#include <fmt/format.h>

#include <limits>

#include "cli/checks.hpp"
#include "cli/csv_text.hpp"
#include "cli/interrupt.hpp"
#include "cli/load.hpp"
#include "cli/run.hpp"
#include "cli/write_table.hpp"

namespace sven::cli {

namespace {

// A table stays a table: columns get roles only on request, or if the new format requires a target.
io::ReadOptions conversion_options(const ConvertArguments& arguments) {
    io::ReadOptions options = read_options(arguments.table);
    options.threads = arguments.threads.value_or(0);
    options.load_limit = std::numeric_limits<Index>::max();  // rows are written, columns are blocks
    const bool needs_target = io::format_of(arguments.output) == io::Format::svmlight;
    const bool is_text = io::format_of(arguments.table.data) != io::Format::svmlight;
    if (is_text && !arguments.table.target && !needs_target) options.has_response = false;
    return options;
}

}  // namespace

int run(const ConvertArguments& arguments) {
    check(arguments);
    const io::Dataset table = read_table(arguments.table, conversion_options(arguments));
    const Index rows = sven::rows(table.X);
    const std::vector<double> y =
        arguments.table.y ? read_response(arguments.table, rows) : table.y;
    const io::Format format = io::format_of(arguments.output);
    const bool has_place = keeps_target(format, arguments.y_output.has_value());
    if (!y.empty() && !has_place && !arguments.y_output) {
        throw UsageError(
            fmt::format("{} has no place for the target; give --y-out FILE", arguments.output));
    }
    if (y.empty() && (arguments.y_output || format == io::Format::svmlight)) {
        throw UsageError(fmt::format("{} needs a target; give --target NAME or --y FILE",
                                     arguments.y_output.value_or(arguments.output)));
    }
    const Interruptible scope;
    OutputFiles files;
    OutputFile* const file = files.open(arguments.output);
    OutputFile* const y_file = files.open(arguments.y_output);
    const std::vector<double> nothing;
    const std::string target = table.target_name.empty() ? "y" : table.target_name;
    write_table({table, has_place ? y : nothing, target}, arguments.output, *file);
    if (y_file != nullptr) write_vector(y, *arguments.y_output, *y_file);
    files.commit(fmt::format("{}: {} {}, {} {}{}\n", arguments.output, rows,
                             rows == 1 ? "row" : "rows", cols(table.X),
                             cols(table.X) == 1 ? "feature" : "features",
                             y.empty() ? "" : fmt::format(", target {}", target)));
    return 0;
}

}  // namespace sven::cli
