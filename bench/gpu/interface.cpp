// Paths and cross-validations in one call over the C interface of sven, for bench/gpu/run: on
// either device, of matrices on the host or already on the GPU.

#include <algorithm>
#include <chrono>
#include <cstring>
#include <exception>
#include <memory>
#include <stdexcept>
#include <vector>

#include "sven/sven.h"

namespace {

struct Matrix {
    const void* data;             // dense entries, or the stored values
    const void* indices;          // null: dense
    const std::int64_t* offsets;  // of compressed columns
    std::int64_t rows;
    std::int64_t cols;
    std::int32_t is_float;
    std::int32_t is_row_major;
    std::int32_t on_device;
};

struct Call {
    Matrix X;
    const double* y;
    const double* lambdas;
    std::int64_t settings;
    double alpha;
    std::int32_t device;       // SvenDevice
    std::int32_t standardize;  // and intercept
    std::int32_t threads;
    std::int32_t folds;
    double tolerance;  // zero: the default
};

struct Outcome {
    double seconds;
    double worst_gap;
    std::int64_t selected;  // at the last setting
    std::int32_t is_dual;
    std::int32_t on_cuda;
    char error[256];
};

struct Free {
    void operator()(SvenSession* session) const { sven_session_free(session); }
    void operator()(SvenPath* path) const { sven_path_free(path); }
    void operator()(SvenCv* cv) const { sven_cv_free(cv); }
};

void check(int outcome) {
    if (outcome != SVEN_OK) throw std::runtime_error(sven_last_error());
}

SvenMatrix matrix_of(const Matrix& X) {
    SvenMatrix matrix;
    check(sven_matrix_init(&matrix, sizeof matrix));
    if (X.is_row_major != 0) matrix.storage = SVEN_ROW_MAJOR;
    if (X.indices != nullptr) matrix.storage = SVEN_CSC;
    matrix.scalar = X.is_float != 0 ? SVEN_FLOAT32 : SVEN_FLOAT64;
    matrix.rows = X.rows;
    matrix.cols = X.cols;
    matrix.values = X.data;
    matrix.indices = X.indices;
    matrix.offsets = X.offsets;
    matrix.offset_width = SVEN_INT64;
    matrix.on_device = X.on_device;
    return matrix;
}

std::unique_ptr<SvenSession, Free> session_of(const Call& call) {
    const SvenMatrix X = matrix_of(call.X);
    SvenProblem problem;
    check(sven_problem_init(&problem, sizeof problem));
    problem.X = &X;
    problem.y = call.y;
    problem.intercept = problem.standardize = call.standardize;
    SvenOptions options;
    check(sven_options_init(&options, sizeof options));
    options.device = call.device;
    options.threads = call.threads;
    if (call.tolerance > 0) options.tolerance = call.tolerance;
    SvenSession* session = nullptr;
    check(sven_session_create(&problem, &options, &session));
    return std::unique_ptr<SvenSession, Free>(session);
}

void describe(const SvenPath* path, double* coefficients, std::int64_t cols, Outcome& out) {
    std::int64_t count = 0;
    check(sven_path_count(path, &count));
    for (std::int64_t k = 0; k < count; ++k) {
        SvenSolution solution;
        check(sven_path_solution(path, k, &solution, sizeof solution));
        out.worst_gap = std::max(out.worst_gap, solution.gap);
        out.is_dual = solution.method == SVEN_DUAL ? 1 : 0;
        out.on_cuda = solution.device == SVEN_CUDA ? 1 : 0;
        out.selected = solution.nonzeros;
        for (std::int64_t j = 0; coefficients != nullptr && j < solution.nonzeros; ++j)
            coefficients[k * cols + solution.features[j]] = solution.values[j];
    }
}

// Times solve(), which returns what has to be described.
template <class Solve, class Describe>
int timed(Outcome& out, const Solve& solve, const Describe& describe_it) {
    out = {};
    try {
        const auto start = std::chrono::steady_clock::now();
        const auto result = solve();
        out.seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        describe_it(result.get());
        return 0;
    } catch (const std::exception& error) {
        std::strncpy(out.error, error.what(), sizeof out.error - 1);
        return 1;
    }
}

std::unique_ptr<SvenPath, Free> solve_path(const Call& call) {
    const auto session = session_of(call);
    const std::vector<double> alphas(static_cast<std::size_t>(call.settings), call.alpha);
    SvenPath* path = nullptr;
    check(sven_solve_path(session.get(), SVEN_MIXING, call.lambdas, alphas.data(), call.settings,
                          &path));
    return std::unique_ptr<SvenPath, Free>(path);
}

std::unique_ptr<SvenCv, Free> cross_validate(const Call& call) {
    const auto session = session_of(call);
    std::vector<std::int64_t> fold_of_row(static_cast<std::size_t>(call.X.rows));
    check(sven_make_folds(call.X.rows, call.folds, 1, 1, fold_of_row.data()));
    SvenCvPlan plan;
    check(sven_cv_plan_init(&plan, sizeof plan));
    plan.fold_of_row = fold_of_row.data();
    plan.alphas = &call.alpha;
    plan.alpha_count = 1;
    plan.lambdas = call.lambdas;
    plan.lambda_count = call.settings;
    SvenCv* cv = nullptr;
    check(sven_cross_validate(session.get(), &plan, &cv));
    return std::unique_ptr<SvenCv, Free>(cv);
}

}  // namespace

#define SVEN_EXPORT extern "C" __attribute__((visibility("default")))

// coefficients: settings x cols, zero on entry, or null.
SVEN_EXPORT int sven_gpu_path(const Call* call, double* coefficients, Outcome* out) {
    return timed(
        *out, [&] { return solve_path(*call); },
        [&](const SvenPath* path) { describe(path, coefficients, call->X.cols, *out); });
}

// errors: settings x folds, or null.
SVEN_EXPORT int sven_gpu_cv(const Call* call, double* errors, Outcome* out) {
    return timed(
        *out, [&] { return cross_validate(*call); },
        [&](const SvenCv* cv) {
            const SvenPath* path = nullptr;
            check(sven_cv_path(cv, 0, &path));
            describe(path, nullptr, call->X.cols, *out);
            SvenCvCurve curve;
            check(sven_cv_curve(cv, 0, &curve, sizeof curve));
            if (errors != nullptr) std::copy_n(curve.fold_error, curve.count * curve.folds, errors);
        });
}

// Or why there is none.
SVEN_EXPORT const char* sven_gpu_name() {
    static char name[256];
    return sven_device_name(name, sizeof name) == SVEN_OK ? name : sven_last_error();
}
