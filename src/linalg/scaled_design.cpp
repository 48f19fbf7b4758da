#include "linalg/scaled_design.hpp"

#include <cmath>

#include "linalg/tuning.hpp"

namespace sven::linalg {

RowWeights ScaledDesign::weights() {
    if (weights_.empty())
        for (const double root : root_weights_) weights_.push_back(root * root);
    return weights_;
}

double ScaledDesign::scale(std::span<const Index> columns, std::span<const double> values) {
    scaled_.resize(std::max(scaled_.size(), values.size()));
    double offset = 0;
    for (std::size_t c = 0; c < values.size(); ++c) {
        scaled_[c] = values[c] * inverse_scale_[columns[c]];
        offset += scaled_[c] * offset_[columns[c]];
    }
    return offset;
}

void ScaledDesign::multiply(const SelectedRows& selected, std::span<const Index> columns,
                            std::span<const double> values, const Execution& execution,
                            double* out) {
    const double offset = scale(columns, values);
    const auto known = static_cast<std::size_t>(selected.columns());
    const std::span<const double> scaled(scaled_.data(), values.size());
    selected.multiply(scaled.first(known), execution, out);
    if (known < values.size()) {
        design_->multiply(columns.subspan(known), scaled.subspan(known), execution,
                          weighted_.data());
        for (Index i = 0; i < rows(); ++i) out[i] += weighted_[i];
    }
    centre_rows(offset, out);
}

// Between the two products a row is centred, and weighted by both.
void ScaledDesign::multiply_gram(SelectedRows& selected, std::span<const Index> columns,
                                 std::span<const double> values, const Execution& execution,
                                 double* out) {
    const double offset = scale(columns, values);
    const auto known = static_cast<std::size_t>(selected.columns());
    const bool has_others = known < values.size();
    const std::span<const double> scaled(scaled_.data(), values.size());
    between_.resize(static_cast<std::size_t>(rows()));
    SelectedRows::RowsBetween rows_between{{}, weights()};
    if (has_others || offset != 0) {
        if (has_others)
            design_->multiply(columns.subspan(known), scaled.subspan(known), execution,
                              weighted_.data());
        else
            std::fill(weighted_.begin(), weighted_.end(), 0.0);
        for (double& value : weighted_) value -= offset;
        rows_between.terms = weighted_;
    }
    selected.multiply_twice(scaled.first(known), rows_between, execution, between_.data(), out);
    if (has_others)
        design_->correlate_some(columns.subspan(known), between_, execution, out + known);
    const double sum = sum_of_rows(execution, between_);
    for (std::size_t c = 0; c < values.size(); ++c) out[c] = correct(columns[c], out[c], sum);
}

// sum w (x_a - m_a) (x_b - m_b) = sum w x_a x_b - m_a s_b - m_b s_a + m_a m_b sum w, where s are
// the weighted sums of the columns.
bool ScaledDesign::gram_of_selected(const SelectedRows& selected, std::span<const Index> columns,
                                    const RowProducts& by, const Execution& execution, double* G,
                                    Index stride) {
    const RowWeights asked = by.weights.empty() ? weights() : by.weights;
    const std::vector<double> ones(asked.empty() ? static_cast<std::size_t>(rows()) : 0, 1.0);
    const RowWeights every = asked.empty() ? RowWeights(ones) : asked;
    const auto size = static_cast<Index>(columns.size());
    std::vector<double> sums(columns.size());
    std::vector<double> means(columns.size());
    design_->correlate_some(columns, every, execution, sums.data());
    const double total = sum_of_rows(execution, every);
    for (Index a = 0; a < size; ++a) {
        means[a] = by.is_about_mean ? sums[a] / total : offset_[columns[a]];
        if (std::abs(means[a] * inverse_scale_[columns[a]]) > largest_cancelled_mean) return false;
    }
    selected.products(by.first, asked, execution, G, stride);
    for (Index a = 0; a < size; ++a)
        for (Index b = std::max(a, by.first); b < size; ++b) {
            const double taken = means[a] * sums[b] + means[b] * (sums[a] - means[a] * total);
            double& entry = G[a * stride + b];
            entry = (entry - taken) * inverse_scale_[columns[a]] * inverse_scale_[columns[b]];
        }
    return true;
}

// With q = root_w o r, a step takes t w o (x_j - m_j) from it: t w o x_j over the stored entries,
// and the rest is counted in one number, so that q = p + level w. Centred columns sum to nothing,
// and the sum over p follows without another look (maths.md, eq. 62).
bool ScaledDesign::sweep(std::span<const Index> columns, int rounds, const CoordinateStep& step,
                         std::span<double> r) {
    const bool is_weighted = !weights().empty();
    if (is_weighted)
        for (Index i = 0; i < rows(); ++i) weighted_[i] = root_weights_[i] * r[i];
    double* p = is_weighted ? weighted_.data() : r.data();
    const Execution alone;
    const double total = is_weighted ? sum_of_rows(alone, weights_) : static_cast<double>(rows());
    // columns that are not centred ask for no sum, and leave no level
    const bool is_centred =
        std::any_of(columns.begin(), columns.end(), [&](Index j) { return offset_[j] != 0; });
    double sum = is_centred ? sum_of_rows(alone, {p, static_cast<std::size_t>(rows())}) : 0;
    double level = 0;
    const CoordinateStep scaled = [&](Index c, double product) {
        const Index j = columns[c];
        const double t = step(c, correct(j, product, sum)) * inverse_scale_[j];
        level += t * offset_[j];
        sum -= t * offset_[j] * total;
        return t;
    };
    for (int k = 0; k < rounds; ++k)
        if (!design_->sweep(columns, weights_, scaled, p)) return false;
    for (Index i = 0; i < rows() && (is_weighted || level != 0); ++i) {
        if (!is_weighted)
            r[i] += level;
        else if (root_weights_[i] > 0)
            r[i] = p[i] / root_weights_[i] + level * root_weights_[i];
    }
    return true;
}

}  // namespace sven::linalg
