#include "capi/plain_c.h"

#include <math.h>
#include <string.h>

#include "sven/sven.h"

enum { rows = 6, cols = 2, grid_size = 5, fold_count = 3 };

static const double X_values[rows * cols] = {1, 2, 3, 4, 5, 6, 2, 1, 4, 3, 6, 5};
static const double y[rows] = {1.1, 1.9, 3.2, 3.8, 5.1, 6.2};

static const char* check_path(const SvenPath* path, const SvenMatrix* X) {
    SvenSolution solution;
    double coefficients[cols];
    double predictions[rows];
    int64_t k;
    double expected;
    if (sven_path_solution(path, grid_size - 1, &solution, sizeof solution) != SVEN_OK ||
        sven_path_coefficients(path, grid_size - 1, coefficients, cols) != SVEN_OK ||
        sven_path_predict(path, grid_size - 1, X, predictions) != SVEN_OK)
        return sven_last_error();
    if (solution.status != SVEN_OPTIMAL || solution.gap > 1e-10) return "not solved";
    if (solution.nonzeros < 1 || solution.nonzeros > cols) return "the number of coefficients";
    for (k = 0; k < solution.nonzeros; ++k)
        if (coefficients[solution.features[k]] != solution.values[k]) return "a coefficient";
    for (k = 0; k < rows; ++k) {
        expected = solution.intercept + coefficients[0] * X_values[k] +
                   coefficients[1] * X_values[rows + k];
        if (fabs(predictions[k] - expected) > 1e-12) return "a prediction";
    }
    return NULL;
}

static const char* solve(SvenSession* session, const SvenMatrix* X) {
    double lambdas[grid_size];
    const double alphas[grid_size] = {0.5, 0.5, 0.5, 0.5, 0.5};
    SvenPath* path = NULL;
    const char* wrong;
    if (sven_lambda_grid(session, SVEN_MIXING, 0.5, 1e-3, grid_size, lambdas) != SVEN_OK ||
        sven_solve_path(session, SVEN_MIXING, lambdas, alphas, grid_size, &path) != SVEN_OK)
        return sven_last_error();
    wrong = check_path(path, X);
    sven_path_free(path);
    return wrong;
}

static const char* cross_validate(SvenSession* session) {
    int64_t fold_of_row[rows];
    SvenCvPlan plan;
    SvenCv* cv = NULL;
    SvenCvCurve curve;
    const char* wrong = NULL;
    if (sven_make_folds(rows, fold_count, 1, 1, fold_of_row) != SVEN_OK ||
        sven_cv_plan_init(&plan, sizeof plan) != SVEN_OK)
        return sven_last_error();
    plan.fold_of_row = fold_of_row;
    plan.lambda_count = grid_size;
    if (sven_cross_validate(session, &plan, &cv) != SVEN_OK ||
        sven_cv_curve(cv, 0, &curve, sizeof curve) != SVEN_OK)
        wrong = sven_last_error();
    else if (curve.count != grid_size || curve.folds != fold_count || curve.missed != 0)
        wrong = "the curve";
    sven_cv_free(cv);
    return wrong;
}

const char* use_from_c(void) {
    SvenMatrix X;
    SvenProblem problem;
    SvenSession* session = NULL;
    const char* wrong;
    if (strcmp(sven_version(), SVEN_VERSION) != 0) return "the version";
    if (sven_matrix_init(&X, sizeof X) != SVEN_OK ||
        sven_problem_init(&problem, sizeof problem) != SVEN_OK)
        return sven_last_error();
    X.rows = rows;
    X.cols = cols;
    X.values = X_values;
    problem.X = &X;
    problem.y = y;
    if (sven_session_create(&problem, NULL, &session) != SVEN_OK) return sven_last_error();
    wrong = solve(session, &X);
    if (wrong == NULL) wrong = cross_validate(session);
    sven_session_free(session);
    return wrong;
}
