#include "path.hpp"

#include <vector>

#include "buffers.hpp"

namespace {

using sven::Index;

sven::Setting setting(const PathRequest& request, Index k) {
    const double first = request.first[k];
    const double second = request.second[k];
    if (request.form == form_mixing) return sven::Mixing{.lambda = first, .alpha = second};
    if (request.form == form_penalty) return sven::Penalty{.l1 = first, .l2 = second};
    return sven::Budget{.t = first, .l2 = second};
}

void copy(const sven::Solution& solution, Index k, Index cols, const PathAnswer& answer) {
    answer.intercepts[k] = solution.intercept;
    answer.gaps[k] = solution.gap;
    answer.t[k] = solution.t;
    answer.status[k] = static_cast<std::int32_t>(solution.status);
    for (const sven::Coefficient& coefficient : solution.coefficients)
        answer.coefficients[k * cols + coefficient.feature] = coefficient.value;
}

void solve(const MatrixBuffers& X, const double* y, const PathRequest& request,
           const PathAnswer& answer) {
    const sven::Problem problem =
        sven::compare::problem(X, y, request.intercept != 0, request.standardize != 0);
    sven::Options options;
    options.tolerance = request.tolerance;
    options.threads = request.threads;
    std::vector<sven::Setting> settings;
    for (Index k = 0; k < request.count; ++k) settings.push_back(setting(request, k));
    const std::vector<sven::Solution> path = sven::solve_path(problem, settings, options);
    for (Index k = 0; k < request.count; ++k) copy(path[k], k, X.cols, answer);
}

}  // namespace

int sven_compare_path(const MatrixBuffers* X, const double* y, const PathRequest* request,
                      const PathAnswer* answer, char* message, std::int64_t message_size) {
    return sven::compare::guarded({message, message_size},
                                  [&] { solve(*X, y, *request, *answer); });
}
