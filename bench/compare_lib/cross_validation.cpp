#include "cross_validation.hpp"

#include "buffers.hpp"

namespace {

void copy(const SvenCv* cv, const CvAnswer& answer) {
    SvenCvCurve curve;
    compare::check(sven_cv_curve(cv, 0, &curve, sizeof curve));
    std::copy_n(curve.mean, curve.count, answer.mean);
    std::copy_n(curve.standard_error, curve.count, answer.standard_error);
    std::copy_n(curve.fold_error, curve.count * curve.folds, answer.fold_error);
    answer.selection[0] = curve.best;
    answer.selection[1] = curve.one_standard_error;
    const SvenPath* path = nullptr;
    compare::check(sven_cv_path(cv, 0, &path));
    *answer.gap = 0;
    for (std::int64_t k = 0; k < curve.count; ++k)
        *answer.gap = std::max(*answer.gap, compare::solution(path, k).gap);
    const SvenSolution best = compare::solution(path, curve.best);
    *answer.intercept = best.intercept;
    for (std::int64_t j = 0; j < best.nonzeros; ++j)
        answer.coefficients[best.features[j]] = best.values[j];
}

void cross_validate(const MatrixBuffers& X, const double* y, const CvRequest& request,
                    const CvAnswer& answer) {
    const auto session = compare::session(X, y, request);
    SvenCvPlan plan;
    compare::check(sven_cv_plan_init(&plan, sizeof plan));
    plan.fold_of_row = request.fold_of_row;
    plan.alphas = &request.alpha;
    plan.alpha_count = 1;
    plan.lambdas = request.lambdas;
    plan.lambda_count = request.count;
    SvenCv* made = nullptr;
    compare::check(sven_cross_validate(session.get(), &plan, &made));
    const std::unique_ptr<SvenCv, compare::Free> cv(made);
    copy(cv.get(), answer);
}

}  // namespace

int sven_compare_cv(const MatrixBuffers* X, const double* y, const CvRequest* request,
                    const CvAnswer* answer, char* message, std::int64_t message_size) {
    return compare::guarded({message, message_size},
                            [&] { cross_validate(*X, y, *request, *answer); });
}
