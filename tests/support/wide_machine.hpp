#pragma once
// The squared hinge of two-class data in long double: what a reported gap is judged by.

#include <algorithm>

#include "support/numbers.hpp"
#include "support/two_class.hpp"

namespace sven::test {

inline Real wide_margin(const TwoClass& data, Index i, std::span<const double> w) {
    Real margin = 1;
    for (Index j = 0; j < data.features; ++j)
        margin -= static_cast<Real>(data.labels[i] * data.row(i)[j]) * w[j];
    return margin;
}

inline Real wide_objective(const TwoClass& data, double cost, std::span<const double> w) {
    Real value = 0;
    for (const double entry : w) value += static_cast<Real>(entry) * entry / 2;
    for (Index i = 0; i < data.samples; ++i) {
        const Real margin = std::max<Real>(0, wide_margin(data, i, w));
        value += cost * margin * margin;
    }
    return value;
}

// P(w) - D(a), as a sum that does not cancel (maths.md, eq. 64).
inline Real wide_gap(const TwoClass& data, double cost, const svm::Classifier& result) {
    std::vector<Real> gradient(result.w.begin(), result.w.end());
    Real gap = 0;
    for (Index i = 0; i < data.samples; ++i) {
        const Real margin = wide_margin(data, i, result.w);
        const Real kept = result.alpha[i] / (2 * static_cast<Real>(cost));
        gap += cost * (margin > 0 ? (margin - kept) * (margin - kept) : kept * (kept - 2 * margin));
        for (Index j = 0; j < data.features; ++j)
            gradient[j] -= static_cast<Real>(result.alpha[i]) * data.labels[i] * data.row(i)[j];
    }
    for (const Real entry : gradient) gap += entry * entry / 2;
    return gap;
}

}  // namespace sven::test
