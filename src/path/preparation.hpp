#pragma once
// Making a workspace from a problem, by one pass over the columns or over the rows, and solutions
// from what was solved in it.

#include "path/workspace.hpp"
#include "problem/summed_rows.hpp"

namespace sven::path {

// The method asked for, or the cheaper one for this many settings.
Method choose_method(const linalg::Design& X, std::size_t settings, const Options& options);

// Points a workspace that has a design to its problem and options.
void attach(const Problem& problem, const Options& options, Workspace& work);
// Moments, shifts, penalties and h_max from the columns; the response is there.
void prepare_from_columns(Workspace& work);
// The same from the sums of the Gram matrix, which is returned scaled.
problem::ScaledGram prepare_from_gram(Workspace& work, linalg::GramSums sums);
// All of it, with the response, from statistics about the means of the columns.
problem::ScaledGram prepare_from_statistics(Workspace& work,
                                            const linalg::RowStatistics& statistics);
// What remains once response and moments are known; of a Gram matrix, whose moments they are.
void finish_preparation(Workspace& work);
problem::ScaledGram finish_preparation(Workspace& work, const linalg::GramSums& sums);
// Another response for the same weights: the products with it are all that changes.
void take_products(Workspace& work);

// The weights times the centred response: what enters the products of the moments.
std::vector<double> weighted_response(const Problem& problem, const problem::Response& response);

// A solution on the user's scale: coefficients in the order of the support.
struct UserModel {
    std::vector<double> coefficients;
    double intercept = 0;
};
UserModel to_user_scale(const Workspace& work, const problem::Support& support);
// The same where the linear predictor at the means of the columns is `centre`.
UserModel to_user_scale(const Workspace& work, const problem::Support& support, double centre);

// On the user's scale, in the terms of the setting that was asked for.
Solution make_solution(const Workspace& work, const Setting& setting, const Solved& solved,
                       double centre);

}  // namespace sven::path
