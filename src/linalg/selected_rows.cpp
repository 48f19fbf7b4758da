#include "linalg/selected_rows.hpp"

#include <algorithm>
#include <array>

#include "linalg/buffer.hpp"
#include "linalg/tuning.hpp"

namespace sven::linalg {

// Four independent sums, so that additions overlap.
void SelectedRows::multiply(std::span<const double> values, const Execution& execution,
                            double* out) const {
    const double work = static_cast<double>(scattered_cost) * static_cast<double>(value_.size());
    parallel_pieces(execution, work, rows(), selected_share, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
            std::array<double, 4> sum{};
            Index e = offsets_[i];
            for (; e + 4 <= offsets_[i + 1]; e += 4)
                for (Index u = 0; u < 4; ++u) sum[u] += value_[e + u] * values[place_[e + u]];
            for (; e < offsets_[i + 1]; ++e) sum[0] += value_[e] * values[place_[e]];
            out[i] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
        }
    });
}

void SelectedRows::lay_out_columns() {
    column_offsets_.assign(static_cast<std::size_t>(columns_) + 1, 0);
    for (const std::int32_t c : place_) ++column_offsets_[c + 1];
    for (Index c = 0; c < columns_; ++c) column_offsets_[c + 1] += column_offsets_[c];
    column_row_.resize(place_.size());
    column_value_.resize(place_.size());
    std::vector<Index> next(column_offsets_.begin(), column_offsets_.end() - 1);
    for (Index i = 0; i < rows(); ++i)
        for (Index e = offsets_[i]; e < offsets_[i + 1]; ++e) {
            const Index at = next[place_[e]]++;
            column_row_[at] = static_cast<std::int32_t>(i);
            column_value_[at] = value_[e];
        }
}

void SelectedRows::correlate(std::span<const double> v, const Execution& execution, double* out) {
    if (column_offsets_.empty()) lay_out_columns();
    const double work = static_cast<double>(scattered_cost) * static_cast<double>(value_.size());
    parallel_pieces(execution, work, columns_, selected_share, [&](Index begin, Index end) {
        for (Index c = begin; c < end; ++c) {
            std::array<double, 4> sum{};
            Index e = column_offsets_[c];
            for (; e + 4 <= column_offsets_[c + 1]; e += 4)
                for (Index u = 0; u < 4; ++u)
                    sum[u] += column_value_[e + u] * v[column_row_[e + u]];
            for (; e < column_offsets_[c + 1]; ++e) sum[0] += column_value_[e] * v[column_row_[e]];
            out[c] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
        }
    });
}

double SelectedRows::products_cost(Index first) const {
    double cost = 0;
    for (Index i = 0; i < rows(); ++i) {
        const auto from = place_.begin() + offsets_[i];
        const auto to = place_.begin() + offsets_[i + 1];
        const auto fresh = to - std::lower_bound(from, to, static_cast<std::int32_t>(first));
        cost += static_cast<double>(fresh) * static_cast<double>(to - from);
    }
    return cost;
}

std::vector<SelectedRows::Entry> SelectedRows::by_columns(Index first,
                                                          std::vector<Index>& begin) const {
    begin.assign(static_cast<std::size_t>(columns_ - first) + 1, 0);
    for (const std::int32_t c : place_)
        if (c >= first) ++begin[c - first + 1];
    for (std::size_t c = 1; c < begin.size(); ++c) begin[c] += begin[c - 1];
    std::vector<Entry> entries(static_cast<std::size_t>(begin.back()));
    std::vector<Index> next(begin.begin(), begin.end() - 1);
    for (Index i = 0; i < rows(); ++i)
        for (Index e = offsets_[i]; e < offsets_[i + 1]; ++e)
            if (place_[e] >= first) entries[next[place_[e] - first]++] = {i, value_[e]};
    return entries;
}

// Some columns at a time: their sums lie beside each other, in the cache and in G.
void SelectedRows::products(Index first, RowWeights weights, const Execution& execution, double* G,
                            Index stride) const {
    constexpr Index width = selected_columns;
    std::vector<Index> begin;
    const std::vector<Entry> entries = by_columns(first, begin);
    const Index groups = (columns_ - first + width - 1) / width;
    parallel_for(execution, execution.team_for(products_cost(first)), groups, [&](Index g) {
        const Index from = first + g * width;
        const Index to = std::min(columns_, from + width);
        Buffer<double> sums(to * width);
        std::fill_n(sums.data(), to * width, 0.0);
        for (Index b = from; b < to && !execution.is_cancelled(); ++b)
            for (Index k = begin[b - first]; k < begin[b - first + 1]; ++k) {
                const auto [i, value] = entries[k];
                const double wx = weights.empty() ? value : weights[i] * value;
                double* column = sums.data() + (b - from);
                for (Index e = offsets_[i]; e < offsets_[i + 1] && place_[e] <= b; ++e)
                    column[place_[e] * width] += wx * value_[e];
            }
        for (Index a = 0; a < to; ++a)
            for (Index b = std::max(a, from); b < to; ++b)
                G[a * stride + b] = sums[a * width + (b - from)];
    });
}

}  // namespace sven::linalg
