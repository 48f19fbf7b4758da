#pragma once
// Cross-validation for a caller with plain buffers; see path.hpp.

#include "path.hpp"

// Errors along `count` lambdas at one alpha, on the folds that fold_of_row numbers from 0.
struct CvRequest {
    std::int32_t intercept;
    std::int32_t standardize;
    std::int32_t threads;
    std::int32_t folds;
    double tolerance;
    double alpha;
    std::int64_t count;
    const double* lambdas;
    const std::int64_t* fold_of_row;
};

struct CvAnswer {
    double* mean;             // count
    double* standard_error;   // count
    double* fold_error;       // count x folds, row-major
    double* coefficients;     // cols, zero on entry: the model of least error, fitted to all rows
    double* intercept;        // 1
    double* gap;              // 1: largest on the path of all rows
    std::int64_t* selection;  // 2: index of the least error, and of the one-standard-error choice
};

// 0, or 1 with the reason in `message`.
SVEN_COMPARE_API int sven_compare_cv(const MatrixBuffers* X, const double* y,
                                     const CvRequest* request, const CvAnswer* answer,
                                     char* message, std::int64_t message_size);
