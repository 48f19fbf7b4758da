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

// A setting, and the share of its penalised solution.
struct Place {
    Index setting;
    double gamma;

    bool operator==(const Place&) const = default;
};

std::vector<double> test_means(const TestedRows& rows, const FoldSolution& solution_of,
                               const Place& place) {
    const auto n = static_cast<std::size_t>(rows.design.rows());
    const bool is_gaussian = rows.problem.family == Family::gaussian;
    std::vector<double> means(n, 0.0);
    std::vector<int> times(n, 0);
    for (std::size_t k = 0; k < rows.folds.size(); ++k) {
        const Solution solution = solution_of(k, place.setting, place.gamma);
        const std::vector<double> eta =
            linear_predictor(rows.problem, rows.design, solution, rows.team);
        for (const Index i : rows.folds[k].test) {
            means[i] += is_gaussian ? eta[i] : problem::Loss(rows.problem.family).mean(eta[i]);
            ++times[i];
        }
    }
    for (std::size_t i = 0; i < n; ++i)
        means[i] = times[i] > 0 ? means[i] / times[i] : std::numeric_limits<double>::quiet_NaN();
    return means;
}

OutOfFold predict(const TestedRows& rows, const FoldSolution& solution_of, const Place& best,
                  const Place& one_standard_error) {
    OutOfFold means;
    means.best = test_means(rows, solution_of, best);
    means.one_standard_error =
        one_standard_error == best ? means.best : test_means(rows, solution_of, one_standard_error);
    return means;
}

}  // namespace

void keep_predictions(const TestedRows& rows, const FoldSolution& solution_of, CvCurve& curve) {
    curve.out_of_fold = predict(rows, solution_of, {curve.best, 1}, {curve.one_standard_error, 1});
    CvRelaxed& relaxed = curve.relaxed;
    if (relaxed.curves.empty()) return;
    const auto place_of = [&](const CvChoice& choice) {
        return Place{choice.lambda, relaxed.curves[choice.gamma].gamma};
    };
    relaxed.out_of_fold =
        predict(rows, solution_of, place_of(relaxed.best), place_of(relaxed.one_standard_error));
}

}  // namespace sven::path
