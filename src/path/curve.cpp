#include "path/curve.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace sven::path {
namespace {

double tested_weight(const Problem& problem, const Fold& fold) {
    if (problem.weights.empty()) return static_cast<double>(fold.test.size());
    const auto tested = static_cast<Index>(fold.test.size());
    return linalg::sum_rows<1>({}, tested, 1, [&](Index begin, Index length) {
        double sum = 0;
        for (Index k = begin; k < begin + length; ++k) sum += problem.weights[fold.test[k]];
        return linalg::RowSums<1>{sum};
    })[0];
}

}  // namespace

std::vector<double> training_weights(const Problem& problem, const Fold& fold) {
    const auto n = static_cast<std::size_t>(rows(problem.X));
    std::vector<double> weights(n, fold.train.empty() ? 1.0 : 0.0);
    for (const Index i : fold.train) weights[i] += 1;
    if (fold.train.empty())
        for (const Index i : fold.test) weights[i] = 0;
    if (!problem.weights.empty())
        for (std::size_t i = 0; i < n; ++i) weights[i] *= problem.weights[i];
    return weights;
}

void summarize(const Problem& problem, std::span<const Fold> folds, bool larger_is_better,
               CvCurve& curve) {
    const std::size_t K = folds.size();
    std::vector<double> weight(K, 0.0);
    for (std::size_t k = 0; k < K; ++k) weight[k] = tested_weight(problem, folds[k]);
    const double total = std::accumulate(weight.begin(), weight.end(), 0.0);
    for (std::size_t s = 0; s < curve.lambda.size(); ++s) {
        const double* error = curve.fold_error.data() + s * K;
        const double mean = std::inner_product(error, error + K, weight.begin(), 0.0) / total;
        double variance = 0;
        for (std::size_t k = 0; k < K; ++k)
            variance += weight[k] * (error[k] - mean) * (error[k] - mean) / total;
        curve.mean.push_back(mean);
        curve.standard_error.push_back(K > 1 ? std::sqrt(variance / static_cast<double>(K - 1))
                                             : 0);
    }
    const double sign = larger_is_better ? -1 : 1;
    const auto least = std::min_element(curve.mean.begin(), curve.mean.end(),
                                        [&](double a, double b) { return sign * a < sign * b; });
    curve.best = least - curve.mean.begin();
    const double limit = sign * *least + curve.standard_error[curve.best];
    curve.one_standard_error = std::find_if(curve.mean.begin(), curve.mean.end(),
                                            [&](double m) { return sign * m <= limit; }) -
                               curve.mean.begin();
}

CvCurve make_curve(std::span<const Setting> settings, std::size_t folds) {
    CvCurve curve;
    for (const Setting& setting : settings) {
        curve.alpha = std::get<Mixing>(setting).alpha;
        curve.lambda.push_back(std::get<Mixing>(setting).lambda);
    }
    curve.fold_error.resize(settings.size() * folds);
    curve.fold_gap.resize(settings.size() * folds);
    curve.fold_status.resize(settings.size() * folds);
    return curve;
}

bool add_curve(CvCurve curve, bool larger_is_better, CvResult& result) {
    result.curves.push_back(std::move(curve));
    const CvCurve& last = result.curves.back();
    const CvCurve& best = result.curves[result.best_curve];
    const double sign = larger_is_better ? -1 : 1;
    if (result.curves.size() > 1 && !(sign * last.mean[last.best] < sign * best.mean[best.best]))
        return false;
    result.best_curve = static_cast<Index>(result.curves.size()) - 1;
    return true;
}

}  // namespace sven::path
