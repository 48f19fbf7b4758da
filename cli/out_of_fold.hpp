#pragma once
// What the folds of `sven cv` say of the rows that they test, at the setting that was chosen.

#include <string>

#include "cli/assessment.hpp"
#include "cli/records.hpp"

namespace sven::cli {

// Whether something of the answer cannot be had from the errors of the folds. Predictions take a
// product with X for each fold, which counts where the folds share a Gram matrix.
bool needs_predictions(const CvArguments& arguments);

// One for each row; NaN where no fold tests it. Empty if they are not needed.
const std::vector<double>& out_of_fold_means(const CvRecord& record);

Assessment assess_folds(const CvRecord& record);

// "0.571 cross-validated, 0.663 on the rows of the fit": shares of the deviance, R^2 of numbers.
std::string explained_text(const CvRecord& record);

// The file of --oof: CSV, a row for each.
std::string out_of_fold_table(const CvRecord& record);

}  // namespace sven::cli
