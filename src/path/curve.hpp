#pragma once
// A curve of cross-validation, whatever the response: the training rows of a fold, the mean of the
// errors of its test rows, and cv.glmnet's summary of the folds.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "linalg/row_sums.hpp"
#include "path/cross_validation.hpp"
#include "sven/cross_validation.hpp"

namespace sven::path {

// The weights of a fold's training rows, zero elsewhere; a row that is listed twice counts twice.
std::vector<double> training_weights(const Problem& problem, const Fold& fold);

// The test group of each row; empty where the folds do not partition the rows.
std::vector<std::int32_t> partition(std::span<const Fold> folds, Index rows);

struct WeightedError {
    double weight;
    double error;
};

// Their mean by weight, and the variance about it.
struct RowErrors {
    double mean = 0;
    double variance = 0;
};

// Over the test rows of a fold, of which error_of(k) gives the k-th.
template <class ErrorOf>
RowErrors sum_errors(const linalg::Execution& execution, std::size_t rows,
                     const ErrorOf& error_of) {
    const auto body = [&](Index begin, Index length) {
        linalg::RowSums<3> sums{};
        for (Index k = begin; k < begin + length; ++k) {
            const WeightedError row = error_of(k);
            sums[0] += row.weight * row.error;
            sums[1] += row.weight;
            sums[2] += row.weight * row.error * row.error;
        }
        return sums;
    };
    const auto [sum, total, squares] =
        linalg::sum_rows<3>(execution, static_cast<Index>(rows), linalg::lane_operations, body);
    const double mean = sum / total;
    return {mean, std::max(0.0, squares / total - mean * mean)};
}

// A curve of these settings, with room for the errors of the folds at each gamma.
CvCurve make_curve(std::span<const Setting> settings, const CrossValidationPlan& plan);
// What a fold's test rows said at one place of a curve, or of one of its gammas.
template <class Curve>
void store(const RowErrors& errors, std::size_t at, Curve& curve) {
    curve.fold_error[at] = errors.mean;
    if (!curve.fold_variance.empty()) curve.fold_variance[at] = errors.variance;
}

inline RowErrors stored(const CvCurve& curve, std::size_t at) {
    return {curve.fold_error[at], curve.fold_variance.empty() ? 0 : curve.fold_variance[at]};
}

// The weight of each fold's test rows; and how many rows there are whose errors are averaged, where
// those of a fold are not taken together.
struct TestedFolds {
    std::vector<double> weights;
    Index rows = 0;  // 0: grouped
};
TestedFolds tested_folds(const Problem& problem, const CrossValidationPlan& plan);
// Of errors by setting and fold, the mean of the folds by weight and its standard error.
template <class Curve>
void summarize_folds(const TestedFolds& tested, Curve& curve);
// cv.glmnet's means, errors and choices, from the errors and weights of the folds.
void summarize(const TestedFolds& tested, bool larger_is_better, CvCurve& curve);
// Puts a curve behind the others. Whether it is the best so far; of equal ones the first is.
bool add_curve(CvCurve curve, bool larger_is_better, CvResult& result);

}  // namespace sven::path
