#include "cli/document.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cli/checks.hpp"
#include "cli/measures.hpp"
#include "cli/out_of_fold.hpp"
#include "cli/proofs.hpp"
#include "cli/relaxing.hpp"
#include "cli/report.hpp"
#include "cli/variants.hpp"

namespace sven::cli {

namespace {

Json or_null(const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(text);
}
Json or_null(const std::optional<double>& number) {
    return number ? Json(*number) : Json(nullptr);
}

Json coefficients(const LoadedData& data, const Solution& solution) {
    Json list = Json::array();
    for (const Coefficient& coefficient : solution.coefficients) {
        Json entry = {{"feature", io::feature_name(data.table, coefficient.feature)},
                      {"index", coefficient.feature},
                      {"value", coefficient.value},
                      {"standardized", coefficient.standardized}};
        if (!solution.proofs.empty()) entry["proof"] = name(solution.proofs[coefficient.feature]);
        list.push_back(std::move(entry));
    }
    return list;
}

void add_setting(Json& object, const Solution& solution) {
    object["t"] = solution.t;
    object["lambda1"] = solution.l1;
    object["lambda2"] = solution.l2;
    object["lambda"] = solution.lambda;
    object["alpha"] = or_null(solution.alpha);
}

// The counts, and which features without a coefficient are undecided; those with one say it
// themselves.
void add_certificate(Json& object, const LoadedData& data, const Solution& solution) {
    object["proven_selected"] = solution.certificate.proven_selected;
    object["proven_zero"] = solution.certificate.proven_zero;
    object["undecided"] = solution.certificate.undecided;
    if (solution.proofs.empty()) return;
    Json& list = object["undecided_zeros"] = Json::array();
    for (const Index j : undecided_zeros(solution))
        list.push_back({{"feature", io::feature_name(data.table, j)}, {"index", j}});
}

// Only if there are any: most data have none.
void add_left_out(Json& object, const LoadedData& data, const Solution& solution) {
    for (const Index j : solution.left_out)
        object["left_out"].push_back({{"feature", io::feature_name(data.table, j)}, {"index", j}});
}

// One point of a path.
Json setting_entry(const LoadedData& data, const Solution& solution) {
    Json entry;
    add_setting(entry, solution);
    entry["objective"] = solution.objective;
    entry["deviance"] = solution.deviance;
    entry["null_deviance"] = solution.null_deviance;
    entry["gap"] = solution.gap;
    entry["gap_source"] = name(solution.gap_source);
    entry["status"] = name(solution.status);
    add_certificate(entry, data, solution);
    entry["nonzero"] = solution.coefficients.size();
    entry["intercept"] = solution.intercept;
    entry["iterations"] = solution.iterations;
    entry["coefficients"] = coefficients(data, solution);
    return entry;
}

Json summary_of(std::span<const double> values) {
    double least = std::numeric_limits<double>::infinity();
    double largest = -least;
    double mean = 0;
    for (const double value : values) {
        least = std::min(least, value);
        largest = std::max(largest, value);
        mean += value / static_cast<double>(values.size());
    }
    double variance = 0;
    for (const double value : values)
        variance += (value - mean) * (value - mean) / static_cast<double>(values.size());
    return {{"mean", mean}, {"deviation", std::sqrt(variance)}, {"min", least}, {"max", largest}};
}

const char* kind_of(const MatrixView& X) {
    if (std::holds_alternative<GenotypeView>(X)) return "genotypes";
    return std::holds_alternative<SparseView>(X) ? "sparse" : "dense";
}

// Of the variants with a coefficient: what they count, and what a missing one is taken for.
Json variants_entry(const LoadedData& data, const Solution& solution) {
    Json variants = Json::array();
    for (const Variant& variant : variants_of(data.table, solution.coefficients)) {
        Json entry;
        entry["feature"] = variant.name;
        entry["counted"] = variant.alleles.counted;
        entry["other"] = variant.alleles.other;
        entry["mean"] = variant.mean;
        variants.push_back(std::move(entry));
    }
    return variants;
}

Json data_entry(const LoadedData& data) {
    Json entry;
    entry["file"] = data.path;
    entry["target"] = or_null(data.target);
    entry["kind"] = data.statistics ? "statistics" : kind_of(data.table.X);
    entry["y"] = data.statistics ? Json(nullptr) : summary_of(data.y);
    entry["weighted"] = data.is_weighted();
    entry["notes"] = data.notes;
    for (const std::string& warning : data.warnings) entry["notes"].push_back(warning);
    return entry;
}

// Of the features that have limits; null: none on that side.
Json limits_entry(const LoadedData& data) {
    const auto or_none = [](double limit) {
        return std::isinf(limit) ? Json(nullptr) : Json(limit);
    };
    Json limits = Json::array();
    for (Index j = 0; j < data.cols(); ++j) {
        if (std::isinf(data.lower[j]) && std::isinf(data.upper[j])) continue;
        Json entry;
        entry["feature"] = io::feature_name(data.table, j);
        entry["lower"] = or_none(data.lower[j]);
        entry["upper"] = or_none(data.upper[j]);
        limits.push_back(std::move(entry));
    }
    return limits;
}

void add_model_options(Json& object, const LoadedData& data, const SolverArguments& solver) {
    object["intercept"] = !solver.no_intercept;
    object["standardize"] = !solver.no_standardize;
    object["nonnegative"] = solver.nonnegative;
    object["weighted"] = data.is_weighted();
    object["penalty_factors"] = !data.factors.empty();
    if (!data.lower.empty()) object["limits"] = limits_entry(data);
    if (!data.offset_name.empty()) object["offset"] = data.offset_name;
    // only if it is another one: most are gaussian
    if (solver.family != Family::gaussian) object["family"] = name(solver.family);
    if (!data.classes.empty()) object["classes"] = data.classes;
    if (!data.failures_name.empty()) object["failures"] = data.failures_name;
}

// The fields that paths and cross-validations share.
Json head(const char* format, const LoadedData& data, const SolverArguments& solver, double seconds,
          const Reads& reads) {
    Json object;
    object["format"] = format;
    object["sven"] = SVEN_VERSION;
    object["seconds"] = seconds;
    object["reads"] = {{"passes", reads.passes}, {"columns", reads.columns}};
    object["n"] = data.rows();
    object["p"] = data.cols();
    object["data"] = data_entry(data);
    Json& given = object["options"];
    add_model_options(given, data, solver);
    given["tolerance"] = options(solver).tolerance;
    return object;
}

// Fitted and true values for the report; of many rows an even sample. Null: no fold tests a row.
Json fitted_entry(const LoadedData& data, const std::vector<double>& fitted, Index setting) {
    constexpr Index most = 2000;
    const auto count = static_cast<Index>(data.y.size());
    const Index step = (count + most - 1) / most;
    Json rows = Json::array();
    Json actual = Json::array();
    Json predicted = Json::array();
    for (Index i = 0; i < count; i += step) {
        rows.push_back(i);
        actual.push_back(data.y[i]);
        predicted.push_back(std::isnan(fitted[i]) ? Json(nullptr) : Json(fitted[i]));
    }
    Json entry;
    entry["setting"] = setting;
    entry["rows"] = std::move(rows);
    entry["actual"] = std::move(actual);
    entry["predicted"] = std::move(predicted);
    return entry;
}

// Only if there are such rows.
void add_held_out(Json& object, const std::optional<HeldOut>& held_out, const Classes& classes) {
    if (!held_out) return;
    object["held_out"] = {{"which", held_out->which}};
    object["held_out"].update(assessment_entry(held_out->figures, classes));
}

// Means are needed only for non-zero coefficients.
Json encoding_entry(const io::Encoding& encoding, const Solution& solution) {
    Json one_hot = Json::array();
    for (const io::Encoding::Levels& text : encoding.one_hot) {
        Json entry;
        entry["column"] = text.column;
        entry["levels"] = text.levels;
        entry["has_reference"] = text.has_reference;
        one_hot.push_back(std::move(entry));
    }
    Json means = Json::object();
    for (const Coefficient& coefficient : solution.coefficients) {
        if (encoding.means.empty()) break;
        const auto& [name, mean] = encoding.means[static_cast<std::size_t>(coefficient.feature)];
        means[name] = mean;
    }
    Json entry;
    entry["one_hot"] = std::move(one_hot);
    entry["means"] = std::move(means);
    if (!encoding.dates.empty()) entry["dates"] = encoding.dates;
    return entry;
}

Json curve_entry(const CvRecord& record, const CvCurve& curve) {
    const LoadedData& data = record.model.data;
    const Index folds = record.folds;
    std::optional<double> gamma;
    if (record.model.blending) gamma = blending_of(curve, record.arguments.choose).gamma;
    Json entry;
    entry["alpha"] = curve.alpha;
    entry["min"] = curve.best;
    entry["1se"] = curve.one_standard_error;
    Json settings = Json::array();
    for (std::size_t k = 0; k < curve.path.size(); ++k) {
        Json setting;
        setting["mean"] = curve.mean[k];
        setting["standard_error"] = curve.standard_error[k];
        for (const char* const key : {"fold_errors", "fold_gaps", "fold_statuses"})
            setting[key] = Json::array();
        const std::size_t first = k * static_cast<std::size_t>(folds);
        for (std::size_t at = first; at < first + static_cast<std::size_t>(folds); ++at) {
            setting["fold_errors"].push_back(curve.fold_error[at]);
            setting["fold_gaps"].push_back(curve.fold_gap[at]);
            setting["fold_statuses"].push_back(name(curve.fold_status[at]));
        }
        setting.update(setting_entry(data, curve.path[k]));
        if (gamma) add_blending(setting, {*gamma, curve.relaxed.path[k].refit});
        settings.push_back(std::move(setting));
    }
    if (gamma) entry["relaxed"] = gammas_entry(curve);
    entry["settings"] = std::move(settings);
    return entry;
}

Json choice_entry(const CvRecord& record) {
    const CvArguments& given = record.arguments;
    Json entry;
    entry["folds"] = record.folds;
    if (given.data.fold_column || given.time_ordered || record.model.data.statistics) {
        entry["seed"] = nullptr;
    } else {
        entry["seed"] = given.seed.value_or(1);
    }
    entry["fold_column"] = or_null(given.data.fold_column.value_or(""));
    if (given.data.groups_column) entry["groups"] = *given.data.groups_column;
    if (given.repeats) entry["repeats"] = *given.repeats;
    if (given.stratified) entry["stratified"] = true;
    if (given.time_ordered) entry["time_ordered"] = true;
    if (given.ungrouped) entry["ungrouped"] = true;
    entry["measure"] = name(resolved(given.measure, record.model.solver.family));
    entry["choose"] = given.choose == Choice::min ? "min" : "1se";
    entry["setting"] = record.chosen();
    if (record.model.blending) entry["gamma"] = record.model.blending->gamma;
    entry["mean"] = record.best().mean[record.chosen()];
    entry["standard_error"] = record.best().standard_error[record.chosen()];
    return entry;
}

}  // namespace

Json fit_document(const FitRecord& record) {
    const Solution& solution = record.solution;
    Json object;
    object["status"] = name(solution.status);
    object["form"] = form_name(record.setting);
    object["target"] = or_null(record.data.target);
    object["n"] = record.data.rows();
    object["p"] = record.data.cols();
    add_setting(object, solution);
    object["objective"] = solution.objective;
    object["gap"] = solution.gap;
    object["gap_source"] = name(solution.gap_source);
    add_certificate(object, record.data, solution);
    if (record.solver.family != Family::gaussian) {
        object["family"] = name(record.solver.family);
        object["deviance"] = solution.deviance;
        object["null_deviance"] = solution.null_deviance;
    }
    object["intercept"] = solution.intercept;
    object["nonzero"] = solution.coefficients.size();
    if (record.blending) add_blending(object, *record.blending);
    object["method"] = name(solution.method);
    object["svm"] = name(solution.svm);
    object["device"] = name(solution.device);
    object["iterations"] = solution.iterations;
    object["seconds"] = solution.seconds;
    object["coefficients"] = coefficients(record.data, solution);
    add_left_out(object, record.data, solution);
    return object;
}

Json model_document(const FitRecord& record, const CvRecord* validation) {
    const Solution& solution = record.solution;
    const LoadedData& data = record.data;
    Json object;
    object["format"] = model_format;
    object["sven"] = SVEN_VERSION;
    object["target"] = or_null(data.target);
    object["n"] = data.rows();
    object["p"] = data.cols();
    const auto& names = data.table.feature_names;
    object["features"] = names.empty() ? Json(nullptr) : Json(names);
    object["encoding"] = encoding_entry(data.table.encoding, solution);
    if (!data.table.alleles.empty()) object["variants"] = variants_entry(data, solution);
    object["intercept"] = solution.intercept;
    object["coefficients"] = coefficients(data, solution);
    add_left_out(object, data, solution);
    Json& settings = object["settings"];
    settings["form"] = form_name(record.setting);
    add_setting(settings, solution);
    add_model_options(settings, data, record.solver);
    if (record.blending) add_blending(settings, *record.blending);
    if (validation != nullptr) object["cross_validation"] = choice_entry(*validation);
    object["status"] = name(solution.status);
    object["objective"] = solution.objective;
    object["gap"] = solution.gap;
    object["gap_source"] = name(solution.gap_source);
    return object;
}

Json path_document(const PathRecord& record) {
    Json object = head(path_format, record.data, record.solver, record.seconds, record.reads);
    add_held_out(object, record.held_out, record.data.classes);
    if (!record.solutions.empty()) {
        const std::size_t shown = sensible_setting(record);
        object["fitted"] = fitted_entry(
            record.data, fitted_means(record.data, record.solver.family, record.solutions[shown]),
            static_cast<Index>(shown));
        add_left_out(object, record.data, record.solutions[shown]);
        object["device"] = name(record.solutions[shown].device);
    }
    Json settings = Json::array();
    for (std::size_t k = 0; k < record.solutions.size(); ++k) {
        settings.push_back(setting_entry(record.data, record.solutions[k]));
        if (!record.blendings.empty()) add_blending(settings.back(), record.blendings[k]);
    }
    object["settings"] = std::move(settings);
    return object;
}

Json cv_document(const CvRecord& record) {
    const LoadedData& data = record.model.data;
    Json object = head(cv_format, data, record.model.solver, record.seconds, record.reads);
    object["device"] = name(record.model.solution.device);
    add_held_out(object, record.model.held_out, data.classes);
    Json choice = choice_entry(record);
    choice["fold_fits"] = record.fold_fits();
    choice["missed"] = record.missed();
    choice["worst_gap"] = record.worst_gap();
    object["cross_validation"] = std::move(choice);
    object["best_curve"] = record.result.best_curve;
    const Family family = record.model.solver.family;
    object["fitted"] =
        fitted_entry(data, fitted_means(data, family, record.model.solution), record.chosen());
    if (!data.statistics) {
        object["out_of_fold"] = fitted_entry(data, out_of_fold_means(record), record.chosen());
        object["out_of_fold"]["assessment"] = assessment_entry(assess_folds(record), data.classes);
    }
    add_left_out(object, data, record.model.solution);
    for (const auto& [j, folds] : record.left_out_in_folds())
        object["left_out_in_folds"].push_back(
            {{"feature", io::feature_name(data.table, j)}, {"index", j}, {"folds", folds}});
    Json curves = Json::array();
    for (const CvCurve& curve : record.result.curves) curves.push_back(curve_entry(record, curve));
    object["curves"] = std::move(curves);
    return object;
}

}  // namespace sven::cli
