#include "path/ridge.hpp"

#include <algorithm>

#include "linalg/dense.hpp"
#include "linalg/least_norm.hpp"
#include "path/data_certificate.hpp"
#include "path/tuning.hpp"
#include "reduction/systems/row_matrix.hpp"

namespace sven::path {
namespace {

using linalg::Buffer;

// X F^-1 X' over the penalised features.
void accumulate_rows(Workspace& workspace, linalg::ScaledDesign& X, reduction::RowMatrix& M) {
    const Index n = X.rows();
    std::vector<Index> features;
    std::vector<double> weights(static_cast<std::size_t>(X.cols()), 0.0);
    for (Index j = 0; j < X.cols(); ++j) {
        if (workspace.penalties.excluded[j] || !(workspace.factor(j) > 0)) continue;
        features.push_back(j);
        weights[j] = 1 / workspace.factor(j);
    }
    M.begin(n);
    // Centred columns leave the direction of the weights out, and so does y: a unit there keeps
    // M well conditioned at small l2 and changes nothing.
    if (workspace.problem->intercept) {
        const std::vector<double>& root = workspace.response.root_weights;
        M.add_direction(root.empty() ? std::vector<double>(static_cast<std::size_t>(n), 1.0)
                                     : root);
    }
    M.add(features, weights, 1, [&](std::span<const Index> some, double* out) {
        X.gather(some, workspace.execution, out, n);
    });
}

// a with (M + l2 I) a = y and X_0'a = 0.
std::vector<double> solve_rows(Workspace& workspace, linalg::ScaledDesign& X, double l2,
                               reduction::RowMatrix& M, std::vector<double>& free_beta) {
    const Index n = X.rows();
    // Rounding may leave M indefinite at an l2 below it: then a larger one, and the gap tells.
    const double largest = M.largest_diagonal();
    double lift = tuning::first_lift;
    for (double ridge = l2; !M.factorise(ridge); lift *= tuning::lift_growth)
        ridge = l2 + lift * largest;
    const std::span<const double> y = workspace.response.values();
    std::vector<double> a(y.begin(), y.end());
    M.solve(a.data());
    const std::span<const Index> free_features = workspace.free.features();
    const auto k = static_cast<Index>(free_features.size());
    if (k == 0) return a;
    // (X_0' M^-1 X_0) b_0 = X_0' M^-1 y, a = M^-1 (y - X_0 b_0); least norm where dependent
    Buffer<double> free_columns(n * k);
    Buffer<double> solved_columns(n * k);
    X.gather(free_features, workspace.execution, free_columns.data(), n);
    std::copy_n(free_columns.data(), n * k, solved_columns.data());
    for (Index c = 0; c < k; ++c) {
        workspace.execution.check();
        M.solve(solved_columns.data() + c * n);
    }
    std::vector<double> S(static_cast<std::size_t>(k * k));
    linalg::assign<double>({k, k, n, 1, linalg::by_rows<double>(free_columns.data(), n),
                            linalg::by_columns<double>(solved_columns.data(), n), S.data(), k});
    free_beta.assign(static_cast<std::size_t>(k), 0.0);
    linalg::project<double>({free_columns.data(), n, n, k}, a.data(), free_beta.data());
    linalg::solve_least_norm(k, S.data(), free_beta.data(), tuning::least_norm_rank);
    linalg::combine<double>({solved_columns.data(), n, n, k}, -1, free_beta.data(), a.data());
    return a;
}

}  // namespace

Solved solve_ridge(Workspace& workspace, linalg::ScaledDesign& X, double l2) {
    reduction::RowMatrix M(workspace.execution);
    accumulate_rows(workspace, X, M);
    std::vector<double> free_beta;
    std::vector<double> residual = solve_rows(workspace, X, l2, M, free_beta);
    for (double& value : residual) value *= l2;  // r = l2 a
    const std::vector<double> products = correlate(workspace, X, residual);
    const std::span<const Index> free_features = workspace.free.features();
    std::vector<double> free_at(products.size(), 0.0);
    for (std::size_t k = 0; k < free_features.size(); ++k) free_at[free_features[k]] = free_beta[k];
    Solved solved;
    solved.l2 = l2;
    solved.iterations = 1;
    for (Index j = 0; j < X.cols(); ++j) {
        if (workspace.penalties.excluded[j]) continue;
        const double f = workspace.factor(j);
        solved.support.features.push_back(j);
        solved.support.beta.push_back(f > 0 ? products[j] / (l2 * f) : free_at[j]);
        solved.support.signs.push_back(0);
    }
    certify_from_data(workspace, problem::Target::penalty(0, l2), Effort::sharp, solved);
    return solved;
}

}  // namespace sven::path
