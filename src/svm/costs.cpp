#include "svm/costs.hpp"

#include <algorithm>
#include <limits>

#include "svm/tuning.hpp"

namespace sven::svm {
namespace {

constexpr double impossible = std::numeric_limits<double>::infinity();

double share(const Rows& samples, double some) {
    return some / static_cast<double>(std::max<Index>(1, samples.samples()));
}

double cube(double x) {
    return x * x * x;
}

}  // namespace

double primal_cost(const Rows& samples, double changed) {
    if (samples.features() > max_order) return impossible;
    const double forming = share(samples, changed) * samples.outer_cost();
    return (forming + cube(static_cast<double>(samples.features())) / 3) / matrix_speed;
}

double dual_cost(const Rows& samples, double support, double new_rows, double kept) {
    if (support > static_cast<double>(max_order)) return impossible;
    const double kernel = new_rows * share(samples, support) * samples.entries();
    return (kernel + (cube(support) - cube(kept)) / 3) / matrix_speed;
}

double iterative_cost(const Rows& samples, double support, double steps) {
    return steps * 2 * share(samples, support) * samples.entries();
}

Method choose_method(const Rows& samples) {
    const double support = expected_support * static_cast<double>(samples.samples());
    // If neither system fits, the primal one at least needs no memory for a kernel.
    return dual_cost(samples, support, support, 0) < primal_cost(samples, support) ? Method::dual
                                                                                   : Method::primal;
}

}  // namespace sven::svm
