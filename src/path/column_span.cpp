#include "path/column_span.hpp"

#include <algorithm>
#include <cmath>

#include "path/preparation.hpp"
#include "path/tuning.hpp"

namespace sven::path {
namespace {

using linalg::Twofold;
using linalg::TwofoldVector;

// value * scale, such that dividing by the scale gives the value again where that can be had: it is
// handed out so.
double scaled(double value, double scale) {
    const double product = value * scale;
    for (const double near : {product, std::nextafter(product, 0.0),
                              std::nextafter(product, std::copysign(HUGE_VAL, product))})
        if (near / scale == value) return near;
    return product;
}

}  // namespace

ColumnSpan::ColumnSpan(const Workspace& workspace, double l2, Index most)
    : workspace_(workspace), l2_(l2), ridge_rows_(l2 > 0 ? most : 0), basis_(workspace.execution) {
    if (!workspace.problem->intercept) return;
    TwofoldVector ones(static_cast<std::size_t>(workspace.rows() + ridge_rows_));
    for (Index i = 0; i < workspace.rows(); ++i) ones[i] = Twofold{workspace.root_weight(i)};
    basis_.add(std::move(ones));
}

bool ColumnSpan::is_affordable() const {
    const auto k = static_cast<double>(size() + 1);
    return static_cast<double>(workspace_.rows() + ridge_rows_) * k * k <=
           tuning::twofold_operations;
}

TwofoldVector ColumnSpan::weighted_column(Index feature) const {
    const Index n = workspace_.rows();
    std::vector<double> column(static_cast<std::size_t>(n));
    workspace_.design->gather({&feature, 1}, workspace_.execution, column.data(), n);
    TwofoldVector weighted(static_cast<std::size_t>(n + ridge_rows_));
    for (Index i = 0; i < n; ++i)
        weighted[i] = linalg::two_product(column[i], workspace_.root_weight(i));
    return weighted;
}

bool ColumnSpan::add(Index feature) {
    TwofoldVector column = weighted_column(feature);
    const auto at = static_cast<Index>(features_.size());
    if (at < ridge_rows_)
        column[workspace_.rows() + at] = {std::sqrt(l2_ * workspace_.factor(feature)) *
                                          workspace_.columns.scale[feature]};
    if (!basis_.add(std::move(column))) return false;
    features_.push_back(feature);
    return true;
}

void ColumnSpan::hold(const problem::Support& held) {
    const UserModel model = to_user_scale(workspace_, held);
    for (std::size_t k = 0; k < held.features.size(); ++k) {
        const TwofoldVector column = weighted_column(held.features[k]);
        held_.resize(static_cast<std::size_t>(workspace_.rows()));
        for (std::size_t i = 0; i < held_.size(); ++i)
            held_[i] = held_[i] + column[i] * Twofold{model.coefficients[k]};
    }
}

// By column of the basis, for columns that are not scaled; 0 for the intercept.
std::vector<double> ColumnSpan::raw(std::span<const double> products) const {
    std::vector<double> result(static_cast<std::size_t>(size()), 0.0);
    const std::size_t first = result.size() - products.size();
    for (std::size_t k = 0; k < products.size(); ++k)
        result[first + k] = products[k] * workspace_.columns.scale[features_[k]];
    return result;
}

double ColumnSpan::move(std::span<const double> products, TwofoldVector& v) const {
    TwofoldVector step = basis_.solve_transposed(raw(products));
    const TwofoldVector now = basis_.coordinates(v);
    for (std::size_t k = 0; k < step.size(); ++k) step[k] = step[k] - now[k];
    basis_.add_combination(step, v);
    return linalg::norm(step);
}

TwofoldVector ColumnSpan::response_coordinates() const {
    TwofoldVector y(static_cast<std::size_t>(workspace_.rows() + ridge_rows_));
    for (Index i = 0; i < workspace_.rows(); ++i)
        y[i] = linalg::two_product(workspace_.problem->y[i], workspace_.root_weight(i));
    for (std::size_t i = 0; i < held_.size(); ++i) y[i] = y[i] - held_[i];
    return basis_.coordinates(y);
}

ColumnSpan::Fit ColumnSpan::fit(TwofoldVector coordinates, double h) const {
    const TwofoldVector solved = basis_.solve(std::move(coordinates));
    const std::size_t first = solved.size() - features_.size();
    Fit result{{}, h};
    for (std::size_t k = 0; k < features_.size(); ++k)
        result.beta.push_back(
            scaled(solved[first + k].value(), workspace_.columns.scale[features_[k]]));
    return result;
}

ColumnSpan::Fit ColumnSpan::minimise(double h, std::span<const double> slopes) const {
    TwofoldVector coordinates = response_coordinates();
    const TwofoldVector slope = basis_.solve_transposed(raw(slopes));
    for (std::size_t k = 0; k < coordinates.size(); ++k)
        coordinates[k] = coordinates[k] - Twofold{h} * slope[k];
    return fit(std::move(coordinates), h);
}

// sum slopes_k b_k = slope'(Q'y - h slope), with slope the coordinates of the slopes.
ColumnSpan::Fit ColumnSpan::minimise_within(double t, std::span<const double> slopes) const {
    TwofoldVector coordinates = response_coordinates();
    const TwofoldVector slope = basis_.solve_transposed(raw(slopes));
    const Twofold wanted = linalg::dot(slope, coordinates);
    const Twofold curvature = linalg::dot(slope, slope);
    if (!(wanted.value() > t) || !(curvature.value() > 0)) return fit(std::move(coordinates), 0);
    const Twofold h = (wanted - Twofold{t}) / curvature;
    for (std::size_t k = 0; k < coordinates.size(); ++k)
        coordinates[k] = coordinates[k] - h * slope[k];
    return fit(std::move(coordinates), h.value());
}

// The scale of a column, in twofold precision.
Twofold ColumnSpan::deviation(Index feature) const {
    if (!workspace_.problem->standardize) return {1};
    const Index n = workspace_.rows();
    std::vector<double> column(static_cast<std::size_t>(n));
    workspace_.design->gather({&feature, 1}, workspace_.execution, column.data(), n);
    const std::span<const double> weights = workspace_.problem->weights;
    const auto weight = [&](Index i) { return Twofold{weights.empty() ? 1 : weights[i]}; };
    Twofold total;
    Twofold sum;
    for (Index i = 0; i < n; ++i) {
        total = total + weight(i);
        sum = sum + weight(i) * Twofold{column[i]};
    }
    const Twofold mean = sum / total;
    Twofold squares;
    for (Index i = 0; i < n; ++i) {
        const Twofold centred = Twofold{column[i]} - mean;
        squares = squares + weight(i) * centred * centred;
    }
    return linalg::sqrt(squares / total);
}

TwofoldVector ColumnSpan::combination_of(Index feature) const {
    TwofoldVector rest = weighted_column(feature);
    const double length = linalg::norm(rest);
    TwofoldVector coordinates = basis_.coordinates(rest);
    TwofoldVector back = coordinates;
    for (Twofold& value : back) value = -value;
    basis_.add_combination(back, rest);
    if (!(linalg::norm(rest) <= linalg::TwofoldBasis::dependent_distance * length)) return {};
    const TwofoldVector solved = basis_.solve(std::move(coordinates));
    const std::size_t first = solved.size() - features_.size();
    const Twofold scale = deviation(feature);
    TwofoldVector result;
    for (std::size_t k = 0; k < features_.size(); ++k)
        result.push_back(solved[first + k] * deviation(features_[k]) / scale);
    return result;
}

namespace {

enum class Exchange { unknown, refused, admitted };

// What the columns of the span say: nothing where the feature is no combination of them.
Exchange exchange_within(const Workspace& work, const ColumnSpan& span,
                         const problem::Support& support, Index feature) {
    const TwofoldVector combination = span.combination_of(feature);
    if (combination.empty()) return Exchange::unknown;
    Twofold gain;
    for (std::size_t k = 0; k < combination.size(); ++k) {
        const auto at =
            std::find(support.features.begin(), support.features.end(), span.features()[k]);
        const auto index = static_cast<std::size_t>(at - support.features.begin());
        gain = gain + combination[k] * Twofold{work.factor(*at) * support.signs[index]};
    }
    if (gain.high < 0 && work.penalties.admits(feature, -1)) gain = -gain;
    const Twofold spare = gain - Twofold{work.factor(feature)};
    // more than that is a violation, too small for a double to see
    return std::abs(spare.value()) <= tuning::twofold_rounding * work.factor(feature)
               ? Exchange::admitted
               : Exchange::refused;
}

}  // namespace

// The columns of a support are independent: a combination of some of them is the only one of all.
// Most are of few, which need no large basis to be told.
bool admits_exchange(const Workspace& work, const problem::Support& support, Index feature,
                     std::span<const Index> carriers) {
    const auto is_carrier = [&](Index j) {
        return std::find(carriers.begin(), carriers.end(), j) != carriers.end();
    };
    ColumnSpan span(work);
    for (const bool takes_carriers : {true, false}) {
        for (std::size_t k = 0; k < support.features.size() && span.is_affordable(); ++k) {
            const Index other = support.features[k];
            // what is at its limit gives way to one side only
            if (support.beta[k] == 0 || other == feature || is_carrier(other) != takes_carriers ||
                work.penalties.is_at_limit(other, support.beta[k]))
                continue;
            span.add(other);
        }
        if (!span.is_affordable()) return false;
        const Exchange found = exchange_within(work, span, support, feature);
        if (found != Exchange::unknown) return found == Exchange::admitted;
    }
    return false;
}

}  // namespace sven::path
