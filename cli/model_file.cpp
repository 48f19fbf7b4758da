#include "cli/model_file.hpp"

#include <algorithm>

#include "cli/json_reader.hpp"

namespace sven::cli {

namespace {

Coefficient read_coefficient(const JsonReader& entry, const Model& model) {
    Coefficient coefficient;
    coefficient.feature = entry.at("index").count();
    coefficient.value = entry.at("value").number();
    coefficient.standardized = entry.at("standardized").number();
    if (coefficient.feature >= model.feature_count)
        entry.at("index").refuse("is not below the number of features");
    const std::string name = entry.at("feature").text();
    const auto place = static_cast<std::size_t>(coefficient.feature);
    if (!model.features.empty() && model.features[place] != name)
        entry.at("feature").refuse("is not the feature of that index");
    return coefficient;
}

io::Encoding read_encoding(const JsonReader& entry) {
    io::Encoding encoding;
    for (const JsonReader& text : entry.at("one_hot").items()) {
        // The first files of this version have no feature for the first level.
        const bool has_reference =
            !text.raw().contains("has_reference") || text.at("has_reference").flag();
        encoding.one_hot.push_back(
            {text.at("column").text(), text.at("levels").texts(), has_reference});
        const auto& levels = encoding.one_hot.back().levels;
        if (levels.empty() || !std::is_sorted(levels.begin(), levels.end()))
            text.at("levels").refuse("is not a sorted list of texts");
    }
    const JsonReader means = entry.at("means");
    if (!means.raw().is_object()) means.refuse("is not an object");
    for (const auto& [name, unused] : means.raw().items())
        encoding.means.emplace_back(name, means.at(name).number());
    if (entry.raw().contains("dates")) encoding.dates = entry.at("dates").texts();
    return encoding;
}

Family read_family(const JsonReader& entry) {
    const std::string text = entry.text();
    for (const Family family : {Family::gaussian, Family::binomial, Family::poisson})
        if (text == name(family)) return family;
    entry.refuse("is no family that is known");
}

void check_setting(const JsonReader& setting) {
    for (const char* const key : {"t", "lambda1", "lambda2", "lambda", "objective", "gap"})
        (void)setting.at(key).number();
    (void)setting.at("status").text();
    if (!setting.at("alpha").is_null()) (void)setting.at("alpha").number();
    for (const char* const key :
         {"proven_selected", "proven_zero", "undecided", "nonzero", "iterations"})
        (void)setting.at(key).count();
    (void)setting.at("intercept").number();
    if (setting.raw().contains("relaxed")) {
        (void)setting.at("relaxed").at("gamma").number();
        (void)setting.at("relaxed").at("refit").text();
    }
    for (const JsonReader& entry : setting.at("coefficients").items()) {
        (void)entry.at("feature").text();
        (void)entry.at("index").count();
        (void)entry.at("value").number();
        (void)entry.at("standardized").number();
        if (entry.raw().contains("proof")) (void)entry.at("proof").text();
    }
    if (!setting.raw().contains("undecided_zeros")) return;
    for (const JsonReader& entry : setting.at("undecided_zeros").items()) {
        (void)entry.at("feature").text();
        (void)entry.at("index").count();
    }
}

void check_settings(const JsonReader& settings) {
    const std::vector<JsonReader> items = settings.items();
    if (items.empty()) settings.refuse("is empty");
    for (const JsonReader& setting : items) check_setting(setting);
}

void check_place(const JsonReader& place, std::size_t size) {
    if (place.count() >= static_cast<Index>(size)) place.refuse("is out of range");
}

void check_head(const JsonReader& document) {
    (void)document.at("sven").text();
    (void)document.at("n").count();
    (void)document.at("p").count();
    (void)document.at("seconds").number();
    const JsonReader data = document.at("data");
    (void)data.at("file").text();
    if (!data.at("target").is_null()) (void)data.at("target").text();
    (void)data.at("kind").text();
    (void)data.at("notes").texts();
    if (data.at("y").is_null())
        data.at("y").refuse("is not known: results of statistics have no rows to draw");
    for (const char* const key : {"mean", "deviation", "min", "max"})
        (void)data.at("y").at(key).number();
    const JsonReader options = document.at("options");
    (void)options.at("weighted").flag();
    (void)options.at("tolerance").number();
    if (options.raw().contains("family")) (void)read_family(options.at("family"));
    if (document.raw().contains("left_out")) {  // only if columns were left out
        for (const JsonReader& entry : document.at("left_out").items()) {
            (void)entry.at("feature").text();
            (void)entry.at("index").count();
        }
    }
    const JsonReader fitted = document.at("fitted");
    const std::size_t rows = fitted.at("rows").numbers().size();
    if (fitted.at("actual").numbers().size() != rows ||
        fitted.at("predicted").numbers().size() != rows)
        fitted.refuse("has lists of different lengths");
}

void check_list(const JsonReader& list, std::size_t size) {
    if (list.numbers().size() != size) list.refuse("is of another length");
}

// Not in the first files of this version.
void check_out_of_fold(const JsonReader& document) {
    if (!document.raw().contains("out_of_fold")) return;
    const JsonReader kept = document.at("out_of_fold");
    const std::size_t rows = kept.at("rows").numbers().size();
    check_list(kept.at("actual"), rows);
    const std::vector<JsonReader> predicted = kept.at("predicted").items();
    if (predicted.size() != rows) kept.refuse("has lists of different lengths");
    for (const JsonReader& mean : predicted)
        if (!mean.is_null()) (void)mean.number();
    const JsonReader figures = kept.at("assessment");
    for (const char* const key : {"deviance", "null_deviance"}) (void)figures.at(key).number();
    if (!figures.at("explained").is_null()) (void)figures.at("explained").number();
    if (!figures.raw().contains("confusion")) return;
    if (!figures.at("auc").is_null()) (void)figures.at("auc").number();
    (void)figures.at("error").number();
    if (figures.at("classes").texts().size() != 2)
        figures.at("classes").refuse("has not two names");
    if (figures.at("confusion").items().size() != 2)
        figures.at("confusion").refuse("is no table of two classes");
    for (const JsonReader& row : figures.at("confusion").items()) check_list(row, 2);
    for (const JsonReader& bin : figures.at("calibration").items())
        for (const char* const key : {"from", "to", "weight", "predicted", "observed"})
            (void)bin.at(key).number();
    const JsonReader roc = figures.at("roc");
    check_list(roc.at("true_positive"), roc.at("false_positive").numbers().size());
}

void check_folds(const JsonReader& setting) {
    const std::size_t folds = setting.at("fold_errors").numbers().size();
    if (!setting.raw().contains("fold_gaps")) return;  // not in the first files of this version
    if (setting.at("fold_gaps").numbers().size() != folds ||
        setting.at("fold_statuses").texts().size() != folds)
        setting.refuse("has lists of folds of different lengths");
}

// Of relaxed fits alone.
void check_gammas(const JsonReader& curve, std::size_t settings) {
    if (!curve.raw().contains("relaxed")) return;
    const JsonReader relaxed = curve.at("relaxed");
    for (const char* const key : {"min", "1se"}) {
        (void)relaxed.at(key).at("gamma").number();
        check_place(relaxed.at(key).at("setting"), settings);
    }
    for (const JsonReader& one : relaxed.at("gammas").items()) {
        (void)one.at("gamma").number();
        check_list(one.at("mean"), settings);
        check_list(one.at("standard_error"), settings);
    }
}

void check_curves(const JsonReader& document) {
    const std::vector<JsonReader> curves = document.at("curves").items();
    check_place(document.at("best_curve"), curves.size());
    for (const JsonReader& curve : curves) {
        const JsonReader settings = curve.at("settings");
        check_settings(settings);
        (void)curve.at("alpha").number();
        check_place(curve.at("min"), settings.raw().size());
        check_place(curve.at("1se"), settings.raw().size());
        check_gammas(curve, settings.raw().size());
        for (const JsonReader& setting : settings.items()) {
            (void)setting.at("mean").number();
            (void)setting.at("standard_error").number();
            check_folds(setting);
        }
    }
    const JsonReader choice = document.at("cross_validation");
    (void)choice.at("folds").count();
    (void)choice.at("choose").text();
    if (choice.raw().contains("measure")) (void)choice.at("measure").text();
    if (choice.raw().contains("missed")) {  // not in the first files of this version
        (void)choice.at("missed").count();
        (void)choice.at("fold_fits").count();
        (void)choice.at("worst_gap").number();
    }
    const auto best = static_cast<std::size_t>(document.at("best_curve").count());
    const std::size_t settings = curves[best].at("settings").raw().size();
    check_place(choice.at("setting"), settings);
    check_place(document.at("fitted").at("setting"), settings);
}

}  // namespace

Model parse_model(const std::string& path, std::string_view text) {
    const Json document = parse_document(path, text, {"sven-model"});
    const JsonReader root(path, document);
    Model model;
    if (!root.at("target").is_null()) model.target = root.at("target").text();
    model.feature_count = root.at("p").count();
    const JsonReader features = root.at("features");
    if (!features.is_null()) {
        model.features = features.texts();
        if (static_cast<Index>(model.features.size()) != model.feature_count)
            features.refuse("has not p names");
    }
    model.intercept = root.at("intercept").number();
    // not in the first files of this version
    if (document.contains("settings") && document["settings"].contains("offset"))
        model.offset = root.at("settings").at("offset").text();
    model.encoding = read_encoding(root.at("encoding"));
    const JsonReader settings = root.at("settings");
    if (settings.raw().contains("family"))  // most are gaussian, and do not say so
        model.family = read_family(settings.at("family"));
    if (settings.raw().contains("classes")) {
        model.classes = settings.at("classes").texts();
        if (model.classes.size() != 2) settings.at("classes").refuse("has not two names");
    }
    if (settings.raw().contains("failures")) model.failures = settings.at("failures").text();
    if (document.contains("variants"))
        for (const JsonReader& entry : root.at("variants").items())
            model.variants.push_back({entry.at("feature").text(),
                                      {entry.at("counted").text(), entry.at("other").text()},
                                      entry.at("mean").number()});
    for (const JsonReader& entry : root.at("coefficients").items())
        model.coefficients.push_back(read_coefficient(entry, model));
    return model;
}

Model read_model(const std::string& path) {
    return parse_model(shown_path(path), read_text_file(path));
}

Json parse_results(const std::string& path, std::string_view text) {
    Json document = parse_document(path, text, {"sven-path", "sven-cv"});
    const JsonReader root(path, document);
    check_head(root);
    if (document["format"] == cv_format) {
        check_curves(root);
        check_out_of_fold(root);
    } else {
        check_settings(root.at("settings"));
        check_place(root.at("fitted").at("setting"), document["settings"].size());
    }
    return document;
}

Json read_results(const std::string& path) {
    return parse_results(shown_path(path), read_text_file(path));
}

}  // namespace sven::cli
