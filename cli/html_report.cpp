#include "cli/html_report.hpp"

#include <map>

#include "cli/measures.hpp"
#include "cli/page_assets.hpp"

namespace sven::cli {

namespace {

// The features that some setting selects or leaves undecided, numbered in the order of the data.
class FeatureNumbers {
  public:
    void meet(const Json& settings) {
        for (const Json& setting : settings)
            for (const char* const key : {"coefficients", "undecided_zeros"})
                for (const Json& entry : setting.value(key, Json::array()))
                    names_.emplace(entry["index"].get<Index>(),
                                   entry["feature"].get<std::string>());
    }

    Json names() {
        Json list = Json::array();
        for (const auto& [index, name] : names_) {
            numbers_[index] = static_cast<Index>(list.size());
            list.push_back(name);
        }
        return list;
    }

    Index number(const Json& entry) const { return numbers_.at(entry["index"].get<Index>()); }

  private:
    std::map<Index, std::string> names_;
    std::map<Index, Index> numbers_;
};

// The proof of each coefficient, and the features without one that are undecided.
void add_proofs(Json& curve, const Json& settings, const FeatureNumbers& features) {
    curve["proof"] = Json::array();
    curve["undecided_zeros"] = Json::array();
    for (const Json& setting : settings) {
        Json proofs = Json::array();
        Json zeros = Json::array();
        for (const Json& entry : setting["coefficients"]) proofs.push_back(entry["proof"]);
        for (const Json& entry : setting["undecided_zeros"])
            zeros.push_back(features.number(entry));
        curve["proof"].push_back(std::move(proofs));
        curve["undecided_zeros"].push_back(std::move(zeros));
    }
}

// Column after column: a page with a hundred thousand coefficients stays small.
Json curve_columns(const Json& settings, const FeatureNumbers& features) {
    Json curve;
    for (const char* const key :
         {"lambda", "t", "lambda1", "lambda2", "gap", "status", "nonzero", "proven_selected",
          "proven_zero", "undecided", "intercept", "iterations", "deviance", "null_deviance",
          "mean", "standard_error"}) {
        if (!settings[0].contains(key)) continue;
        Json column = Json::array();
        for (const Json& setting : settings) column.push_back(setting[key]);
        curve[key] = std::move(column);
    }
    if (settings[0].contains("undecided_zeros")) add_proofs(curve, settings, features);
    Json numbers = Json::array();
    Json values = Json::array();
    Json standardized = Json::array();
    for (const Json& setting : settings) {
        Json lists[3] = {Json::array(), Json::array(), Json::array()};
        for (const Json& entry : setting["coefficients"]) {
            lists[0].push_back(features.number(entry));
            lists[1].push_back(entry["value"]);
            lists[2].push_back(entry["standardized"]);
        }
        numbers.push_back(std::move(lists[0]));
        values.push_back(std::move(lists[1]));
        standardized.push_back(std::move(lists[2]));
    }
    curve["features"] = std::move(numbers);
    curve["value"] = std::move(values);
    curve["standardized"] = std::move(standardized);
    return curve;
}

void add_head(const Json& results, Json& page) {
    for (const char* const key : {"sven", "seconds", "n", "p", "options", "fitted"})
        page[key] = results.at(key);
    const Json& data = results.at("data");
    page["page_by"] = SVEN_VERSION;
    page["file"] = data.at("file");
    page["target"] = data.at("target");
    page["data_kind"] = data.at("kind");
    page["y"] = data.at("y");
    page["notes"] = data.at("notes");
    page["left_out"] = Json::array();
    for (const Json& entry : results.value("left_out", Json::array()))
        page["left_out"].push_back(entry.at("feature"));
    page["chosen"] = results.at("fitted").at("setting");
    page["held_out"] = results.value("held_out", Json(nullptr));
}

template <class Enum>
Enum by_name(const std::string& text, std::initializer_list<Enum> values) {
    for (const Enum value : values)
        if (name(value) == text) return value;
    return *values.begin();
}

// In words; results that do not say are of squared errors.
Json measure_entry(const Json& results) {
    const auto measure = by_name(
        results.at("cross_validation").value("measure", "mse"),
        {Measure::mse, Measure::deviance, Measure::mae, Measure::classification, Measure::auc});
    const auto family = by_name(results.at("options").value("family", "gaussian"),
                                {Family::gaussian, Family::binomial, Family::poisson});
    return {{"name", name(measure)},
            {"title", title_of(measure, family)},
            {"best", measure == Measure::auc ? "largest area" : "least error"}};
}

Json page_data(const Json& results) {
    Json page;
    add_head(results, page);
    FeatureNumbers features;
    if (results.at("format") == cv_format) {
        const Json& choice = results.at("cross_validation");
        for (const char* const key :
             {"folds", "seed", "fold_column", "groups", "repeats", "stratified", "time_ordered",
              "choose", "fold_fits", "missed", "worst_gap"})
            page[key] = choice.value(key, Json(nullptr));
        page["gamma"] = choice.value("gamma", Json(nullptr));
        page["measure"] = measure_entry(results);
        if (results.contains("out_of_fold")) page["out_of_fold"] = results.at("out_of_fold");
        page["best_curve"] = results.at("best_curve");
        for (const Json& curve : results.at("curves")) features.meet(curve.at("settings"));
        page["features"] = features.names();
        page["curves"] = Json::array();
        for (const Json& curve : results.at("curves")) {
            Json columns = curve_columns(curve.at("settings"), features);
            for (const char* const key : {"alpha", "min", "1se"}) columns[key] = curve.at(key);
            if (curve.contains("relaxed")) columns["gammas"] = curve.at("relaxed").at("gammas");
            page["curves"].push_back(std::move(columns));
        }
        return page;
    }
    const Json& settings = results.at("settings");
    page["folds"] = nullptr;
    page["gamma"] = settings[0].contains("relaxed") ? settings[0]["relaxed"].at("gamma") : nullptr;
    page["best_curve"] = 0;
    features.meet(settings);
    page["features"] = features.names();
    Json columns = curve_columns(settings, features);
    columns["alpha"] = settings[0].at("alpha");
    page["curves"] = Json::array({std::move(columns)});
    return page;
}

// A name in the data must not close the script element.
std::string within_a_script(const Json& data) {
    std::string text;
    for (const char c : data.dump(-1, ' ', false, Json::error_handler_t::replace)) {
        if (c == '<')
            text += "\\u003c";
        else
            text += c;
    }
    return text;
}

std::string within_html(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (c == '&') result += "&amp;";
        if (c == '<') result += "&lt;";
        if (c != '&' && c != '<') result += c;
    }
    return result;
}

}  // namespace

std::string html_report(const Json& results) {
    const std::string target = results.at("data").at("target").is_null()
                                   ? ""
                                   : results["data"]["target"].get<std::string>();
    const std::map<std::string, std::string> parts = {
        {"title", within_html("sven: " + (target.empty() ? std::string("report") : target))},
        {"style", page_style()},
        {"script", page_script()},
        {"data", within_a_script(page_data(results))}};
    const std::string page = page_html();
    std::string text;
    std::size_t at = 0;
    for (std::size_t open = page.find("{{"); open != std::string::npos;
         open = page.find("{{", at)) {
        const std::size_t close = page.find("}}", open);
        text += page.substr(at, open - at);
        text += parts.at(page.substr(open + 2, close - open - 2));
        at = close + 2;
    }
    return text + page.substr(at);
}

}  // namespace sven::cli
