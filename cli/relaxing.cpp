#include "cli/relaxing.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sven::cli {

namespace {

const CvChoice& place_of(const CvCurve& curve, Choice choice) {
    return choice == Choice::min ? curve.relaxed.best : curve.relaxed.one_standard_error;
}

std::string reason(Refit refit, Family family) {
    if (refit == Refit::dependent)
        return "more features are selected than the rows can tell apart, or their columns depend "
               "on each other";
    return family == Family::binomial
               ? "the selected features separate the classes, which has no best fit without a "
                 "penalty"
               : "the selected features separate the counts of zero, which has no best fit "
                 "without a penalty";
}

// "3 of 100 settings are not relaxed: ..."
std::string sentence(std::span<const Refit> refits, const char* what, Family family) {
    std::string text;
    for (const Refit refit : {Refit::dependent, Refit::separated}) {
        const auto count = std::count(refits.begin(), refits.end(), refit);
        if (count == 0) continue;
        text +=
            fmt::format("{}{} of {} {} {} not relaxed, since {}", text.empty() ? "" : "; ", count,
                        refits.size(), what, count == 1 ? "is" : "are", reason(refit, family));
    }
    return text;
}

}  // namespace

BlendedPath blended(const Problem& problem, std::span<const Solution> path,
                    std::span<const Relaxed> relaxed, double gamma) {
    BlendedPath result;
    for (std::size_t k = 0; k < path.size(); ++k) {
        result.solutions.push_back(blend(problem, path[k], relaxed[k].solution, gamma));
        result.blendings.push_back({gamma, relaxed[k].refit});
    }
    return result;
}

CvResult at_chosen_gammas(const Problem& problem, CvResult result, Choice choice) {
    for (CvCurve& curve : result.curves) {
        const CvRelaxed& relaxed = curve.relaxed;
        const GammaCurve& chosen = relaxed.curves[place_of(curve, choice).gamma];
        curve.mean = chosen.mean;
        curve.standard_error = chosen.standard_error;
        curve.fold_error = chosen.fold_error;
        curve.best = relaxed.best.lambda;
        curve.one_standard_error = relaxed.one_standard_error.lambda;
        curve.path = blended(problem, curve.path, relaxed.path, chosen.gamma).solutions;
        curve.out_of_fold = relaxed.out_of_fold;
    }
    return result;
}

Blending blending_of(const CvCurve& curve, Choice choice) {
    const CvChoice& place = place_of(curve, choice);
    return {curve.relaxed.curves[place.gamma].gamma, curve.relaxed.path[place.lambda].refit};
}

std::string blending_text(const Blending& blending, Family family) {
    if (blending.refit != Refit::done && blending.gamma < 1)
        return fmt::format("not, since {}", reason(blending.refit, family));
    return fmt::format("gamma {:g}: {}", blending.gamma,
                       blending.gamma == 0   ? "the selected features, refitted without penalties"
                       : blending.gamma == 1 ? "the penalised fit itself"
                                             : "between a refit without penalties (0) and the "
                                               "penalised fit (1)");
}

std::string missing_refits(std::span<const Blending> blendings, Family family) {
    std::vector<Refit> refits;
    for (const Blending& blending : blendings)
        if (blending.gamma < 1) refits.push_back(blending.refit);
    return sentence(refits, refits.size() == 1 ? "setting" : "settings", family);
}

std::string missing_fold_refits(const CvResult& result, Family family) {
    std::vector<Refit> refits;
    for (const CvCurve& curve : result.curves)
        refits.insert(refits.end(), curve.relaxed.fold_refit.begin(),
                      curve.relaxed.fold_refit.end());
    return sentence(refits, "fold fits", family);
}

void add_blending(Json& object, const Blending& blending) {
    object["relaxed"] = {{"gamma", blending.gamma}, {"refit", name(blending.refit)}};
}

Json gammas_entry(const CvCurve& curve) {
    Json entry;
    const auto place = [&](const CvChoice& choice) -> Json {
        return {{"gamma", curve.relaxed.curves[choice.gamma].gamma}, {"setting", choice.lambda}};
    };
    entry["min"] = place(curve.relaxed.best);
    entry["1se"] = place(curve.relaxed.one_standard_error);
    entry["gammas"] = Json::array();
    for (const GammaCurve& one : curve.relaxed.curves) {
        Json column;
        column["gamma"] = one.gamma;
        column["mean"] = one.mean;
        column["standard_error"] = one.standard_error;
        entry["gammas"].push_back(std::move(column));
    }
    return entry;
}

}  // namespace sven::cli
