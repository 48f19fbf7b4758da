#pragma once
// Output for the terminal.

#include <span>
#include <string>
#include <vector>

#include "cli/records.hpp"

namespace sven::cli {

// Tables show this many rows of coefficients, then say how many there are.
constexpr std::size_t most_rows = 20;

// "data.csv: 97 rows, 8 features, target lpsa", and the notes below it.
std::string data_summary(const LoadedData& data);

// "data.csv: column "a" is constant but for rounding and was left out"; empty if none was.
std::string left_out_text(const LoadedData& data, const Solution& solution);
// Of the columns that some folds left out and the fit on all rows did not; empty: there are none.
std::string left_out_in_folds_text(const CvRecord& record);

std::string fit_report(const FitRecord& record);
std::string path_report(const PathRecord& record);

// The coefficients along a path as CSV: one row for each non-zero coefficient.
std::string path_table(const PathRecord& record);

// The table of cv.glmnet for each alpha, and the chosen model.
std::string cv_report(const CvRecord& record);
// "3 of 1000 fold fits missed the tolerance ..."; empty if none did.
std::string missed_text(const CvRecord& record);

// The largest coefficients and the intercept.
std::string coefficient_table(const FitRecord& record);
std::string status_text(const Solution& solution);
std::string gap_text(const Solution& solution);

// Where the files of a command are: "model in model.json", "report in report.html". Nothing is said
// of standard output.
std::string written_text(const OutputArguments& output, const char* what);

// The setting that a path report opens at: the least n log(RSS) + k log(n), or deviance + k log(n)
// of classes and counts, over the settings with k <= n / 2 features (Schwarz's criterion), else the
// last one.
std::size_t sensible_setting(const PathRecord& record);

// "1.2 ms", "3.4 s"
std::string duration(double seconds);
// "X was read 11 times, and 120 columns one by one"
std::string reads_text(const Reads& reads);

}  // namespace sven::cli
