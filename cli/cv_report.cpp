#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cli/fold_choice.hpp"
#include "cli/measures.hpp"
#include "cli/out_of_fold.hpp"
#include "cli/relaxing.hpp"
#include "cli/report.hpp"

namespace sven::cli {

namespace {

using Text = std::back_insert_iterator<std::string>;

// A choice of a curve; of relaxed fits at its own gamma.
void write_row(const CvCurve& curve, bool is_min, Text out) {
    const Index k = is_min ? curve.best : curve.one_standard_error;
    double mean = curve.mean[k];
    double error = curve.standard_error[k];
    std::string gamma;
    if (!curve.relaxed.curves.empty()) {
        const CvChoice& place = is_min ? curve.relaxed.best : curve.relaxed.one_standard_error;
        const GammaCurve& at = curve.relaxed.curves[place.gamma];
        mean = at.mean[k];
        error = at.standard_error[k];
        gamma = fmt::format("  {:>5.4g}", at.gamma);
    }
    fmt::format_to(out, "{:<3}{}  {:>12.6g}  {:>5}  {:>10.5g}  {:>10.4g}  {:>7}",
                   is_min ? "min" : "1se", gamma, curve.lambda[k], k + 1, mean, error,
                   curve.path[k].coefficients.size());
}

// The rest of the report: the model itself.
void write_model(const CvRecord& record, std::string& text) {
    const auto line = [&](const char* label, const std::string& words) {
        text += fmt::format("{:<11}  {}\n", label, words);
    };
    const FitRecord& model = record.model;
    text += '\n';
    text += coefficient_table(model);
    text += '\n';
    line("status", status_text(model.solution));
    line("gap", gap_text(model.solution));
    if (model.blending) line("relaxed", blending_text(*model.blending, model.solver.family));
    line(model.solver.family == Family::gaussian ? "R^2" : "explained", explained_text(record));
}

}  // namespace

std::string missed_text(const CvRecord& record) {
    if (record.missed() == 0) return {};
    return fmt::format(
        "{} of {} fold fits missed the tolerance {:g} (largest gap {:.2g}); their errors may be "
        "wrong",
        record.missed(), record.fold_fits(), options(record.model.solver).tolerance,
        record.worst_gap());
}

std::string cv_report(const CvRecord& record) {
    std::string text = data_summary(record.model.data);
    const auto out = std::back_inserter(text);
    const auto& curves = record.result.curves;
    const std::string folds = record.model.data.statistics
                                  ? fmt::format("{} folds of the statistics", record.folds)
                                  : folds_text(record.arguments, record.folds);
    fmt::format_to(out, "{}, {} {}, {}\n\n{}\n", folds, record.best().lambda.size(),
                   record.best().lambda.size() == 1 ? "lambda" : "lambdas",
                   duration(record.seconds),
                   title_of(record.arguments.measure, record.model.solver.family));
    const bool takes_min = record.arguments.choose == Choice::min;
    const bool has_several = curves.size() > 1;
    const std::string pad = has_several ? fmt::format("{:>7}  ", "alpha") : "";
    fmt::format_to(out, "{}{:<3}{}  {:>12}  {:>5}  {:>10}  {:>10}  {:>7}\n", pad, "",
                   record.model.blending ? "  Gamma" : "", "Lambda", "Index", "Measure", "SE",
                   "Nonzero");
    for (std::size_t c = 0; c < curves.size(); ++c) {
        const CvCurve& curve = curves[c];
        const bool is_best = static_cast<Index>(c) == record.result.best_curve;
        for (const bool is_min : {true, false}) {
            if (has_several)
                fmt::format_to(out, "{:>7}  ", is_min ? fmt::format("{:.4g}", curve.alpha) : "");
            write_row(curve, is_min, out);
            const bool is_chosen = is_best && is_min == takes_min;
            fmt::format_to(out, "{}\n", is_chosen ? "  *" : "");
        }
    }
    const char* const alphas = record.arguments.measure == Measure::auc
                                   ? " of the alpha with the largest area"
                                   : " of the alpha with the least error";
    fmt::format_to(out, "* the model, at lambda.{}{}; --choose {} takes the other\n",
                   takes_min ? "min" : "1se (the default)", has_several ? alphas : "",
                   takes_min ? "1se" : "min");
    if (record.missed() > 0) fmt::format_to(out, "warning: {}\n", missed_text(record));
    write_model(record, text);
    return text;
}

}  // namespace sven::cli
