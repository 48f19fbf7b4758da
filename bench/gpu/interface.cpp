// sven behind a C interface, for bench/gpu/run: paths and cross-validations on either device, of
// matrices on the host or already on the GPU.

#include <chrono>
#include <cstring>
#include <exception>
#include <vector>

#include "sven/sven.hpp"

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
    std::int32_t device;       // as sven::Device
    std::int32_t standardize;  // and intercept
    std::int32_t threads;
    std::int32_t folds;
};

struct Outcome {
    double seconds;
    double worst_gap;
    std::int64_t selected;  // at the last setting
    std::int32_t is_dual;
    std::int32_t on_cuda;
    char error[256];
};

sven::MatrixView view(const Matrix& X) {
    const sven::Scalar scalar = X.is_float ? sven::Scalar::float32 : sven::Scalar::float64;
    if (X.indices == nullptr)
        return sven::DenseView{
            X.data,
            scalar,
            X.is_row_major ? sven::Layout::row_major : sven::Layout::column_major,
            X.rows,
            X.cols,
            X.is_row_major ? X.cols : X.rows,
            X.on_device != 0};
    return sven::SparseView{X.data,
                            X.indices,
                            X.offsets,
                            scalar,
                            sven::IndexWidth::int32,
                            sven::IndexWidth::int64,
                            sven::Compression::columns,
                            X.rows,
                            X.cols,
                            X.on_device != 0};
}

std::span<const double> numbers(const double* data, std::int64_t size) {
    return {data, static_cast<std::size_t>(size)};
}

sven::Problem problem_of(const Call& call) {
    sven::Problem problem;
    problem.X = view(call.X);
    problem.y = numbers(call.y, call.X.rows);
    problem.intercept = problem.standardize = call.standardize != 0;
    return problem;
}

sven::Options options_of(const Call& call) {
    sven::Options options;
    options.device = static_cast<sven::Device>(call.device);
    options.threads = call.threads;
    return options;
}

void describe(const std::vector<sven::Solution>& path, double* coefficients, std::int64_t cols,
              Outcome& out) {
    for (std::size_t k = 0; k < path.size(); ++k) {
        out.worst_gap = std::max(out.worst_gap, path[k].gap);
        out.is_dual = path[k].method == sven::Method::dual;
        out.on_cuda = path[k].device == sven::Device::cuda;
        for (const sven::Coefficient& b : path[k].coefficients)
            if (coefficients != nullptr)
                coefficients[static_cast<std::int64_t>(k) * cols + b.feature] = b.value;
    }
    out.selected = static_cast<std::int64_t>(path.back().coefficients.size());
}

template <class Work>
int guarded(Outcome& out, const Work& work) {
    out = {};
    try {
        const auto start = std::chrono::steady_clock::now();
        const auto path = work();
        out.seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return path(out);
    } catch (const std::exception& error) {
        std::strncpy(out.error, error.what(), sizeof out.error - 1);
        return 1;
    }
}

}  // namespace

#define SVEN_EXPORT extern "C" __attribute__((visibility("default")))

// coefficients: settings x cols, zero on entry, or null.
SVEN_EXPORT int sven_gpu_path(const Call* call, double* coefficients, Outcome* out) {
    return guarded(*out, [&] {
        std::vector<sven::Setting> settings;
        for (const double lambda : numbers(call->lambdas, call->settings))
            settings.push_back(sven::Mixing{lambda, call->alpha});
        auto path = sven::solve_path(problem_of(*call), settings, options_of(*call));
        return [&, path = std::move(path)](Outcome& outcome) {
            describe(path, coefficients, call->X.cols, outcome);
            return 0;
        };
    });
}

// errors: settings x folds, or null.
SVEN_EXPORT int sven_gpu_cv(const Call* call, double* errors, Outcome* out) {
    return guarded(*out, [&] {
        sven::CrossValidation plan;
        plan.folds = sven::make_folds(call->X.rows, call->folds);
        plan.grids = {{.alpha = call->alpha}};
        plan.lambdas.assign(call->lambdas, call->lambdas + call->settings);
        auto result = sven::cross_validate(problem_of(*call), plan, options_of(*call));
        return [&, result = std::move(result)](Outcome& outcome) {
            describe(result.curves[0].path, nullptr, call->X.cols, outcome);
            if (errors != nullptr)
                std::copy(result.curves[0].fold_error.begin(), result.curves[0].fold_error.end(),
                          errors);
            return 0;
        };
    });
}

SVEN_EXPORT const char* sven_gpu_name() {
    static const std::string name =
        sven::devices().empty() ? sven::why_no_device() : sven::devices()[0].name;
    return name.c_str();
}
