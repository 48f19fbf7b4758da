#include "capi/convert.hpp"

#include <limits>
#include <string>

#include "sven/predict.hpp"

namespace sven::capi {
namespace {

// The enumerators of sven.h are those of the C++ interface, in the same order.
static_assert(SVEN_CSR - SVEN_CSC == static_cast<int>(Compression::rows));
static_assert(SVEN_ROW_MAJOR == static_cast<int>(Layout::row_major));
static_assert(SVEN_INT8 == static_cast<int>(Scalar::int8));
static_assert(SVEN_INT64 == static_cast<int>(IndexWidth::int64));
static_assert(SVEN_POISSON == static_cast<int>(Family::poisson));
static_assert(SVEN_AUC == static_cast<int>(Measure::auc));
static_assert(SVEN_HELD_PENALTY == static_cast<int>(Held::penalty));
static_assert(SVEN_LABEL == static_cast<int>(Prediction::label));
static_assert(SVEN_DUAL == static_cast<int>(Method::dual));
static_assert(SVEN_LIBLINEAR == static_cast<int>(Svm::liblinear));
static_assert(SVEN_CUDA == static_cast<int>(Device::cuda));
static_assert(SVEN_DEVICE_AUTOMATIC == static_cast<int>(Device::automatic));

DenseView dense_view(const SvenMatrix& X) {
    DenseView view;
    view.data = X.values;
    view.scalar = choice("scalar of X", X.scalar, Scalar::int8);
    view.layout = static_cast<Layout>(X.storage);
    view.rows = X.rows;
    view.cols = X.cols;
    view.stride = X.stride;
    const Index line = view.layout == Layout::column_major ? X.rows : X.cols;
    if (X.stride == 0) view.stride = line;
    if (view.stride < line)
        throw InvalidArgument("the stride of X is " + std::to_string(X.stride) +
                              ", less than a line of " + std::to_string(line));
    if (X.rows > 0 && X.cols > 0) require(X.values, "X->values");
    view.on_device = X.on_device != 0;
    return view;
}

SparseView sparse_view(const SvenMatrix& X) {
    SparseView view;
    view.values = X.values;
    view.indices = X.indices;
    view.offsets = X.offsets;
    view.scalar = choice("scalar of X", X.scalar, Scalar::float32);
    view.index_width = choice("index_width of X", X.index_width, IndexWidth::int64);
    view.offset_width = choice("offset_width of X", X.offset_width, IndexWidth::int64);
    view.compression = X.storage == SVEN_CSC ? Compression::columns : Compression::rows;
    view.rows = X.rows;
    view.cols = X.cols;
    view.on_device = X.on_device != 0;
    require(X.offsets, "X->offsets");
    return view;
}

Convention convention_of(int form) {
    if (form != SVEN_MIXING && form != SVEN_GLMNET)
        throw InvalidArgument("the form is " + std::to_string(form) +
                              "; lambdas are of SVEN_MIXING or SVEN_GLMNET");
    return form == SVEN_GLMNET ? Convention::glmnet : Convention::documented;
}

}  // namespace

MatrixView view_of(const SvenMatrix* matrix) {
    const SvenMatrix X = read("X", matrix, default_matrix());
    if (X.rows < 0 || X.cols < 0)
        throw InvalidArgument("X has a negative number of rows or columns");
    if (choice("storage of X", X.storage, SVEN_CSR) >= SVEN_CSC) return sparse_view(X);
    return dense_view(X);
}

Problem problem_of(const SvenProblem& problem, const MatrixView& X) {
    require(problem.y, "y");
    Problem stated;
    stated.X = X;
    stated.y = numbers(problem.y, rows(X));
    stated.weights = numbers(problem.weights, rows(X));
    stated.penalty_factors = numbers(problem.penalty_factors, cols(X));
    stated.nonnegative = problem.nonnegative != 0;
    stated.lower = numbers(problem.lower, cols(X));
    stated.upper = numbers(problem.upper, cols(X));
    stated.intercept = problem.intercept != 0;
    stated.standardize = problem.standardize != 0;
    stated.family = choice("family", problem.family, Family::poisson);
    return stated;
}

Options options_of(const SvenOptions& options) {
    Options chosen;
    chosen.method = choice("method", options.method, Method::dual);
    chosen.svm = choice("svm", options.svm, Svm::liblinear);
    chosen.device = choice("device", options.device, Device::automatic);
    chosen.tolerance = options.tolerance;
    chosen.max_iterations = options.max_iterations;
    chosen.proofs = options.proofs != 0;
    chosen.threads = options.threads;
    return chosen;
}

Setting setting_of(int form, double first, double second) {
    switch (choice("form", form, SVEN_GLMNET)) {
        case SVEN_BUDGET:
            return Budget{first, second};
        case SVEN_PENALTY:
            return Penalty{first, second};
        default:
            return Mixing{first, second, convention_of(form)};
    }
}

Grid grid_of(int form, double alpha, double min_ratio, Index count) {
    if (count < 1 || count > std::numeric_limits<int>::max())
        throw InvalidArgument("the number of lambdas is " + std::to_string(count));
    return {alpha, static_cast<int>(count), min_ratio, convention_of(form)};
}

namespace {

std::vector<Fold> folds_of_plan(const SvenCvPlan& plan, Index rows) {
    if (plan.time_ordered_folds != 0) {
        if (plan.fold_of_row != nullptr)
            throw InvalidArgument("fold_of_row and time_ordered_folds exclude each other");
        return time_ordered_folds(rows, plan.time_ordered_folds);
    }
    require(plan.fold_of_row, "fold_of_row");
    if (plan.repeats < 1) throw InvalidArgument("repeats must be at least 1");
    std::vector<Fold> folds;
    for (Index repeat = 0; repeat < plan.repeats; ++repeat)
        for (Fold& fold :
             folds_of({plan.fold_of_row + repeat * rows, static_cast<std::size_t>(rows)}))
            folds.push_back(std::move(fold));
    return folds;
}

}  // namespace

CrossValidation plan_of(const SvenCvPlan& plan, Index rows) {
    CrossValidation result;
    result.folds = folds_of_plan(plan, rows);
    result.keeps_predictions = plan.keeps_predictions != 0;
    result.grouped = plan.grouped != 0;
    if (plan.gammas != nullptr && plan.gamma_count < 1)
        throw InvalidArgument("gamma_count must be at least 1");
    const std::span<const double> gammas = numbers(plan.gammas, plan.gamma_count);
    result.gammas.assign(gammas.begin(), gammas.end());
    const Grid grid = grid_of(plan.form, 1, plan.min_ratio, plan.lambda_count);
    result.grids = {grid};
    if (plan.alphas != nullptr) {
        if (plan.alpha_count < 1) throw InvalidArgument("alpha_count must be at least 1");
        result.grids.assign(static_cast<std::size_t>(plan.alpha_count), grid);
        for (Index k = 0; k < plan.alpha_count; ++k) result.grids[k].alpha = plan.alphas[k];
    }
    const std::span<const double> lambdas = numbers(plan.lambdas, plan.lambda_count);
    result.lambdas.assign(lambdas.begin(), lambdas.end());
    result.measure = choice("measure", plan.measure, Measure::auc);
    result.held = choice("held", plan.held, Held::penalty);
    return result;
}

}  // namespace sven::capi
