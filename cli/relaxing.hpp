#pragma once
// Relaxed fits in the program: solutions are blended with their refits once they are there, and
// what follows, tables, documents and reports, shows the blends.

#include <string>
#include <vector>

#include "cli/document.hpp"

namespace sven::cli {

struct BlendedPath {
    std::vector<Solution> solutions;
    std::vector<Blending> blendings;
};

// Blends a path with its refits.
BlendedPath blended(const Problem& problem, std::span<const Solution> path,
                    std::span<const Relaxed> relaxed, double gamma);

// The gamma of `fit` and `path`.
inline double gamma_of(const RelaxArguments& arguments) {
    return arguments.gammas.empty() ? 0 : arguments.gammas.front();
}

// Each curve at the gamma of its choice: its errors, its path on all rows, its predictions.
CvResult at_chosen_gammas(const Problem& problem, CvResult result, Choice choice);
// Of such a curve.
Blending blending_of(const CvCurve& curve, Choice choice);

// "gamma 0.25, refit without penalties"; or why there is none.
std::string blending_text(const Blending& blending, Family family);
// "3 of 100 settings are not relaxed: ..."; empty if all are.
std::string missing_refits(std::span<const Blending> blendings, Family family);
// Likewise for the fits of the folds.
std::string missing_fold_refits(const CvResult& result, Family family);

void add_blending(Json& object, const Blending& blending);
// Errors of every gamma, and the choices among them; the curve itself is at the gamma of one.
Json gammas_entry(const CvCurve& curve);

}  // namespace sven::cli
