#include "path.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <vector>

#include "sven/sven.hpp"

namespace {

using sven::Index;

sven::MatrixView view(const MatrixBuffers& X) {
    if (X.layout == layout_columns) return sven::column_major(X.values, X.rows, X.cols);
    if (X.layout == layout_rows) return sven::row_major(X.values, X.rows, X.cols);
    sven::SparseView sparse;
    sparse.values = X.values;
    sparse.indices = X.indices;
    sparse.offsets = X.offsets;
    sparse.rows = X.rows;
    sparse.cols = X.cols;
    return sparse;
}

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
    sven::Problem problem;
    problem.X = view(X);
    problem.y = {y, static_cast<std::size_t>(X.rows)};
    problem.intercept = request.intercept != 0;
    problem.standardize = request.standardize != 0;
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
    try {
        solve(*X, y, *request, *answer);
        return 0;
    } catch (const std::exception& error) {
        const auto room = static_cast<std::size_t>(std::max<std::int64_t>(message_size, 1)) - 1;
        const std::size_t length = std::min(room, std::strlen(error.what()));
        std::copy_n(error.what(), length, message);
        message[length] = '\0';
        return 1;
    }
}
