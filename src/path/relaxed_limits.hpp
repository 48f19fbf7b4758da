#pragma once
// The refit of a response that is not gaussian where its coefficients have limits: those that are
// held at a limit are a known part of the linear predictor, and the others are free.

#include "path/relaxed.hpp"

namespace sven::path {

// Of a member that is set up for these features (set_up_refit).
Refitted refit_within_limits(const Member& refit, std::span<const Index> features);

}  // namespace sven::path
