#include "path/relaxed_curve.hpp"

#include <algorithm>
#include <limits>

namespace sven::path {
namespace {

// Of those whose mean is at most the limit, the largest lambda; of equal ones the largest gamma.
CvChoice choose(const CvCurve& curve, double sign, double limit) {
    const std::vector<GammaCurve>& curves = curve.relaxed.curves;
    for (std::size_t s = 0; s < curve.lambda.size(); ++s)
        for (std::size_t g = curves.size(); g-- > 0;)
            if (sign * curves[g].mean[s] <= limit)
                return {static_cast<Index>(g), static_cast<Index>(s)};
    return {};
}

}  // namespace

void begin_relaxed(std::span<const double> gammas, CvCurve& curve) {
    CvRelaxed& relaxed = curve.relaxed;
    for (const double gamma : gammas) {
        relaxed.curves.emplace_back();
        relaxed.curves.back().gamma = gamma;
        relaxed.curves.back().fold_error.resize(curve.fold_error.size());
        relaxed.curves.back().fold_variance.resize(curve.fold_variance.size());
    }
    const std::size_t fits = gammas.empty() ? 0 : curve.fold_error.size();
    relaxed.fold_refit.resize(fits);
    relaxed.fold_gap.resize(fits);
    relaxed.fold_status.resize(fits, Status::optimal);
}

void summarize_relaxed(const TestedFolds& tested, bool larger_is_better, CvCurve& curve) {
    CvRelaxed& relaxed = curve.relaxed;
    if (relaxed.curves.empty()) return;
    const double sign = larger_is_better ? -1 : 1;
    double least = std::numeric_limits<double>::infinity();
    for (GammaCurve& one : relaxed.curves) {
        summarize_folds(tested, one);
        for (const double mean : one.mean) least = std::min(least, sign * mean);
    }
    relaxed.best = choose(curve, sign, least);
    const GammaCurve& best = relaxed.curves[relaxed.best.gamma];
    relaxed.one_standard_error =
        choose(curve, sign, least + best.standard_error[relaxed.best.lambda]);
}

}  // namespace sven::path
