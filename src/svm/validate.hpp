#pragma once
// Checks the arguments of svm::train; each mistake throws InvalidArgument with one sentence.

#include "sven/svm.hpp"

namespace sven::svm {

// Returns the size of the largest entry of X.
double validate(const Classification& problem, const Options& options,
                std::span<const double> warm_start);

}  // namespace sven::svm
