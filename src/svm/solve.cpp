#include "svm/solve.hpp"

#include <utility>

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

Classifier solve_by(Method method, const SquaredHinge& problem, const SolveOptions& options,
                    std::span<const double> start) {
    Classifier result = method == Method::primal ? solve_with<PrimalNewton>(problem, options, start)
                                                 : solve_with<DualNewton>(problem, options, start);
    result.method = method;
    return result;
}

}  // namespace

Classifier solve(const SquaredHinge& problem, const SolveOptions& options,
                 std::span<const double> start) {
    if (options.method != Method::automatic) {
        return solve_by(options.method, problem, options, start);
    }
    // If rounding prevents convergence, or after half of the steps, the other system may get
    // further: with large costs the primal is more accurate for large margins, the dual for small
    // ones.
    const Method method = choose_method(*problem.samples);
    SolveOptions limited = options;
    limited.max_iterations = (options.max_iterations + 1) / 2;
    Classifier first = solve_by(method, problem, limited, start);
    if (first.status == Status::optimal || first.iterations >= options.max_iterations) return first;
    limited.max_iterations = options.max_iterations - first.iterations;
    const Method other = method == Method::primal ? Method::dual : Method::primal;
    Classifier second = solve_by(other, problem, limited, first.w);
    Classifier& better = second.gap < first.gap ? second : first;
    better.iterations = first.iterations + second.iterations;
    return std::move(better);
}

}  // namespace sven::svm
