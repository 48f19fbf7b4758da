#pragma once
// A curve of cross-validation, whatever the response: the training rows of a fold, the mean of the
// errors of its test rows, and cv.glmnet's summary of the folds.

#include <cstdint>
#include <span>
#include <vector>

#include "linalg/row_sums.hpp"
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

// sum w e / sum w over the test rows of a fold, of which error_of(k) gives the k-th.
template <class ErrorOf>
double weighted_mean(const linalg::Execution& execution, std::size_t rows,
                     const ErrorOf& error_of) {
    const auto body = [&](Index begin, Index length) {
        linalg::RowSums<2> sums{};
        for (Index k = begin; k < begin + length; ++k) {
            const WeightedError row = error_of(k);
            sums[0] += row.weight * row.error;
            sums[1] += row.weight;
        }
        return sums;
    };
    const auto [sum, total] =
        linalg::sum_rows<2>(execution, static_cast<Index>(rows), linalg::lane_operations, body);
    return sum / total;
}

// A curve of these settings, with room for the errors of the folds at each gamma.
CvCurve make_curve(std::span<const Setting> settings, std::size_t folds,
                   std::span<const double> gammas);
// Of errors by setting and fold, the mean of the folds by weight and its standard error.
void summarize_folds(std::span<const double> fold_error, std::span<const double> weights,
                     std::vector<double>& mean, std::vector<double>& standard_error);
// The weight of each fold's test rows.
std::vector<double> tested_weights(const Problem& problem, std::span<const Fold> folds);
// cv.glmnet's means, errors and choices, from the errors and weights of the folds.
void summarize(std::span<const double> fold_weights, bool larger_is_better, CvCurve& curve);
// Puts a curve behind the others. Whether it is the best so far; of equal ones the first is.
bool add_curve(CvCurve curve, bool larger_is_better, CvResult& result);

}  // namespace sven::path
