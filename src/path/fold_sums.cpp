#include "path/fold_sums.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "path/tuning.hpp"

namespace sven::path {

RawModel raw_model(const Workspace& work, const Solved& solved, std::span<const double> origin) {
    RawModel model;
    model.intercept = work.response.mean;
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

linalg::GramSums add(std::span<const linalg::GramSums> groups, std::size_t left_out,
                     const linalg::Execution& execution) {
    linalg::GramSums sums;
    const linalg::GramSums& first = groups.front();
    sums.cols = first.cols;
    sums.stride = first.stride;
    sums.centre = first.centre;
    const Index size = sums.stride * sums.stride;
    sums.values.reserve(size);
    const double work = static_cast<double>(groups.size()) * static_cast<double>(size);
    linalg::parallel_pieces(
        execution, work, size, tuning::added_entries, [&](Index begin, Index end) {
            std::fill(sums.values.data() + begin, sums.values.data() + end, 0.0);
            for (std::size_t k = 0; k < groups.size(); ++k)
                for (Index at = begin; at < end && k != left_out; ++at)
                    sums.values[at] += groups[k].values[at];
        });
    return sums;
}

namespace {

// In four sums, since one would wait for every addition.
template <class Term>
double sum_in_lanes(std::size_t count, const Term& term) {
    std::array<double, 4> lanes{};
    std::size_t k = 0;
    for (; k + lanes.size() <= count; k += lanes.size())
        for (std::size_t lane = 0; lane < lanes.size(); ++lane) lanes[lane] += term(k + lane);
    for (; k < count; ++k) lanes[0] += term(k);
    return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

}  // namespace

double squared_error(const linalg::GramSums& sums, const Solved& solved, const RawModel& model,
                     double y_shift) {
    const Index p = sums.cols;
    const double b0 = model.intercept - y_shift;
    const double W = sums(p + 1, p + 1);
    double error = sums(p, p) - 2 * b0 * sums(p + 1, p) + b0 * b0 * W;
    // each pair once, down the columns of the lower triangle
    std::vector<std::pair<Index, double>> terms;
    for (std::size_t k = 0; k < model.values.size(); ++k)
        terms.emplace_back(solved.support.features[k], model.values[k]);
    std::sort(terms.begin(), terms.end());
    for (std::size_t a = 0; a < terms.size(); ++a) {
        const auto [j, value] = terms[a];
        const double* column = sums.values.data() + j * sums.stride;
        const double below = sum_in_lanes(terms.size() - a - 1, [&](std::size_t k) {
            return column[terms[a + 1 + k].first] * terms[a + 1 + k].second;
        });
        error += value * (2 * (below - column[p] + b0 * column[p + 1]) + value * column[j]);
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
