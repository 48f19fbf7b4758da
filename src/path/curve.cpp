#include "path/curve.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "path/relaxed_curve.hpp"

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

// Whether the training rows are those that are not tested: none given, or each of them once.
bool trains_on_the_rest(const Fold& fold, Index rows) {
    if (fold.train.empty()) return true;
    if (static_cast<Index>(fold.train.size() + fold.test.size()) != rows) return false;
    std::vector<char> is_seen(static_cast<std::size_t>(rows), 0);
    for (const auto* list : {&fold.test, &fold.train})
        for (const Index i : *list) {
            if (is_seen[i]) return false;
            is_seen[i] = 1;
        }
    return true;
}

double mean_of_choice(const CvCurve& curve) {
    const CvRelaxed& relaxed = curve.relaxed;
    if (relaxed.curves.empty()) return curve.mean[curve.best];
    return relaxed.curves[relaxed.best.gamma].mean[relaxed.best.lambda];
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

std::vector<std::int32_t> partition(std::span<const Fold> folds, Index rows) {
    std::vector<std::int32_t> group(static_cast<std::size_t>(rows), -1);
    for (std::size_t k = 0; k < folds.size(); ++k) {
        if (!trains_on_the_rest(folds[k], rows)) return {};
        for (const Index i : folds[k].test) {
            if (group[i] >= 0) return {};
            group[i] = static_cast<std::int32_t>(k);
        }
    }
    if (std::find(group.begin(), group.end(), -1) != group.end()) return {};
    return group;
}

TestedFolds tested_folds(const Problem& problem, const CrossValidationPlan& plan) {
    TestedFolds tested;
    for (const Fold& fold : plan.folds) {
        tested.weights.push_back(tested_weight(problem, fold));
        if (!plan.grouped) tested.rows += static_cast<Index>(fold.test.size());
    }
    return tested;
}

template <class Curve>
void summarize_folds(const TestedFolds& tested, Curve& curve) {
    const std::vector<double>& weights = tested.weights;
    const std::size_t K = weights.size();
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    const Index count = tested.rows > 0 ? tested.rows : static_cast<Index>(K);
    for (std::size_t s = 0; s < curve.fold_error.size() / K; ++s) {
        const double* error = curve.fold_error.data() + s * K;
        const double sum = std::inner_product(error, error + K, weights.begin(), 0.0);
        double variance = 0;
        for (std::size_t k = 0; k < K; ++k) {
            const double within = tested.rows > 0 ? curve.fold_variance[s * K + k] : 0;
            const double between = error[k] - sum / total;
            variance += weights[k] * (within + between * between) / total;
        }
        curve.mean.push_back(sum / total);
        curve.standard_error.push_back(
            count > 1 ? std::sqrt(variance / static_cast<double>(count - 1)) : 0);
    }
}

template void summarize_folds(const TestedFolds&, CvCurve&);
template void summarize_folds(const TestedFolds&, GammaCurve&);

void summarize(const TestedFolds& tested, bool larger_is_better, CvCurve& curve) {
    summarize_folds(tested, curve);
    summarize_relaxed(tested, larger_is_better, curve);
    const double sign = larger_is_better ? -1 : 1;
    const auto least = std::min_element(curve.mean.begin(), curve.mean.end(),
                                        [&](double a, double b) { return sign * a < sign * b; });
    curve.best = least - curve.mean.begin();
    const double limit = sign * *least + curve.standard_error[curve.best];
    curve.one_standard_error = std::find_if(curve.mean.begin(), curve.mean.end(),
                                            [&](double m) { return sign * m <= limit; }) -
                               curve.mean.begin();
}

CvCurve make_curve(std::span<const Setting> settings, const CrossValidationPlan& plan) {
    CvCurve curve;
    const std::size_t errors = settings.size() * plan.folds.size();
    for (const Setting& setting : settings) {
        curve.alpha = std::get<Mixing>(setting).alpha;
        curve.lambda.push_back(std::get<Mixing>(setting).lambda);
    }
    curve.fold_error.resize(errors);
    curve.fold_variance.resize(plan.grouped ? 0 : errors);
    curve.fold_gap.resize(errors);
    curve.fold_status.resize(errors);
    begin_relaxed(plan.gammas, curve);
    return curve;
}

bool add_curve(CvCurve curve, bool larger_is_better, CvResult& result) {
    result.curves.push_back(std::move(curve));
    const CvCurve& last = result.curves.back();
    const CvCurve& best = result.curves[result.best_curve];
    const double sign = larger_is_better ? -1 : 1;
    if (result.curves.size() > 1 && !(sign * mean_of_choice(last) < sign * mean_of_choice(best)))
        return false;
    result.best_curve = static_cast<Index>(result.curves.size()) - 1;
    return true;
}

}  // namespace sven::path
