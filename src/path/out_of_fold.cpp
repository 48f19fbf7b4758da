#include "path/out_of_fold.hpp"

#include <algorithm>
#include <limits>

#include "problem/loss.hpp"

namespace sven::path {

namespace {

// A setting, and the share of its penalised solution.
struct Place {
    Index setting;
    double gamma;

    bool operator==(const Place&) const = default;
};

// Folds that share no test row, and which of them tests a row; -1: none.
struct Layer {
    std::vector<std::size_t> folds;
    std::vector<Index> group;
};

// Repeated folds have a layer for each repetition, others one.
std::vector<Layer> layers_of(std::span<const Fold> folds, Index rows) {
    std::vector<Layer> layers;
    for (std::size_t k = 0; k < folds.size(); ++k) {
        const auto is_free = [&](const Layer& layer) {
            return std::all_of(folds[k].test.begin(), folds[k].test.end(),
                               [&](Index i) { return layer.group[i] < 0; });
        };
        auto layer = std::find_if(layers.begin(), layers.end(), is_free);
        if (layer == layers.end())
            layer = layers.insert(
                layer, {{}, std::vector<Index>(static_cast<std::size_t>(rows), Index{-1})});
        for (const Index i : folds[k].test)
            layer->group[i] = static_cast<Index>(layer->folds.size());
        layer->folds.push_back(k);
    }
    return layers;
}

// Offset + intercept + X b of the rows that the folds of a layer test, by one product.
std::vector<double> layer_predictors(const TestedRows& rows, const Layer& layer,
                                     std::span<const Solution> solutions) {
    std::vector<Index> columns;
    for (const Solution& solution : solutions)
        for (const Coefficient& b : solution.coefficients) columns.push_back(b.feature);
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    const std::span<const double> shift = rows.design.shift();
    std::vector<double> values(columns.size() * solutions.size(), 0.0);
    std::vector<double> intercepts;
    for (std::size_t g = 0; g < solutions.size(); ++g) {
        intercepts.push_back(solutions[g].intercept);
        for (const Coefficient& b : solutions[g].coefficients) {
            const auto c = std::lower_bound(columns.begin(), columns.end(), b.feature);
            values[(c - columns.begin()) * solutions.size() + g] = b.value;
            if (!shift.empty()) intercepts[g] += shift[b.feature] * b.value;
        }
    }
    std::vector<double> eta(layer.group.size());
    rows.design.multiply_groups(columns, values, layer.group, rows.team, eta.data());
    for (std::size_t i = 0; i < eta.size(); ++i)
        if (layer.group[i] >= 0)
            eta[i] += intercepts[layer.group[i]] +
                      (rows.problem.offset.empty() ? 0 : rows.problem.offset[i]);
    return eta;
}

std::vector<double> test_means(const TestedRows& rows, const FoldSolution& solution_of,
                               const Place& place) {
    const auto n = static_cast<std::size_t>(rows.design.rows());
    const bool is_gaussian = rows.problem.family == Family::gaussian;
    const std::vector<std::vector<double>> eta =
        test_predictors(rows, solution_of, place.setting, place.gamma);
    std::vector<double> means(n, 0.0);
    std::vector<int> times(n, 0);
    for (std::size_t k = 0; k < rows.folds.size(); ++k)
        for (std::size_t row = 0; row < eta[k].size(); ++row) {
            const Index i = rows.folds[k].test[row];
            means[i] +=
                is_gaussian ? eta[k][row] : problem::Loss(rows.problem.family).mean(eta[k][row]);
            ++times[i];
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

std::vector<std::vector<double>> test_predictors(const TestedRows& rows,
                                                 const FoldSolution& solution_of, Index setting,
                                                 double gamma) {
    std::vector<std::vector<double>> by_fold(rows.folds.size());
    for (const Layer& layer : layers_of(rows.folds, rows.design.rows())) {
        std::vector<Solution> solutions;
        for (const std::size_t k : layer.folds) solutions.push_back(solution_of(k, setting, gamma));
        const std::vector<double> eta = layer_predictors(rows, layer, solutions);
        for (const std::size_t k : layer.folds)
            for (const Index i : rows.folds[k].test) by_fold[k].push_back(eta[i]);
    }
    return by_fold;
}

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
