#pragma once
// Refits of supports without penalties. A refit is a member like any other, in which the features
// of the support are free and all others are left out: it is solved and certified by the engine of
// the path, over the same columns or Gram matrix (maths.md, section "Relaxed fits").

#include <span>
#include <vector>

#include "path/batch.hpp"
#include "sven/relaxed.hpp"

namespace sven::path {

struct Refitted {
    Refit refit = Refit::done;
    Solved solved;      // not done where the penalised solution stands in its place
    double centre = 0;  // the linear predictor at the means of the columns
    double deviance = 0;
};

// For each support of the member's path, in its order; equal ones are refitted once. The member is
// prepared and has its rows; `gram` is its own, null: over the columns. A cancel leaves refits
// undone.
std::vector<Refitted> refit_supports(const Member& member,
                                     std::span<const problem::Support> supports,
                                     const problem::ScaledGram* gram,
                                     const linalg::Execution& team);

// The steps of one refit. The member's problem with the features free and all others left out;
// what the refit's problem is changed to afterwards is attached to it anew.
void set_up_refit(const Member& member, std::span<const Index> features, Member& refit);
void attach_refit(const linalg::Execution& execution, Member& refit);
// Of a response that is not gaussian, without limits.
Refitted refit_outcome(Member& refit);

// The refits of a path on the user's scale; the penalised solution where there is none.
std::vector<Relaxed> relaxed_solutions(const Member& member, std::span<const Solution> path,
                                       std::span<const Refitted> refits);

// The share gamma of the first and 1 - gamma of the second, feature by feature.
problem::Support blend(const problem::Support& penalised, const problem::Support& relaxed,
                       double gamma);
// The same on the user's scale: intercept and coefficients; the rest is the penalised solution's.
Solution blend(const Solution& penalised, const Solution& relaxed, double gamma);

}  // namespace sven::path
