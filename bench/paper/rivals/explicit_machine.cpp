#include "explicit_machine.hpp"

#include <chrono>
#include <numeric>
#include <stdexcept>

#include "sven/svm.hpp"

namespace rivals {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

std::vector<double> form_samples(const ExplicitBudget& problem) {
    if (problem.X->layout != layout_columns) throw std::invalid_argument("takes dense columns");
    const Index n = problem.X->rows, p = problem.X->cols;
    std::vector<double> samples(static_cast<std::size_t>(2 * p * n));
#pragma omp parallel for num_threads(problem.threads) schedule(static)
    for (Index j = 0; j < p; ++j) {
        const double* x = problem.X->values + j * n;
        double* plus = samples.data() + j * n;
        double* minus = samples.data() + (p + j) * n;
        for (Index i = 0; i < n; ++i) {
            const double shift = problem.y[static_cast<std::size_t>(i)] / problem.t;
            plus[i] = x[i] - shift;
            minus[i] = -x[i] - shift;
        }
    }
    return samples;
}

ExplicitOutcome explicit_machine(const ExplicitBudget& problem) {
    const Index n = problem.X->rows, p = problem.X->cols;
    ExplicitOutcome outcome;
    const auto start = Clock::now();
    const std::vector<double> samples = form_samples(problem);
    outcome.forming = seconds_since(start);
    const std::vector<double> labels(static_cast<std::size_t>(2 * p), 1.0);
    sven::Options options;
    options.tolerance = problem.tolerance;
    options.threads = problem.threads;
    const auto trained = sven::svm::train({.X = sven::row_major(samples.data(), 2 * p, n),
                                           .labels = labels,
                                           .costs = {},
                                           .cost = 1 / (2 * problem.l2)},
                                          options);
    const double total = std::accumulate(trained.alpha.begin(), trained.alpha.end(), 0.0);
    outcome.beta.resize(static_cast<std::size_t>(p));
    for (std::size_t j = 0; j < outcome.beta.size(); ++j)
        outcome.beta[j] =
            problem.t * (trained.alpha[j] - trained.alpha[static_cast<std::size_t>(p) + j]) / total;
    outcome.training = seconds_since(start) - outcome.forming;
    return outcome;
}

}  // namespace rivals
