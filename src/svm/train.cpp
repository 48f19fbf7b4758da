// svm::train: validates, removes the unit of X from the problem, chooses how X is read, and solves
// the squared hinge with w0 = 0, b = 1.

#include <algorithm>
#include <cmath>
#include <vector>

#include "sven/svm.hpp"
#include "svm/large_costs.hpp"
#include "svm/tuning.hpp"
#include "svm/validate.hpp"

namespace sven::svm {
namespace {

// X = 2^unit X~ has the same machine as X~ with C~ = 4^unit C; then w~ = 2^unit w, a~ = 4^unit a,
// and the objective is 4^unit times as large. All of this is exact.
struct Unit {
    int exponent = 0;

    explicit Unit(double largest) : exponent(largest > 0 ? std::ilogb(largest) : 0) {}

    std::vector<double> labels(std::span<const double> given) const {
        std::vector<double> scaled(given.begin(), given.end());
        for (double& label : scaled) label = std::ldexp(label, -exponent);
        return scaled;
    }
    std::vector<double> costs(const Classification& problem) const {
        std::vector<double> scaled(problem.costs.begin(), problem.costs.end());
        if (scaled.empty()) scaled.assign(problem.labels.size(), problem.cost);
        for (double& cost : scaled) cost = std::max(smallest_cost, std::ldexp(cost, 2 * exponent));
        return scaled;
    }
    // Empty if it is so large that its products may overflow.
    std::vector<double> start(std::span<const double> given) const {
        std::vector<double> scaled(given.begin(), given.end());
        for (double& entry : scaled) {
            entry = std::ldexp(entry, exponent);
            if (!(std::abs(entry) < largest_start)) return {};
        }
        return scaled;
    }
    void restore(Classifier& result) const {
        for (double& entry : result.w) entry = std::ldexp(entry, -exponent);
        for (double& entry : result.alpha) entry = std::ldexp(entry, -2 * exponent);
        result.objective = std::ldexp(result.objective, -2 * exponent);
    }
};

}  // namespace

Classifier train(const Classification& problem, const Options& options,
                 std::span<const double> warm_start) {
    const Unit unit(validate(problem, options, warm_start));
    const linalg::Execution execution{linalg::resolve_threads(options.threads), options.cancel};
    const std::vector<double> offsets(problem.labels.size(), 1.0);
    const std::vector<double> centre(static_cast<std::size_t>(cols(problem.X)), 0.0);
    const std::vector<double> labels = unit.labels(problem.labels);
    const std::vector<double> costs = unit.costs(problem);
    const SolveOptions how{options.method, options.tolerance, options.max_iterations, true};
    try {
        const auto samples = make_rows(problem.X, labels, execution);
        Classifier result =
            classify({samples.get(), costs, offsets, centre}, how, unit.start(warm_start));
        unit.restore(result);
        return result;
    } catch (const linalg::Cancelled&) {
        Classifier nothing;
        nothing.status = Status::cancelled;
        return nothing;
    }
}

}  // namespace sven::svm
