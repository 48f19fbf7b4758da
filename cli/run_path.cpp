#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "cli/checkpoint_file.hpp"
#include "cli/checks.hpp"
#include "cli/distributed.hpp"
#include "cli/document.hpp"
#include "cli/html_report.hpp"
#include "cli/interrupt.hpp"
#include "cli/load.hpp"
#include "cli/memory_limit.hpp"
#include "cli/output_file.hpp"
#include "cli/progress.hpp"
#include "cli/relaxing.hpp"
#include "cli/report.hpp"
#include "cli/run.hpp"
#include "cli/settings.hpp"

namespace sven::cli {

namespace {

struct Solved {
    BlendedPath path;
    Reads reads;
};

// Each setting, relaxed where that is asked for. The grid and the path are of one session: they
// share what the first pass finds.
Solved solve(const LoadedData& data, const PathArguments& arguments, const Options& solver) {
    const Problem whole = problem(data, arguments.solver);
    return refusing_with_the_place(data, [&]() -> Solved {
        Session session(whole, solver);
        std::vector<Solution> path =
            session.solve_path(make_settings(arguments, whole, solver, session));
        if (!arguments.relax.is_asked) return {{std::move(path), {}}, session.reads()};
        const std::vector<Relaxed> refits = session.relax(path);
        return {blended(whole, path, refits, gamma_of(arguments.relax)), session.reads()};
    });
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

std::string written_text(const PathArguments& arguments) {
    std::string text;
    const auto add = [&](const std::optional<std::string>& path, const char* what) {
        if (path && *path != "-") text += fmt::format("{} in {}\n", what, *path);
    };
    add(arguments.output.file, "path");
    add(arguments.csv, "coefficients");
    add(arguments.output.report, "report");
    return text;
}

}  // namespace

int run(const PathArguments& given) {
    check(given);
    limit_memory(given.solver.memory);
    LoadedData data = load_anywhere(given);
    const PathArguments arguments = for_solver(given, data);
    if (data.statistics) refuse_rows(arguments);
    const Interruptible scope;
    OutputFiles files;
    OutputFile* const file = files.open(arguments.output.file);
    OutputFile* const table_file = files.open(arguments.csv);
    OutputFile* const report_file = files.open(arguments.output.report);

    const CheckpointFile checkpoint(arguments.output.checkpoint);
    const Options solver = checkpoint.watch(options(arguments.solver));
    const auto start = std::chrono::steady_clock::now();
    Solved solved;
    {
        ProgressBar bar(arguments.output.quiet);
        solved = solve(data, arguments, bar.watch(solver));
    }
    const BlendedPath& path = solved.path;
    const std::vector<Solution>& solutions = path.solutions;
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (count(solutions, Status::cancelled) > 0) throw Interrupted{};

    note_traffic(data);
    if (const std::string none = missing_refits(path.blendings, arguments.solver.family);
        !none.empty())
        data.warnings.push_back(none);
    const PathRecord record{data,    arguments.solver, solutions,
                            seconds, path.blendings,   solved.reads};
    const Index short_ones = count(solutions, Status::iteration_limit);
    const Json document =
        arguments.output.json || file || report_file ? path_document(record) : Json();
    const std::string json = arguments.output.json || file ? text_of(document) : std::string();
    if (file) file->write(json);
    if (table_file) table_file->write(path_table(record));
    if (report_file) report_file->write(html_report(document));
    files.say(arguments.output.json ? json : path_report(record));
    if (!solutions.empty()) complain(left_out_text(data, solutions.front()));
    if (!arguments.output.quiet) warn(data.warnings);
    if (!arguments.output.quiet) complain(checkpoint.note());
    if (short_ones > 0) return report_limit(solutions, short_ones, solver, !files.empty());
    files.commit(arguments.output.json ? "" : written_text(arguments));
    checkpoint.remove();
    return 0;
}

}  // namespace sven::cli
