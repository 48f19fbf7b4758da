#include "path/fold_sums.hpp"

#include <algorithm>
#include <cmath>

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

double squared_error(const linalg::GramSums& sums, const Solved& solved, const RawModel& model,
                     double y_shift) {
    const Index p = sums.cols;
    const double b0 = model.intercept - y_shift;
    const double W = sums(p + 1, p + 1);
    double error = sums(p, p) - 2 * b0 * sums(p + 1, p) + b0 * b0 * W;
    for (std::size_t a = 0; a < model.values.size(); ++a) {
        const Index j = solved.support.features[a];
        double along = -2 * sums(p, j) + 2 * b0 * sums(p + 1, j);
        for (std::size_t b = 0; b < model.values.size(); ++b)
            along += sums(solved.support.features[b], j) * model.values[b];
        error += model.values[a] * along;
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
