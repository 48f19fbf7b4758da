#include "cli/json.hpp"

#include <nlohmann/json.hpp>

#include "cli/checks.hpp"

namespace sven::cli {

namespace {

using Json = nlohmann::ordered_json;  // keys in the order in which they are documented

Json or_null(const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(text);
}
Json or_null(const std::optional<double>& number) {
    return number ? Json(*number) : Json(nullptr);
}

Json coefficients(const LoadedData& data, const Solution& solution) {
    Json list = Json::array();
    for (const Coefficient& coefficient : solution.coefficients) {
        list.push_back({{"feature", io::feature_name(data.table, coefficient.feature)},
                        {"index", coefficient.feature},
                        {"value", coefficient.value},
                        {"standardized", coefficient.standardized}});
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

// UTF-8 that is broken in a column's name must not cost the answer: it is replaced.
std::string text_of(const Json& object) {
    return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string fit_json(const FitRecord& record) {
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
    object["proven_selected"] = solution.certificate.proven_selected;
    object["proven_zero"] = solution.certificate.proven_zero;
    object["undecided"] = solution.certificate.undecided;
    object["intercept"] = solution.intercept;
    object["nonzero"] = solution.coefficients.size();
    object["method"] = name(solution.method);
    object["svm"] = name(solution.svm);
    object["iterations"] = solution.iterations;
    object["seconds"] = solution.seconds;
    object["coefficients"] = coefficients(record.data, solution);
    return text_of(object);
}

std::string model_json(const FitRecord& record) {
    const Solution& solution = record.solution;
    Json object;
    object["format"] = "sven-model/1";
    object["sven"] = SVEN_VERSION;
    object["target"] = or_null(record.data.target);
    object["n"] = record.data.rows();
    object["p"] = record.data.cols();
    const auto& names = record.data.table.feature_names;
    object["features"] = names.empty() ? Json(nullptr) : Json(names);
    object["intercept"] = solution.intercept;
    object["coefficients"] = coefficients(record.data, solution);
    Json settings;
    settings["form"] = form_name(record.setting);
    add_setting(settings, solution);
    settings["intercept"] = !record.solver.no_intercept;
    settings["standardize"] = !record.solver.no_standardize;
    settings["nonnegative"] = record.solver.nonnegative;
    settings["weighted"] = !record.data.weights.empty();
    settings["penalty_factors"] = !record.data.factors.empty();
    object["settings"] = settings;
    object["status"] = name(solution.status);
    object["objective"] = solution.objective;
    object["gap"] = solution.gap;
    object["gap_source"] = name(solution.gap_source);
    return text_of(object);
}

std::string path_json(const LoadedData& data, std::span<const Solution> solutions, double seconds) {
    Json object;
    object["format"] = "sven-path/1";
    object["seconds"] = seconds;
    object["n"] = data.rows();
    object["p"] = data.cols();
    Json settings = Json::array();
    for (const Solution& solution : solutions) {
        Json entry;
        add_setting(entry, solution);
        entry["objective"] = solution.objective;
        entry["gap"] = solution.gap;
        entry["gap_source"] = name(solution.gap_source);
        entry["status"] = name(solution.status);
        entry["nonzero"] = solution.coefficients.size();
        entry["intercept"] = solution.intercept;
        entry["iterations"] = solution.iterations;
        entry["coefficients"] = coefficients(data, solution);
        settings.push_back(std::move(entry));
    }
    object["settings"] = std::move(settings);
    return text_of(object);
}

}  // namespace sven::cli
