#include "api/validate.hpp"
#include "path/relaxed.hpp"
#include "path/session.hpp"
#include "problem/loss.hpp"
#include "sven/predict.hpp"
#include "sven/relaxed.hpp"

namespace sven {
namespace {

// sum w (y - eta)^2, or twice the sum of w (A(eta) - y eta) above its least value.
double deviance_of(const Problem& problem, const Solution& solution) {
    std::vector<double> eta = predict(problem.X, solution);
    for (std::size_t i = 0; i < problem.offset.size(); ++i) eta[i] += problem.offset[i];
    if (problem.family != Family::gaussian)
        return 2 * problem::half_deviance(problem::Loss(problem.family),
                                          {problem.y, problem.weights}, eta, {});
    double sum = 0;
    for (std::size_t i = 0; i < eta.size(); ++i)
        sum += (problem.weights.empty() ? 1 : problem.weights[i]) * (problem.y[i] - eta[i]) *
               (problem.y[i] - eta[i]);
    return sum;
}

}  // namespace

std::vector<double> default_gammas() {
    return {0, 0.25, 0.5, 0.75, 1};
}

std::vector<Relaxed> relax(const Problem& problem, std::span<const Solution> path,
                           const Options& options) {
    api::validate(problem);
    api::validate(problem, options);
    api::validate_relax(problem, path);
    if (path.empty()) return {};
    return api::with_fallback(problem, options, [&](const Options& chosen) {
        return path::Session(problem, chosen, {path.size(), 1}).relax(path);
    });
}

Solution blend(const Problem& problem, const Solution& penalised, const Solution& relaxed,
               double gamma) {
    api::validate_gamma(gamma);
    if (gamma == 1) return penalised;
    Solution blended = path::blend(penalised, relaxed, gamma);
    blended.deviance = gamma == 0 ? relaxed.deviance : deviance_of(problem, blended);
    return blended;
}

}  // namespace sven
