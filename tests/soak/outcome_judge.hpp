#pragma once
// Binomial and poisson responses, solved exactly: an active-set Newton method of the judge's own.

#include "soak/judge.hpp"

namespace sven::soak {

[[nodiscard]] Verdict judge_outcome(const ExactProblem& problem, const Setting& setting,
                                    const Options& options, const Solution& solution);

}  // namespace sven::soak
