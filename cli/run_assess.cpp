#include <fmt/format.h>

#include <cmath>

#include "cli/assessment.hpp"
#include "cli/checks.hpp"
#include "cli/interrupt.hpp"
#include "cli/json_reader.hpp"
#include "cli/match_model.hpp"
#include "cli/model_file.hpp"
#include "cli/output_file.hpp"
#include "cli/run.hpp"

namespace sven::cli {

int run(const AssessArguments& arguments) {
    check(arguments);
    const Model model = read_model(arguments.rows.model);
    const Matched matched = match(arguments.rows, model);
    const std::string path = shown_path(arguments.rows.data.data);
    if (matched.y.empty())
        throw InvalidArgument(fmt::format("{}: there is no target to compare with", path));
    std::vector<double> means = predict(matched, model.intercept);
    transform_predictions(model.family, Prediction::response, means);
    const JudgedRows rows{matched.y, std::move(means), weights_of(matched)};
    const Assessment figures = assess(model.family, rows);
    if (figures.rows == 0)
        throw InvalidArgument(fmt::format("{}: no row has a target to compare with", path));
    const Interruptible scope;
    OutputFiles files;
    OutputFile* const file = files.open(arguments.rows.file);
    Json document;
    document["family"] = name(model.family);
    document["target"] = model.target.empty() ? Json(nullptr) : Json(model.target);
    document.update(assessment_entry(figures, model.classes));
    if (file) file->write(text_of(document));
    std::string text = fmt::format("{}: {} {}, {} of {} features in use\n", path, figures.rows,
                                   figures.rows == 1 ? "row" : "rows", model.coefficients.size(),
                                   model.feature_count);
    for (const std::string& note : matched.notes) text += note + "\n";
    text += '\n';
    text += assessment_text(figures, model.classes);
    files.say(arguments.json ? text_of(document) : text);
    files.commit("");
    return 0;
}

}  // namespace sven::cli
