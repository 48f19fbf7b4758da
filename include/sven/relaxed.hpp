#pragma once
// Relaxed fits, as glmnet's `relax`: the unpenalised refit of a solution on its support, and what
// lies between the two (maths.md, section "Relaxed fits").

#include <span>
#include <string_view>
#include <vector>

#include "sven/elastic_net.hpp"
#include "sven/export.h"

namespace sven {

// How the refit of a support came out. Where it is not `done` there is no refit, and the penalised
// solution stands in its place.
enum class Refit {
    done,
    // The support has more features than the rows can tell apart, or its columns depend on each
    // other: many refits are as good.
    dependent,
    // Of a response that is not gaussian: the features of the support separate its classes, or the
    // counts that are zero, so that the deviance has no least value.
    separated,
};
// "done", "dependent", "separated"
[[nodiscard]] SVEN_API std::string_view name(Refit refit);

struct Relaxed {
    Refit refit = Refit::done;
    // With l1 = l2 = 0, certified among all coefficients of the support within their limits; the
    // penalised solution itself where nothing was selected, or the refit is not done.
    Solution solution;
};

// The refit of each solution: the features that it selects, and those without a penalty, keep
// their limits and lose their penalty; all others stay out. Equal supports are refitted once.
// Solutions are those of the same problem. A cancel leaves the rest with Status::cancelled.
[[nodiscard]] SVEN_API std::vector<Relaxed> relax(const Problem& problem,
                                                  std::span<const Solution> path,
                                                  const Options& options = {});

// The share gamma of the penalised and 1 - gamma of the relaxed solution: intercept, coefficients
// and their true deviance. The gap is the larger of the two, and a status that fell short stays;
// what remains is the penalised solution's. Throws InvalidArgument if gamma does not lie between 0
// and 1.
[[nodiscard]] SVEN_API Solution blend(const Problem& problem, const Solution& penalised,
                                      const Solution& relaxed, double gamma);

// The gammas of cv.glmnet.
[[nodiscard]] SVEN_API std::vector<double> default_gammas();

}  // namespace sven
