#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cli/fold_choice.hpp"
#include "cli/measures.hpp"
#include "cli/out_of_fold.hpp"
#include "cli/report.hpp"

namespace sven::cli {

namespace {

void write_row(const CvCurve& curve, const char* label, Index k,
               std::back_insert_iterator<std::string> out) {
    fmt::format_to(out, "{:<3}  {:>12.6g}  {:>5}  {:>10.5g}  {:>10.4g}  {:>7}", label,
                   curve.lambda[k], k + 1, curve.mean[k], curve.standard_error[k],
                   curve.path[k].coefficients.size());
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
    fmt::format_to(
        out, "{}, {} {}, {}\n\n{}\n", folds_text(record.arguments, record.folds),
        record.best().lambda.size(), record.best().lambda.size() == 1 ? "lambda" : "lambdas",
        duration(record.seconds), title_of(record.arguments.measure, record.model.solver.family));
    const bool takes_min = record.arguments.choose == Choice::min;
    const bool has_several = curves.size() > 1;
    const std::string pad = has_several ? fmt::format("{:>7}  ", "alpha") : "";
    fmt::format_to(out, "{}{:<3}  {:>12}  {:>5}  {:>10}  {:>10}  {:>7}\n", pad, "", "Lambda",
                   "Index", "Measure", "SE", "Nonzero");
    for (std::size_t c = 0; c < curves.size(); ++c) {
        const CvCurve& curve = curves[c];
        const bool is_best = static_cast<Index>(c) == record.result.best_curve;
        for (const bool is_min : {true, false}) {
            if (has_several)
                fmt::format_to(out, "{:>7}  ", is_min ? fmt::format("{:.4g}", curve.alpha) : "");
            write_row(curve, is_min ? "min" : "1se", is_min ? curve.best : curve.one_standard_error,
                      out);
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
    text += "\n";
    text += coefficient_table(record.model);
    fmt::format_to(out, "\n{:<11}  {}\n{:<11}  {}\n", "status", status_text(record.model.solution),
                   "gap", gap_text(record.model.solution));
    fmt::format_to(out, "{:<11}  {}\n",
                   record.model.solver.family == Family::gaussian ? "R^2" : "explained",
                   explained_text(record));
    return text;
}

}  // namespace sven::cli
