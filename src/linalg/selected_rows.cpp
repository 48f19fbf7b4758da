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

void SelectedRows::lay_out_runs() {
    constexpr Index width = selected_columns;
    const auto for_runs = [&](const auto& note) {
        for (Index i = 0; i < rows(); ++i)
            for (Index e = offsets_[i]; e < offsets_[i + 1];) {
                const Index begin = e;
                const Index group = place_[e] / width;
                while (e < offsets_[i + 1] && place_[e] / width == group) ++e;
                note(group, Run{static_cast<std::int32_t>(i), static_cast<std::int32_t>(e - begin),
                                begin});
            }
    };
    run_offsets_.assign(static_cast<std::size_t>((columns_ + width - 1) / width) + 1, 0);
    for_runs([&](Index group, const Run& /*run*/) { ++run_offsets_[group + 1]; });
    for (std::size_t g = 1; g < run_offsets_.size(); ++g) run_offsets_[g] += run_offsets_[g - 1];
    runs_.resize(static_cast<std::size_t>(run_offsets_.back()));
    std::vector<Index> next(run_offsets_.begin(), run_offsets_.end() - 1);
    for_runs([&](Index group, const Run& run) { runs_[next[group]++] = run; });
}

double SelectedRows::products_cost(Index first) const {
    constexpr Index width = selected_columns;
    double cost = 0;
    if (first >= columns_) return cost;
    for (Index r = run_offsets_[first / width]; r < run_offsets_.back(); ++r) {
        const auto [row, count, begin] = runs_[r];
        Index fresh = count;
        for (Index e = begin; e < begin + count && place_[e] < first; ++e) --fresh;
        cost += static_cast<double>(fresh) * static_cast<double>(offsets_[row + 1] - offsets_[row]);
    }
    return cost;
}

// A group of columns at a time: their sums lie beside each other, in the cache and in G.
void SelectedRows::products(Index first, RowWeights weights, const Execution& execution, double* G,
                            Index stride) const {
    constexpr Index width = selected_columns;
    const Index before = first / width;
    const Index groups = (columns_ + width - 1) / width - before;
    parallel_for(execution, execution.team_for(products_cost(first)), groups, [&](Index g) {
        const Index group = before + g;
        const Index from = group * width;
        const Index to = std::min(columns_, from + width);
        Buffer<double> sums(to * width);
        std::fill_n(sums.data(), to * width, 0.0);
        Poll poll(execution);
        for (Index r = run_offsets_[group]; r < run_offsets_[group + 1]; ++r) {
            const auto [i, count, begin] = runs_[r];
            if (poll.stops_after(static_cast<double>(count * (begin + count - offsets_[i])))) break;
            const double w = weights.empty() ? 1 : weights[i];
            const Index end = begin + count;
            for (Index a = offsets_[i]; a < end; ++a) {
                const double wx = w * value_[a];
                double* const row = sums.data() + place_[a] * width;
                for (Index b = std::max(a, begin); b < end; ++b)
                    row[place_[b] - from] += wx * value_[b];
            }
        }
        for (Index a = 0; a < to; ++a)
            for (Index b = std::max({a, from, first}); b < to; ++b)
                G[a * stride + b] = sums[a * width + (b - from)];
    });
}

}  // namespace sven::linalg
