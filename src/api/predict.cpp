#include "sven/predict.hpp"

#include <string>

#include "linalg/devices.hpp"
#include "problem/loss.hpp"
#include "sven/error.hpp"

namespace sven {

std::vector<double> predict(const MatrixView& X, double intercept,
                            std::span<const Coefficient> coefficients) {
    std::vector<Index> columns;
    std::vector<double> values;
    for (const Coefficient& b : coefficients) {
        if (b.feature < 0 || b.feature >= cols(X))
            throw InvalidArgument("feature " + std::to_string(b.feature) + " is no column of X, " +
                                  "which has " + std::to_string(cols(X)));
        columns.push_back(b.feature);
        values.push_back(b.value);
    }
    std::vector<double> out(static_cast<std::size_t>(rows(X)));
    if (out.empty()) return out;
    // on the device where X lies there: one number for each row comes back
    const std::unique_ptr<linalg::Design> design = linalg::make_design(X, Device::cpu);
    const linalg::Execution execution{linalg::resolve_threads(0), nullptr};
    design->multiply(columns, values, execution, out.data());
    for (double& prediction : out) prediction += intercept;
    return out;
}

void transform_predictions(Family family, Prediction type, std::span<double> eta) {
    if (type == Prediction::label && family != Family::binomial)
        throw InvalidArgument("a " + std::string(name(family)) + " response has no classes");
    if (type == Prediction::link || family == Family::gaussian) return;
    const problem::Loss loss(family);
    for (double& value : eta)
        value = type == Prediction::label ? (value > 0 ? 1 : 0) : loss.mean(value);
}

}  // namespace sven
