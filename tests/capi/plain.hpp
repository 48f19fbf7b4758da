#pragma once
// Problems of the tests as the C interface takes them, and its handles with an owner.

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "support/problems.hpp"
#include "sven/session.hpp"
#include "sven/sven.h"

#define EXPECT_OK(call) EXPECT_EQ(call, SVEN_OK) << sven_last_error()
#define ASSERT_OK(call) ASSERT_EQ(call, SVEN_OK) << sven_last_error()

namespace sven::test {

struct Free {
    void operator()(SvenSession* session) const { sven_session_free(session); }
    void operator()(SvenPath* path) const { sven_path_free(path); }
    void operator()(SvenCv* cv) const { sven_cv_free(cv); }
};
using PlainSession = std::unique_ptr<SvenSession, Free>;
using PlainPath = std::unique_ptr<SvenPath, Free>;
using PlainCv = std::unique_ptr<SvenCv, Free>;

inline SvenMatrix plain_matrix(const MatrixView& X) {
    SvenMatrix matrix;
    EXPECT_OK(sven_matrix_init(&matrix, sizeof matrix));
    matrix.rows = rows(X);
    matrix.cols = cols(X);
    if (const auto* dense = std::get_if<DenseView>(&X)) {
        matrix.storage = dense->layout == Layout::column_major ? SVEN_COLUMN_MAJOR : SVEN_ROW_MAJOR;
        matrix.scalar = dense->scalar == Scalar::float64 ? SVEN_FLOAT64 : SVEN_FLOAT32;
        matrix.values = dense->data;
        matrix.stride = dense->stride;
        return matrix;
    }
    const auto& sparse = std::get<SparseView>(X);
    matrix.storage = sparse.compression == Compression::columns ? SVEN_CSC : SVEN_CSR;
    matrix.scalar = sparse.scalar == Scalar::float64 ? SVEN_FLOAT64 : SVEN_FLOAT32;
    matrix.values = sparse.values;
    matrix.indices = sparse.indices;
    matrix.offsets = sparse.offsets;
    matrix.index_width = sparse.index_width == IndexWidth::int32 ? SVEN_INT32 : SVEN_INT64;
    matrix.offset_width = sparse.offset_width == IndexWidth::int32 ? SVEN_INT32 : SVEN_INT64;
    return matrix;
}

// Points into the data and the matrix.
inline SvenProblem plain_problem(const Data& data, const SvenMatrix& X) {
    SvenProblem problem;
    EXPECT_OK(sven_problem_init(&problem, sizeof problem));
    problem.X = &X;
    problem.y = data.y.data();
    if (!data.weights.empty()) problem.weights = data.weights.data();
    if (!data.factors.empty()) problem.penalty_factors = data.factors.data();
    problem.nonnegative = data.nonnegative ? 1 : 0;
    if (!data.lower.empty()) problem.lower = data.lower.data();
    if (!data.upper.empty()) problem.upper = data.upper.data();
    if (!data.offset.empty()) problem.offset = data.offset.data();
    problem.intercept = data.intercept ? 1 : 0;
    problem.standardize = data.standardize ? 1 : 0;
    problem.family = static_cast<std::int32_t>(data.family);
    return problem;
}

inline SvenOptions plain_options() {
    SvenOptions options;
    EXPECT_OK(sven_options_init(&options, sizeof options));
    return options;
}

inline PlainSession plain_session(const Data& data, const SvenOptions* options = nullptr) {
    const SvenMatrix X = plain_matrix(data.problem().X);
    const SvenProblem problem = plain_problem(data, X);
    SvenSession* session = nullptr;
    EXPECT_OK(sven_session_create(&problem, options, &session));
    return PlainSession(session);
}

PlainSession plain_session(Data&&, const SvenOptions* = nullptr) = delete;  // X must stay

inline PlainPath plain_fit(const PlainSession& session, int form, double first, double second) {
    SvenPath* path = nullptr;
    EXPECT_OK(sven_fit(session.get(), form, first, second, &path));
    return PlainPath(path);
}

inline SvenSolution solution(const SvenPath* path, Index k = 0) {
    SvenSolution found;
    EXPECT_OK(sven_path_solution(path, k, &found, sizeof found));
    return found;
}

// Bit by bit: the two interfaces have made the same calls.
inline void expect_same(const SvenSolution& plain, const Solution& expected) {
    EXPECT_EQ(plain.status, static_cast<int>(expected.status));
    EXPECT_EQ(plain.method, static_cast<int>(expected.method));
    EXPECT_EQ(plain.svm, static_cast<int>(expected.svm));
    EXPECT_EQ(plain.device, static_cast<int>(expected.device));
    EXPECT_EQ(plain.gap_source, static_cast<int>(expected.gap_source));
    EXPECT_EQ(plain.t, expected.t);
    EXPECT_EQ(plain.l1, expected.l1);
    EXPECT_EQ(plain.l2, expected.l2);
    EXPECT_EQ(plain.lambda, expected.lambda);
    EXPECT_EQ(std::isnan(plain.alpha), !expected.alpha.has_value());
    EXPECT_EQ(expected.alpha.has_value() ? plain.alpha : 0, expected.alpha.value_or(0));
    EXPECT_EQ(plain.objective, expected.objective);
    EXPECT_EQ(plain.gap, expected.gap);
    EXPECT_EQ(plain.intercept, expected.intercept);
    EXPECT_EQ(plain.deviance, expected.deviance);
    EXPECT_EQ(plain.null_deviance, expected.null_deviance);
    EXPECT_EQ(plain.iterations, expected.iterations);
    EXPECT_EQ(plain.proven_selected, expected.certificate.proven_selected);
    EXPECT_EQ(plain.proven_zero, expected.certificate.proven_zero);
    EXPECT_EQ(plain.undecided, expected.certificate.undecided);
    EXPECT_EQ(std::vector<Index>(plain.left_out_features, plain.left_out_features + plain.left_out),
              expected.left_out);
    ASSERT_EQ(plain.nonzeros, static_cast<Index>(expected.coefficients.size()));
    for (Index k = 0; k < plain.nonzeros; ++k) {
        EXPECT_EQ(plain.features[k], expected.coefficients[k].feature);
        EXPECT_EQ(plain.values[k], expected.coefficients[k].value);
        EXPECT_EQ(plain.standardized[k], expected.coefficients[k].standardized);
    }
}

inline void expect_same_curve(const SvenCvCurve& plain, const CvCurve& expected) {
    const auto numbers = [](const double* data, Index count) {
        return std::vector<double>(data, data + count);
    };
    EXPECT_EQ(plain.alpha, expected.alpha);
    EXPECT_EQ(numbers(plain.lambda, plain.count), expected.lambda);
    EXPECT_EQ(numbers(plain.mean, plain.count), expected.mean);
    EXPECT_EQ(numbers(plain.standard_error, plain.count), expected.standard_error);
    EXPECT_EQ(numbers(plain.fold_error, plain.count * plain.folds), expected.fold_error);
    EXPECT_EQ(numbers(plain.fold_gap, plain.count * plain.folds), expected.fold_gap);
    ASSERT_EQ(plain.count * plain.folds, static_cast<Index>(expected.fold_status.size()));
    for (Index k = 0; k < plain.count * plain.folds; ++k)
        EXPECT_EQ(plain.fold_status[k], static_cast<int>(expected.fold_status[k]));
    EXPECT_EQ(plain.best, expected.best);
    EXPECT_EQ(plain.one_standard_error, expected.one_standard_error);
    EXPECT_EQ(plain.missed, missed(expected));
    EXPECT_EQ(plain.worst_gap, worst_gap(expected));
}

inline void expect_same_curves(const SvenCv* cv, const CvResult& expected) {
    Index curves = 0;
    Index best = -1;
    EXPECT_OK(sven_cv_count(cv, &curves));
    EXPECT_OK(sven_cv_best(cv, &best));
    EXPECT_EQ(best, expected.best_curve);
    ASSERT_EQ(curves, static_cast<Index>(expected.curves.size()));
    for (Index k = 0; k < curves; ++k) {
        SCOPED_TRACE(k);
        SvenCvCurve curve;
        ASSERT_OK(sven_cv_curve(cv, k, &curve, sizeof curve));
        expect_same_curve(curve, expected.curves[k]);
        const SvenPath* path = nullptr;
        ASSERT_OK(sven_cv_path(cv, k, &path));
        Index count = 0;
        EXPECT_OK(sven_path_count(path, &count));
        ASSERT_EQ(count, curve.count);
        for (Index s = 0; s < count; ++s)
            expect_same(solution(path, s), expected.curves[k].path[s]);
    }
}

}  // namespace sven::test
