#pragma once
// Predictions for new rows: intercept + X b.

#include <span>
#include <vector>

#include "sven/elastic_net.hpp"
#include "sven/export.h"

namespace sven {

// Each feature appears once. Throws InvalidArgument if one is not a column of X. An X on a device
// is multiplied there; throws DeviceError if that fails.
[[nodiscard]] SVEN_API std::vector<double> predict(const MatrixView& X, double intercept,
                                                   std::span<const Coefficient> coefficients);

[[nodiscard]] inline std::vector<double> predict(const MatrixView& X, const Solution& solution) {
    return predict(X, solution.intercept, solution.coefficients);
}

// What a linear predictor says: itself; the mean (a probability, a count); or the class of a
// binomial response, 1 where the mean is above 1/2 and else 0.
enum class Prediction { link, response, label };
// Throws InvalidArgument for the class of a family that has none.
SVEN_API void transform_predictions(Family family, Prediction type, std::span<double> eta);

}  // namespace sven
