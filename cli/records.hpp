#pragma once
// The results of a command, for tables and JSON documents.

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/assessment.hpp"
#include "cli/load.hpp"

namespace sven::cli {

// How a solution was relaxed.
struct Blending {
    double gamma = 1;  // the share of the penalised solution
    Refit refit = Refit::done;
};

// How good the model is on rows that it was not fitted to.
struct HeldOut {
    std::string which;  // "held out", "of FILE"
    Assessment figures;
};

struct FitRecord {
    const LoadedData& data;
    const SolverArguments& solver;
    Setting setting;
    const Solution& solution;
    std::optional<Blending> blending{};  // none: not relaxed
    std::optional<HeldOut> held_out{};   // none: there are no such rows
};

struct PathRecord {
    const LoadedData& data;
    const SolverArguments& solver;
    std::span<const Solution> solutions;
    double seconds = 0;
    std::span<const Blending> blendings{};  // of each; empty: not relaxed
    Reads reads = {};                       // of X
    std::optional<HeldOut> held_out{};      // of a single one
};

// The setting of a curve that is chosen.
inline Index choice_of(const CvCurve& curve, Choice choice) {
    return choice == Choice::min ? curve.best : curve.one_standard_error;
}

struct CvRecord {
    const FitRecord& model;  // the solution at the choice, one of the path on all rows
    const CvArguments& arguments;
    // Where relaxed fits were asked for, each curve is that of the gamma that is chosen.
    const CvResult& result;
    Index folds = 0;
    double seconds = 0;
    Reads reads = {};  // of X

    // Over all alphas: the fits of the folds, those that missed the tolerance, the largest gap.
    Index fold_fits() const {
        Index fits = 0;
        for (const CvCurve& curve : result.curves)
            fits += static_cast<Index>(curve.fold_status.size() + curve.relaxed.fold_status.size());
        return fits;
    }
    Index missed() const {
        Index fits = 0;
        for (const CvCurve& curve : result.curves) fits += sven::missed(curve);
        return fits;
    }
    double worst_gap() const {
        double gap = 0;
        for (const CvCurve& curve : result.curves) gap = std::max(gap, sven::worst_gap(curve));
        return gap;
    }
    const CvCurve& best() const { return result.curves[result.best_curve]; }
    // Columns that the fit on all rows took, each with the folds that left it out.
    std::map<Index, std::vector<Index>> left_out_in_folds() const {
        std::map<Index, std::vector<Index>> columns;
        for (std::size_t fold = 0; fold < result.fold_left_out.size(); ++fold)
            for (const Index j : result.fold_left_out[fold])
                columns[j].push_back(static_cast<Index>(fold));
        for (const Index j : model.solution.left_out) columns.erase(j);
        return columns;
    }
    // The setting of the best curve that was chosen.
    Index chosen() const { return choice_of(best(), arguments.choose); }
};

}  // namespace sven::cli
