#include "path/out_of_fold.hpp"

#include <limits>

#include "problem/loss.hpp"

namespace sven::path {

std::vector<double> linear_predictor(const Problem& problem, const linalg::Design& design,
                                     const Solution& solution, const linalg::Execution& team) {
    std::vector<Index> columns;
    std::vector<double> values;
    double intercept = solution.intercept;
    for (const Coefficient& b : solution.coefficients) {
        columns.push_back(b.feature);
        values.push_back(b.value);
        if (!design.shift().empty()) intercept += design.shift()[b.feature] * b.value;
    }
    std::vector<double> eta(static_cast<std::size_t>(design.rows()), 0.0);
    design.multiply(columns, values, team, eta.data());
    for (std::size_t i = 0; i < eta.size(); ++i)
        eta[i] = eta[i] + intercept + (problem.offset.empty() ? 0 : problem.offset[i]);
    return eta;
}

namespace {

std::vector<double> test_means(const TestedRows& rows, const FoldSolution& solution_of,
                               Index setting) {
    const auto n = static_cast<std::size_t>(rows.design.rows());
    const bool is_gaussian = rows.problem.family == Family::gaussian;
    std::vector<double> means(n, 0.0);
    std::vector<int> times(n, 0);
    for (std::size_t k = 0; k < rows.folds.size(); ++k) {
        const std::vector<double> eta =
            linear_predictor(rows.problem, rows.design, solution_of(k, setting), rows.team);
        for (const Index i : rows.folds[k].test) {
            means[i] += is_gaussian ? eta[i] : problem::Loss(rows.problem.family).mean(eta[i]);
            ++times[i];
        }
    }
    for (std::size_t i = 0; i < n; ++i)
        means[i] = times[i] > 0 ? means[i] / times[i] : std::numeric_limits<double>::quiet_NaN();
    return means;
}

}  // namespace

void keep_predictions(const TestedRows& rows, const FoldSolution& solution_of, CvCurve& curve) {
    curve.out_of_fold.best = test_means(rows, solution_of, curve.best);
    curve.out_of_fold.one_standard_error =
        curve.one_standard_error == curve.best
            ? curve.out_of_fold.best
            : test_means(rows, solution_of, curve.one_standard_error);
}

}  // namespace sven::path
