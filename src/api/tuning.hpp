#pragma once
// The thresholds of this module: what each is, in which unit, and why it has its value.

namespace sven::api::tuning {

// The smallest lambda of a grid over the largest where the caller does not say, with at least as
// many rows as columns and with fewer: glmnet's.
inline constexpr double tall_grid_ratio = 1e-4;
inline constexpr double wide_grid_ratio = 1e-2;
// Settings of the path that distinct budgets are taken from, for each of them: numbers of features
// repeat along a path, and others are passed over.
inline constexpr int path_settings_a_budget = 4;

}  // namespace sven::api::tuning
