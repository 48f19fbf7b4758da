#include "path/fold_sums.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "linalg/dense.hpp"
#include "path/tuning.hpp"

namespace sven::path {

RawModel raw_model(const Workspace& work, const Solved& solved, std::span<const double> origin) {
    RawModel model;
    model.intercept = work.response.mean;
    model.values.reserve(solved.support.features.size());
    for (std::size_t k = 0; k < solved.support.features.size(); ++k) {
        const Index j = solved.support.features[k];
        const double value = solved.support.beta[k] / work.columns.scale[j];
        model.values.push_back(value);
        const double shift = origin.empty() ? 0 : origin[j];
        if (work.problem->intercept)
            model.intercept -= (work.columns.mean[j] - shift) * value;
        else
            model.intercept += shift * value;
    }
    return model;
}

// A column of the triangle after the other, from its diagonal on.
linalg::GramSums add(std::span<const linalg::GramSums> groups, std::size_t left_out,
                     const linalg::Execution& execution) {
    linalg::GramSums sums;
    const linalg::GramSums& first = groups.front();
    sums.cols = first.cols;
    sums.stride = first.stride;
    sums.centre = first.centre;
    const Index order = sums.cols + 2;
    sums.values.reserve(sums.stride * sums.stride);
    const double work = static_cast<double>(groups.size()) * static_cast<double>(order * order) / 2;
    linalg::parallel_pieces(
        execution, work, order, tuning::added_columns, [&](Index begin, Index end) {
            for (Index j = begin; j < end; ++j) {
                double* const column = sums.values.data() + j * sums.stride;
                std::fill(column + j, column + order, 0.0);
                for (std::size_t k = 0; k < groups.size(); ++k) {
                    if (k == left_out) continue;
                    const double* const other = groups[k].values.data() + j * sums.stride;
                    for (Index i = j; i < order; ++i) column[i] += other[i];
                }
            }
        });
    return sums;
}

// Each pair once, down the columns of the lower triangle, which are multiplied with all
// coefficients: entries that lie beside each other take a tenth of the time of those that do not.
double squared_error(const linalg::GramSums& sums, const Solved& solved, const RawModel& model,
                     double y_shift) {
    const Index p = sums.cols;
    const double b0 = model.intercept - y_shift;
    const double W = sums(p + 1, p + 1);
    double error = sums(p, p) - 2 * b0 * sums(p + 1, p) + b0 * b0 * W;
    std::vector<double> b(static_cast<std::size_t>(p));
    for (std::size_t k = 0; k < model.values.size(); ++k)
        b[solved.support.features[k]] = model.values[k];
    for (Index j = 0; j < p; ++j) {
        if (b[j] == 0) continue;
        const double* const column = sums.values.data() + j * sums.stride;
        const double below = linalg::dot(p - j - 1, column + j + 1, b.data() + j + 1);
        error += b[j] * (2 * (below - column[p] + b0 * column[p + 1]) + b[j] * column[j]);
    }
    return std::max(0.0, error) / W;
}

bool has_lost_digits(const linalg::GramSums& sums, const Solved& solved, const RawModel& model,
                     double y_shift, double error) {
    const Index p = sums.cols;
    const double W = sums(p + 1, p + 1);
    double length = std::sqrt(sums(p, p)) + std::abs(model.intercept - y_shift) * std::sqrt(W);
    for (std::size_t a = 0; a < model.values.size(); ++a) {
        const Index j = solved.support.features[a];
        length += std::abs(model.values[a]) * std::sqrt(sums(j, j));
    }
    return !(error * W > tuning::least_error_share * length * length);
}

}  // namespace sven::path
