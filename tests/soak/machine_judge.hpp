#pragma once
// The squared-hinge machine, solved exactly.

#include "soak/judge.hpp"
#include "sven/svm.hpp"

namespace sven::soak {

// Condition of the scaled columns of [ I ; (2C)^(1/2) Z ], the least-squares problem of a support.
[[nodiscard]] double machine_condition(const Data& data);

// Whether squares of the entries, and their products with the costs, are numbers: what svm::train
// documents to take.
[[nodiscard]] bool is_machine_in_range(const Data& data);

[[nodiscard]] Verdict judge_machine(const Data& data, const Options& options,
                                    const svm::Classifier& classifier);

}  // namespace sven::soak
