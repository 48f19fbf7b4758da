#include "capi/structs.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "capi/tuning.hpp"
#include "sven/elastic_net.hpp"
#include "sven/path.hpp"

namespace sven::capi {
SvenMatrix default_matrix() {
    SvenMatrix matrix{};
    matrix.size = sizeof matrix;
    return matrix;
}

SvenProblem default_problem() {
    const Problem usual;
    SvenProblem problem{};
    problem.size = sizeof problem;
    problem.nonnegative = usual.nonnegative ? 1 : 0;
    problem.intercept = usual.intercept ? 1 : 0;
    problem.standardize = usual.standardize ? 1 : 0;
    return problem;
}

SvenOptions default_options() {
    const Options usual;
    SvenOptions options{};
    options.size = sizeof options;
    options.method = static_cast<std::int32_t>(usual.method);
    options.svm = static_cast<std::int32_t>(usual.svm);
    options.device = static_cast<std::int32_t>(usual.device);
    options.max_iterations = usual.max_iterations;
    options.threads = usual.threads;
    options.tolerance = usual.tolerance;
    return options;
}

SvenCvPlan default_cv_plan() {
    const Grid usual;
    SvenCvPlan plan{};
    plan.size = sizeof plan;
    plan.repeats = 1;
    plan.lambda_count = usual.count;
    plan.min_ratio = usual.min_ratio;
    plan.form = SVEN_MIXING;
    plan.grouped = 1;
    return plan;
}

void take(const char* name, std::size_t given_size, const void* given, Bytes ours) {
    if (given_size < sizeof given_size || given_size > tuning::largest_struct)
        throw InvalidArgument("the " + std::string(name) +
                              " struct has no size: set it up by its _init function");
    std::memcpy(ours.data, given, std::min(given_size, ours.size));
    if (given_size <= ours.size) return;
    const auto* bytes = static_cast<const unsigned char*>(given);
    if (std::any_of(bytes + ours.size, bytes + given_size, [](unsigned char b) { return b != 0; }))
        throw InvalidArgument("the " + std::string(name) +
                              " struct has fields set that this version of sven does not know");
}

void give(const void* ours, std::size_t our_size, Bytes given) {
    std::memset(given.data, 0, given.size);
    std::memcpy(given.data, ours, std::min(our_size, given.size));
}

}  // namespace sven::capi

using sven::capi::guarded;
using sven::capi::initialize;

int sven_matrix_init(SvenMatrix* matrix, size_t size) {
    return guarded([&] { initialize("matrix", sven::capi::default_matrix(), matrix, size); });
}

int sven_problem_init(SvenProblem* problem, size_t size) {
    return guarded([&] { initialize("problem", sven::capi::default_problem(), problem, size); });
}

int sven_options_init(SvenOptions* options, size_t size) {
    return guarded([&] { initialize("options", sven::capi::default_options(), options, size); });
}

int sven_cv_plan_init(SvenCvPlan* plan, size_t size) {
    return guarded([&] { initialize("plan", sven::capi::default_cv_plan(), plan, size); });
}
