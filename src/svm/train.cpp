// svm::train: validates, chooses how X is read, and solves the squared hinge with w0 = 0, b = 1.

#include <vector>

#include "linalg/blas.hpp"
#include "sven/svm.hpp"
#include "svm/solve.hpp"
#include "svm/validate.hpp"

namespace sven::svm {

Classifier train(const Classification& problem, const Options& options,
                 std::span<const double> warm_start) {
    validate(problem, options, warm_start);
    const linalg::SingleThreadedBlas one_team;
    const linalg::Execution execution{linalg::resolve_threads(options.threads), options.cancel};
    const auto m = static_cast<std::size_t>(rows(problem.X));
    const std::vector<double> offsets(m, 1.0);
    const std::vector<double> centre(static_cast<std::size_t>(cols(problem.X)), 0.0);
    std::vector<double> costs(problem.costs.begin(), problem.costs.end());
    if (costs.empty()) costs.assign(m, problem.cost);
    const SolveOptions how{options.method, options.tolerance, options.max_iterations, true};
    try {
        const auto samples = make_rows(problem.X, problem.labels, execution);
        return solve({samples.get(), costs, offsets, centre}, how, warm_start);
    } catch (const linalg::Cancelled&) {
        Classifier nothing;
        nothing.status = Status::cancelled;
        return nothing;
    }
}

}  // namespace sven::svm
