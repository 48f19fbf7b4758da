#include "reduction/back_end.hpp"

#include <algorithm>

#include "reduction/tuning.hpp"
#include "svm/liblinear.hpp"
#include "svm/solve.hpp"

namespace sven::reduction {

Samples form_samples(const ExplicitProblem& problem, double l2, double sign,
                     std::span<const double> shift) {
    const Index n = problem.rows;
    const Index p = problem.cols;
    Samples samples{{}, problem.nonnegative ? p : 2 * p, n, 1 / (2 * l2)};
    samples.z.resize(static_cast<std::size_t>(samples.count * n));
    for (Index k = 0; k < samples.count; ++k) {
        const double* column = problem.X + k % p * n;
        const double side = k < p ? sign : -sign;
        double* z = samples.z.data() + k * n;
        for (Index i = 0; i < n; ++i) z[i] = side * column[i] + (shift.empty() ? 0 : shift[i]);
    }
    return samples;
}

BackEndResult solve_centred(const Samples& samples, std::span<const double> centre, double offset,
                            const ExplicitOptions& options) {
    const auto rows = svm::make_rows(row_major(samples.z.data(), samples.count, samples.features),
                                     {}, options.execution);
    const std::vector<double> costs(static_cast<std::size_t>(samples.count), samples.cost);
    const std::vector<double> offsets(costs.size(), offset);
    const svm::SolveOptions how{options.method, options.tolerance, options.max_iterations, true};
    svm::Classifier machine = svm::solve({rows.get(), costs, offsets, centre}, how);
    return {std::move(machine.w), std::move(machine.alpha), machine.iterations,
            machine.status == Status::optimal};
}

BackEndResult solve_plain(const Samples& samples, const ExplicitOptions& options) {
    if (options.svm == Svm::newton) {
        const std::vector<double> zero(static_cast<std::size_t>(samples.features), 0.0);
        return solve_centred(samples, zero, 1, options);
    }
    options.execution.check();
    const double eps = std::max(options.tolerance, tuning::least_liblinear_eps);
    svm::LinearFit fit =
        svm::train_liblinear({samples.z, samples.count, samples.features, samples.cost, eps});
    return {std::move(fit.w), std::move(fit.alpha), fit.iterations, true};
}

}  // namespace sven::reduction
