#include <fmt/format.h>

#include "cli/checks.hpp"
#include "cli/document.hpp"
#include "cli/hold_out.hpp"
#include "cli/html_report.hpp"
#include "cli/interrupt.hpp"
#include "cli/load.hpp"
#include "cli/output_file.hpp"
#include "cli/report.hpp"
#include "cli/run.hpp"

namespace sven::cli {

namespace {

// If the tolerance was missed, the answer is shown with its true gap, but no model is written.
int report_limit(const Solution& solution, const Options& options, bool has_file) {
    complain(fmt::format(
        "stopped after {} steps at a relative gap of {:.2g}, above the tolerance of {:g}{}",
        solution.iterations, solution.gap, options.tolerance,
        has_file ? "; nothing was written" : ""));
    return 1;
}

// One setting is a path of one.
std::string page_of(const FitRecord& record) {
    return html_report(path_document(
        {record.data, record.solver, {&record.solution, 1}, record.solution.seconds}));
}

}  // namespace

int run(const FitArguments& arguments) {
    check(arguments);
    LoadedData data = load(arguments.data, arguments.solver);
    const HoldOut test(arguments.hold_out, data, arguments.seed.value_or(1));
    const Interruptible scope;
    OutputFiles files;
    OutputFile* const file = files.open(arguments.output.file);
    OutputFile* const report_file = files.open(arguments.output.report);

    const Options solver = options(arguments.solver);
    const Setting wanted = setting(arguments.setting);
    const Solution solution = refusing_with_the_place(
        data, [&] { return fit(problem(data, arguments.solver), wanted, solver); });
    if (solution.status == Status::cancelled) throw Interrupted{};

    const FitRecord record{data, arguments.solver, wanted, solution};
    for (const std::string& note : test.notes(record, arguments.data)) data.notes.push_back(note);
    const bool fell_short = solution.status == Status::iteration_limit;
    if (file && !fell_short) file->write(text_of(model_document(record)));
    if (report_file && !fell_short) report_file->write(page_of(record));
    files.say(arguments.output.json ? text_of(fit_document(record)) : fit_report(record));
    complain(left_out_text(data, solution));
    if (!arguments.output.quiet) warn(data.warnings);
    if (fell_short) return report_limit(solution, solver, !files.empty());
    files.commit(arguments.output.json ? "" : written_text(arguments.output, "model"));
    return 0;
}

}  // namespace sven::cli
