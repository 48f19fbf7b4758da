#include "cross_validation.hpp"

#include <algorithm>

#include "buffers.hpp"
#include "sven/cross_validation.hpp"

namespace {

using sven::Index;

void copy(const sven::CvCurve& curve, const CvAnswer& answer) {
    std::copy(curve.mean.begin(), curve.mean.end(), answer.mean);
    std::copy(curve.standard_error.begin(), curve.standard_error.end(), answer.standard_error);
    std::copy(curve.fold_error.begin(), curve.fold_error.end(), answer.fold_error);
    answer.selection[0] = curve.best;
    answer.selection[1] = curve.one_standard_error;
    *answer.gap = 0;
    for (const sven::Solution& solution : curve.path)
        *answer.gap = std::max(*answer.gap, solution.gap);
    const sven::Solution& best = curve.path[curve.best];
    *answer.intercept = best.intercept;
    for (const sven::Coefficient& coefficient : best.coefficients)
        answer.coefficients[coefficient.feature] = coefficient.value;
}

void cross_validate(const MatrixBuffers& X, const double* y, const CvRequest& request,
                    const CvAnswer& answer) {
    const sven::Problem problem =
        sven::compare::problem(X, y, request.intercept != 0, request.standardize != 0);
    sven::Options options;
    options.tolerance = request.tolerance;
    options.threads = request.threads;
    sven::CrossValidation plan;
    plan.folds = sven::folds_of({request.fold_of_row, static_cast<std::size_t>(X.rows)});
    plan.grids = {{.alpha = request.alpha}};
    plan.lambdas.assign(request.lambdas, request.lambdas + request.count);
    copy(sven::cross_validate(problem, plan, options).curves.front(), answer);
}

}  // namespace

int sven_compare_cv(const MatrixBuffers* X, const double* y, const CvRequest* request,
                    const CvAnswer* answer, char* message, std::int64_t message_size) {
    return sven::compare::guarded({message, message_size},
                                  [&] { cross_validate(*X, y, *request, *answer); });
}
