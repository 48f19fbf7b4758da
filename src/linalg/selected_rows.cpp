#include "linalg/selected_rows.hpp"

#include <algorithm>
#include <array>

#include "linalg/buffer.hpp"
#include "linalg/tuning.hpp"

namespace sven::linalg {

namespace {

// Lists of entries, one behind the other, and which is where.
struct Lists {
    std::span<const std::int32_t> list;
    std::span<const Index> offsets;
    std::span<const std::int32_t> at;
    std::span<const double> values;
};

// out[k] = sum over the entries of list k of their value times v at their place. Four independent
// sums, so that additions overlap.
void sum_lists(const Lists& lists, std::span<const double> v, const Execution& execution,
               double* out) {
    const double work = static_cast<double>(scattered_cost) * static_cast<double>(lists.at.size());
    const auto count = static_cast<Index>(lists.list.size());
    Execution team = execution;
    if (static_cast<Index>(lists.at.size()) < shared_entries) team.threads = 1;
    parallel_pieces(team, work, count, selected_share, [&](Index begin, Index end) {
        const std::int32_t* const at = lists.at.data();
        const double* const values = lists.values.data();
        for (Index k = begin; k < end; ++k) {
            std::array<double, 4> sum{};
            Index e = lists.offsets[k];
            const Index behind = lists.offsets[k + 1];
            for (; e + 4 <= behind; e += 4)
                for (Index u = 0; u < 4; ++u) sum[u] += values[e + u] * v[at[e + u]];
            for (; e < behind; ++e) sum[0] += values[e] * v[at[e]];
            out[lists.list[k]] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
        }
    });
}

}  // namespace

// A loop that ends after as many steps as the one before is foreseen by the processor. From some
// length on that does not matter: those stay in their order.
void SelectedRows::lay_out_by_length(std::vector<Index>& lengths, std::vector<std::int32_t>& list,
                                     std::vector<Index>& offsets) {
    constexpr Index longest = sorted_length;
    std::array<Index, longest + 2> next{};  // place of the next list of each length
    for (const Index length : lengths) ++next[std::min(longest, length) + 1];
    for (Index l = 1; l <= longest; ++l) next[l] += next[l - 1];
    list.resize(lengths.size());
    for (std::size_t k = 0; k < lengths.size(); ++k)
        list[next[std::min(longest, lengths[k])]++] = static_cast<std::int32_t>(k);
    offsets.resize(lengths.size() + 1);
    offsets[0] = 0;
    for (std::size_t at = 0; at < list.size(); ++at) {
        offsets[at + 1] = offsets[at] + lengths[list[at]];
        lengths[list[at]] = offsets[at];
    }
}

void SelectedRows::multiply(std::span<const double> values, const Execution& execution,
                            double* out) const {
    sum_lists({row_, offsets_, place_, value_}, values, execution, out);
}

// Rows in their own order: a column's products are summed as the design does.
void SelectedRows::lay_out_columns() {
    std::vector<Index> next(static_cast<std::size_t>(columns_), 0);
    for (const std::int32_t c : place_) ++next[c];
    lay_out_by_length(next, column_, column_offsets_);
    column_row_.resize(place_.size());
    column_value_.resize(place_.size());
    std::vector<Index> place_of(row_.size());
    for (std::size_t at = 0; at < row_.size(); ++at) place_of[row_[at]] = static_cast<Index>(at);
    for (Index i = 0; i < rows(); ++i)
        for (Index e = offsets_[place_of[i]]; e < offsets_[place_of[i] + 1]; ++e) {
            const Index at = next[place_[e]]++;
            column_row_[at] = static_cast<std::int32_t>(i);
            column_value_[at] = value_[e];
        }
}

void SelectedRows::correlate(std::span<const double> v, const Execution& execution, double* out) {
    if (column_offsets_.empty()) lay_out_columns();
    sum_lists({column_, column_offsets_, column_row_, column_value_}, v, execution, out);
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
            const double w = weights.empty() ? 1 : weights[row_[i]];
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
