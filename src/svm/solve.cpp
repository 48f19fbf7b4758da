#include "svm/solve.hpp"

#include "svm/costs.hpp"
#include "svm/dual_newton.hpp"
#include "svm/newton.hpp"
#include "svm/primal_newton.hpp"
#include "svm/samples.hpp"

namespace sven::svm {
namespace {

Classifier collect(const Iterate& iterate, const NewtonReport& report) {
    Classifier result;
    result.w.assign(iterate.w().begin(), iterate.w().end());
    result.alpha.resize(iterate.problem().costs.size());
    for (Index i : iterate.support()) result.alpha[i] = iterate.alpha(i);
    result.objective = iterate.objective();
    result.gap = report.gap;
    result.support_vectors = iterate.support_size();
    result.iterations = report.iterations;
    result.status = report.status;
    return result;
}

template <class System>
Classifier solve_with(const SquaredHinge& problem, const SolveOptions& options,
                      std::span<const double> start) {
    Samples<System> samples(problem, start, options.shrinks);
    const NewtonReport report = newton(samples, {.tolerance = options.tolerance,
                                                 .max_iterations = options.max_iterations,
                                                 .execution = problem.samples->execution()});
    return collect(samples.iterate(), report);
}

}  // namespace

Classifier solve(const SquaredHinge& problem, const SolveOptions& options,
                 std::span<const double> start) {
    const Method method =
        options.method == Method::automatic ? choose_method(*problem.samples) : options.method;
    Classifier result = method == Method::primal ? solve_with<PrimalNewton>(problem, options, start)
                                                 : solve_with<DualNewton>(problem, options, start);
    result.method = method;
    return result;
}

}  // namespace sven::svm
