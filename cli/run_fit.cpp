#include <fmt/format.h>

#include "cli/checks.hpp"
#include "cli/distributed.hpp"
#include "cli/document.hpp"
#include "cli/hold_out.hpp"
#include "cli/html_report.hpp"
#include "cli/interrupt.hpp"
#include "cli/load.hpp"
#include "cli/memory_limit.hpp"
#include "cli/output_file.hpp"
#include "cli/relaxing.hpp"
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
    PathRecord path{record.data, record.solver, {&record.solution, 1}, record.solution.seconds};
    if (record.blending) path.blendings = {&*record.blending, 1};
    path.held_out = record.held_out;
    return html_report(path_document(path));
}

// The solution, relaxed where that is asked for.
Solution solve(const Problem& whole, const FitArguments& arguments, const Setting& wanted,
               std::optional<Blending>& blending) {
    const Options solver = options(arguments.solver);
    if (!arguments.relax.is_asked) return fit(whole, wanted, solver);
    Session session(whole, solver);
    Solution penalised = session.fit(wanted);
    if (penalised.status == Status::cancelled) return penalised;
    const Relaxed relaxed = session.relax({&penalised, 1}).front();
    blending = {gamma_of(arguments.relax), relaxed.refit};
    return blend(whole, penalised, relaxed.solution, blending->gamma);
}

}  // namespace

int run(const FitArguments& given) {
    check(given);
    limit_memory(given.solver.memory);
    LoadedData data = load_anywhere(given);
    const FitArguments arguments = for_solver(given, data);
    if (data.statistics) refuse_rows(arguments);
    const HoldOut test(arguments.hold_out, data, arguments.seed.value_or(1));
    const Interruptible scope;
    OutputFiles files;
    OutputFile* const file = files.open(arguments.output.file);
    OutputFile* const report_file = files.open(arguments.output.report);

    const Options solver = options(arguments.solver);
    const Setting wanted = setting(arguments.setting);
    std::optional<Blending> blending;
    const Solution solution = refusing_with_the_place(
        data, [&] { return solve(problem(data, arguments.solver), arguments, wanted, blending); });
    if (solution.status == Status::cancelled) throw Interrupted{};
    note_traffic(data);
    if (blending)
        if (const std::string none = missing_refits({&*blending, 1}, arguments.solver.family);
            !none.empty())
            data.warnings.push_back(none);

    FitRecord record{data, arguments.solver, wanted, solution, blending};
    record.held_out = test.judge(record, arguments.data);
    if (record.held_out) data.notes.push_back(held_out_text(*record.held_out));
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
