#pragma once
// Cross-validation of whole paths. Means, standard errors and the two choices are defined as in
// cv.glmnet.

#include <span>
#include <string_view>
#include <vector>

#include "sven/export.h"
#include "sven/folds.hpp"
#include "sven/path.hpp"
#include "sven/relaxed.hpp"

namespace sven {

// What a fold's test rows are judged by, each as in cv.glmnet. automatic: the deviance, which of a
// gaussian response is the mean squared error. mse and mae of a binomial response count both
// classes; classification is the share of rows on the wrong side of 1/2; auc the area under the ROC
// curve, of which larger is better: both are for a binomial response alone.
enum class Measure { automatic, deviance, mse, mae, classification, auc };
// "auto", "deviance", "mse", "mae", "class", "auc"
[[nodiscard]] SVEN_API std::string_view name(Measure measure);

// What the fits of the folds have in common with that of all rows: lambda, of the mean loss, as in
// cv.glmnet; or l1 and l2, of the sum, as the C of scikit-learn's LogisticRegressionCV, which is
// not offered for gaussian responses.
enum class Held { lambda, penalty };

// The measure of any predictions of the mean, weighted; all weights one if none are given. The area
// counts ties by half. Rows without a prediction (NaN) or without weight are left out. Throws
// InvalidArgument on lists of different lengths, and on a measure that the family has not.
[[nodiscard]] SVEN_API double measured(Family family, Measure measure, std::span<const double> y,
                                       std::span<const double> means,
                                       std::span<const double> weights = {});

struct CrossValidation {
    std::vector<Fold> folds;
    std::vector<Grid> grids{{}};    // one curve for each: several alphas at once
    std::vector<double> lambdas{};  // instead of the automatic ones, for every curve
    Measure measure = Measure::automatic;
    Held held = Held::lambda;
    bool keeps_predictions = false;  // CvCurve::out_of_fold is filled in
    // Whether standard errors are those of the means of the folds, or else of the errors of the
    // rows, as `grouped` of cv.glmnet; an area under the curve is always one of a fold.
    bool grouped = true;
    // Relaxed fits too, as cv.glmnet(relax = TRUE): judged at each of these shares of the penalised
    // solution. Empty: none.
    std::vector<double> gammas{};
};

// Out-of-fold predictions of each tested row, at both choices: the mean of the response (a
// probability, a count), averaged over the folds that test the row; NaN where none does.
struct OutOfFold {
    std::vector<double> best;
    std::vector<double> one_standard_error;
};

// Errors of one gamma along the lambdas of its curve.
struct GammaCurve {
    double gamma = 1;
    std::vector<double> mean, standard_error;
    std::vector<double> fold_error;     // settings x folds, row-major
    std::vector<double> fold_variance;  // as that of a curve
};

// A place in the table of gammas and lambdas.
struct CvChoice {
    Index gamma = 0;
    Index lambda = 0;
};

// The relaxed fits of a curve. Where a fold has no refit its penalised solution is judged.
struct CvRelaxed {
    std::vector<GammaCurve> curves;   // gamma ascending; empty: not asked for
    CvChoice best;                    // least mean; of equal ones the largest lambda, then gamma
    CvChoice one_standard_error;      // largest lambda within one standard error, then gamma
    std::vector<Refit> fold_refit;    // settings x folds
    std::vector<double> fold_gap;     // the same, of the refits; 0 where there is none
    std::vector<Status> fold_status;  // the same; optimal where there is none
    std::vector<Relaxed> path;        // on all rows
    OutOfFold out_of_fold;            // empty if not requested
};

// Errors of one alpha along its lambdas.
struct CvCurve {
    double alpha = 1;
    std::vector<double> lambda;          // descending
    std::vector<double> mean;            // weighted mean over folds of the measure
    std::vector<double> standard_error;  // of that mean
    std::vector<double> fold_error;      // settings x folds, row-major
    std::vector<double> fold_variance;   // of the errors of a fold's rows; empty where grouped
    std::vector<double> fold_gap;        // settings x folds, of the fold solutions
    std::vector<Status> fold_status;     // iteration_limit: that error may be wrong
    // index of lambda.min: the largest lambda of least mean, or largest area under the curve
    Index best = 0;
    Index one_standard_error = 0;  // of lambda.1se: the largest within one standard error
    std::vector<Solution> path;    // on all rows
    OutOfFold out_of_fold;         // empty if not requested
    CvRelaxed relaxed;
};

// How many fold solutions, refits among them, missed the tolerance, and the largest gap of any.
[[nodiscard]] SVEN_API Index missed(const CvCurve& curve);
[[nodiscard]] SVEN_API double worst_gap(const CvCurve& curve);

struct CvResult {
    std::vector<CvCurve> curves;  // one for each grid
    // The curve with the least mean error, of its relaxed fits where there are any; both of its
    // choices are certified like single fits.
    Index best_curve = 0;
    // For each fold the columns that are constant but for rounding over its training rows, and were
    // left out there; those left out over all rows are in the solutions.
    std::vector<std::vector<Index>> fold_left_out;
};

// Centring and scaling are recomputed on the training rows of each fold. Throws InvalidArgument on
// malformed folds and on any SVM but Svm::newton, Interrupted when cancelled.
[[nodiscard]] SVEN_API CvResult cross_validate(const Problem& problem, const CrossValidation& plan,
                                               const Options& options = {});

}  // namespace sven
