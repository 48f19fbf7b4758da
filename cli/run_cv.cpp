#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "cli/checkpoint_file.hpp"
#include "cli/checks.hpp"
#include "cli/csv_text.hpp"
#include "cli/distributed.hpp"
#include "cli/document.hpp"
#include "cli/fold_choice.hpp"
#include "cli/hold_out.hpp"
#include "cli/html_report.hpp"
#include "cli/interrupt.hpp"
#include "cli/memory_limit.hpp"
#include "cli/out_of_fold.hpp"
#include "cli/output_file.hpp"
#include "cli/probable_mistakes.hpp"
#include "cli/progress.hpp"
#include "cli/relaxing.hpp"
#include "cli/report.hpp"
#include "cli/run.hpp"
#include "cli/settings.hpp"

namespace sven::cli {

namespace {

CrossValidation make_plan(const LoadedData& data, const CvArguments& arguments) {
    CrossValidation plan;
    if (!data.statistics) plan.folds = choose_folds(data, arguments);
    plan.grids.clear();
    plan.measure = arguments.measure;
    plan.grouped = !arguments.ungrouped;
    plan.keeps_predictions = !data.statistics && needs_predictions(arguments);
    if (arguments.relax.is_asked)
        plan.gammas = arguments.relax.gammas.empty() ? default_gammas() : arguments.relax.gammas;
    std::vector<double> alphas = arguments.alphas;
    if (alphas.empty()) alphas.push_back(1);
    for (const double alpha : alphas) plan.grids.push_back(automatic_grid(arguments.grid, alpha));
    if (arguments.grid.lambdas)
        plan.lambdas = read_lambdas(*arguments.grid.lambdas, arguments.data.comment);
    return plan;
}

DealtFolds dealt_folds(const CvArguments& arguments) {
    if (arguments.data.fold_column) return {};
    return {arguments.folds.value_or(10), arguments.seed};
}

// Settings, over all curves, that stopped before the tolerance.
Index count_short(const CvResult& result) {
    Index count = 0;
    for (const CvCurve& curve : result.curves)
        count += std::count_if(curve.path.begin(), curve.path.end(), [](const Solution& solution) {
            return solution.status == Status::iteration_limit;
        });
    return count;
}

std::string written_text(const CvArguments& arguments) {
    std::string text;
    const auto add = [&](const std::optional<std::string>& path, const char* what) {
        if (path && *path != "-") text += fmt::format("{} in {}\n", what, *path);
    };
    add(arguments.output.file, "model");
    add(arguments.save, "cross-validation");
    add(arguments.oof, "out-of-fold predictions");
    add(arguments.output.report, "report");
    return text.empty() ? text : "\n" + text;
}

void add_missing_refits(const CvResult& result, const std::optional<Blending>& blending,
                        Family family, std::vector<std::string>& warnings) {
    if (!blending) return;
    for (const std::string& none :
         {missing_fold_refits(result, family), missing_refits({&*blending, 1}, family)})
        if (!none.empty()) warnings.push_back(none);
}

// Why the run missed its tolerance; empty if it did not.
std::string shortfall(const CvRecord& record, const Options& solver) {
    const Index settings = count_short(record.result);
    std::string text;
    if (settings > 0)
        text = fmt::format("{} stopped above the tolerance of {:g}", counted(settings, "setting"),
                           solver.tolerance);
    if (!text.empty() && record.missed() > 0) text += ", and ";
    return text + missed_text(record);
}

// Where on the grid the best setting lies.
std::vector<std::string> about_grid(const CvRecord& record) {
    const Measure measure = record.arguments.measure;
    const bool is_mean = !record.model.solver.no_intercept && record.model.data.offset_name.empty();
    return {end_of_grid(record.best(), measure), nothing_predicts(record.best(), measure, is_mean)};
}

// The rows, or what is left of them.
LoadedData load_rows(const CvArguments& arguments) {
    LoadedData data = load_anywhere(arguments, dealt_folds(arguments));
    if (data.statistics) refuse_rows(arguments);
    return data;
}

CvResult cross_validate(const Problem& whole, const CrossValidation& plan,
                        const CvArguments& arguments, const Options& solver, Reads& reads) {
    ProgressBar bar(arguments.output.quiet);
    Session session(whole, bar.watch(solver));
    const auto validate = [&] {
        const ThrowsWithoutMemory scope;
        return session.cross_validate(plan);
    };
    CvResult found = validate();
    reads = session.reads();
    return arguments.relax.is_asked ? at_chosen_gammas(whole, std::move(found), arguments.choose)
                                    : found;
}

}  // namespace

int run(const CvArguments& given) {
    check(given);
    limit_memory(given.solver.memory);
    LoadedData data = load_rows(given);
    const CvArguments arguments = for_solver(given, data);
    const HoldOut test(arguments.hold_out, data, arguments.seed.value_or(1));
    const Interruptible scope;
    OutputFiles files;
    OutputFile* const model_file = files.open(arguments.output.file);
    OutputFile* const save_file = files.open(arguments.save);
    OutputFile* const oof_file = files.open(arguments.oof);
    OutputFile* const report_file = files.open(arguments.output.report);

    const CheckpointFile checkpoint(arguments.output.checkpoint);
    const Options solver = checkpoint.watch(options(arguments.solver));
    const Problem whole = problem(data, arguments.solver);
    const auto start = std::chrono::steady_clock::now();
    const CrossValidation plan = make_plan(data, arguments);
    Reads reads;
    const CvResult result = refusing_with_the_place(
        data, [&] { return cross_validate(whole, plan, arguments, solver, reads); });
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

    note_traffic(data);
    const CvCurve& curve = result.curves[result.best_curve];
    const Index at = choice_of(curve, arguments.choose);
    const Solution& solution = curve.path[at];
    const Mixing chosen{curve.lambda[at], curve.alpha, convention(arguments.grid)};
    std::optional<Blending> blending;
    if (arguments.relax.is_asked) blending = blending_of(curve, arguments.choose);
    add_missing_refits(result, blending, arguments.solver.family, data.warnings);
    FitRecord model{data, arguments.solver, chosen, solution, blending};
    model.held_out = test.judge(model, arguments.data);
    if (model.held_out) data.notes.push_back(held_out_text(*model.held_out));
    const auto folds =
        static_cast<Index>(data.statistics ? data.statistics->folds().size() : plan.folds.size());
    const CvRecord record{model, arguments, result, folds, seconds, reads};
    const bool needs_document = save_file || report_file || arguments.output.json;
    const Json document = needs_document ? cv_document(record) : Json();
    if (model_file) model_file->write(text_of(model_document(model, &record)));
    if (save_file) save_file->write(text_of(document));
    if (oof_file) oof_file->write(out_of_fold_table(record));
    if (report_file) report_file->write(html_report(document));
    files.say(arguments.output.json ? text_of(document) : cv_report(record));
    complain(left_out_text(data, solution));
    complain(left_out_in_folds_text(record));
    if (!arguments.output.quiet) warn(data.warnings);
    if (!arguments.output.quiet) complain(checkpoint.note());
    if (!arguments.output.quiet) warn(about_grid(record));
    if (const std::string short_of = shortfall(record, solver); !short_of.empty()) {
        complain(short_of + (files.empty() ? "" : "; nothing was written"));
        return 1;
    }
    files.commit(arguments.output.json ? "" : written_text(arguments));
    checkpoint.remove();
    return 0;
}

}  // namespace sven::cli
