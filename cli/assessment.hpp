#pragma once
// How good predictions are: the figures, the tables of classes, and both as text and JSON.

#include <array>
#include <string>
#include <vector>

#include "cli/classes.hpp"
#include "cli/json_text.hpp"
#include "sven/sven.hpp"

namespace sven::cli {

// Rows whose probabilities lie between two tenths.
struct CalibrationBin {
    double from = 0;
    double to = 0;
    double weight = 0;
    double predicted = 0;  // mean probability
    double observed = 0;   // share of the class
};

struct RocPoint {
    double false_positive = 0;  // share of the other class that is taken for it
    double true_positive = 0;
};

struct Assessment {
    Family family = Family::gaussian;
    Index rows = 0;  // that have a target, a prediction and a weight
    double weight = 0;
    double deviance = 0;       // the weighted mean over the rows; of numbers the MSE
    double null_deviance = 0;  // by the mean of the rows for all of them
    double mse = 0;
    double mae = 0;
    // of classes
    double error = 0;
    double auc = 0;                                       // NaN if there is one class alone
    std::array<std::array<double, 2>, 2> confusion = {};  // weights: actual, then predicted
    std::vector<CalibrationBin> calibration;              // without empty ones
    std::vector<RocPoint> roc;

    // The share of the deviance that is explained, R^2 of numbers; NaN if there is none.
    double explained() const;
};

// 1 - deviance / null_deviance, and 0 where they differ by rounding alone, as those of a model
// without features do; NaN if there is nothing to explain.
double explained_share(double deviance, double null_deviance);

// Judged rows; NaN where there is no target or no prediction.
struct JudgedRows {
    std::vector<double> y;
    std::vector<double> means;
    std::vector<double> weights;  // empty: all one
};

Assessment assess(Family family, const JudgedRows& rows);

Json assessment_entry(const Assessment& figures, const Classes& classes);
std::string assessment_text(const Assessment& figures, const Classes& classes);

}  // namespace sven::cli
