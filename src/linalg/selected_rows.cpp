#include "linalg/selected_rows.hpp"

#include <algorithm>
#include <array>

#include "linalg/tuning.hpp"

namespace sven::linalg {

namespace {

// Entries of a row: their places and values.
struct Entries {
    const std::int32_t* at;
    const double* values;
    Index count;
};

// Four independent sums, so that additions overlap.
inline double sum_entries(const Entries row, const double* const v) {
    std::array<double, 4> sum{};
    Index e = 0;
    for (; e + 4 <= row.count; e += 4)
        for (Index u = 0; u < 4; ++u) sum[u] += row.values[e + u] * v[row.at[e + u]];
    for (; e < row.count; ++e) sum[0] += row.values[e] * v[row.at[e]];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// out += t times the row.
inline void add_entries(const Entries row, const double t, double* const out) {
    for (Index e = 0; e < row.count; ++e) out[row.at[e]] += t * row.values[e];
}

double cost_of(std::span<const double> entries) {
    return static_cast<double>(scattered_cost) * static_cast<double>(entries.size());
}

// Few entries are no work to share.
Execution team_of(Execution execution, std::span<const double> entries) {
    if (static_cast<Index>(entries.size()) < shared_entries) execution.threads = 1;
    return execution;
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
    parallel_pieces(team_of(execution, value_), cost_of(value_), rows(), selected_share,
                    [&](Index begin, Index end) {
                        for (Index k = begin; k < end; ++k)
                            out[row_[k]] = sum_entries(
                                {place_.data() + offsets_[k], value_.data() + offsets_[k],
                                 offsets_[k + 1] - offsets_[k]},
                                values.data());
                    });
}

void SelectedRows::multiply_share(Index begin, Index end, std::span<const double> values,
                                  const RowsBetween& by, double* q, double* out) const {
    std::fill_n(out, columns_, 0.0);
    const double* const v = values.data();
    const double* const terms = by.terms.empty() ? nullptr : by.terms.data();
    const double* const weights = by.weights.empty() ? nullptr : by.weights.data();
    const std::int32_t* const at = place_.data();
    const double* const entries = value_.data();
    for (Index k = begin; k < end; ++k) {
        const Index i = row_[k];
        const Index first = offsets_[k];
        const Entries row{at + first, entries + first, offsets_[k + 1] - first};
        double t = sum_entries(row, v);
        if (terms != nullptr) t += terms[i];
        if (weights != nullptr) t *= weights[i];
        q[i] = t;
        add_entries(row, t, out);
    }
}

// How the rows are shared depends on the entries alone.
void SelectedRows::multiply_twice(std::span<const double> values, const RowsBetween& by,
                                  const Execution& execution, double* q, double* out) {
    const auto entries = static_cast<Index>(value_.size());
    const Index length =
        std::max(twice_share, (entries + most_twice_shares - 1) / most_twice_shares);
    const Index shares = std::max<Index>(1, (entries + length - 1) / length);
    const auto begin_of = [&](Index share) {
        if (share == shares) return rows();
        return std::lower_bound(offsets_.begin(), offsets_.end() - 1, share * length) -
               offsets_.begin();
    };
    if (shares == 1) return multiply_share(0, rows(), values, by, q, out);
    partial_.reserve(shares * columns_);
    const Execution team = team_of(execution, value_);
    parallel_for(team, team.team_for(cost_of(value_)), shares, [&](Index share) {
        multiply_share(begin_of(share), begin_of(share + 1), values, by, q,
                       partial_.data() + share * columns_);
    });
    for (Index c = 0; c < columns_; ++c) out[c] = partial_[c];
    for (Index share = 1; share < shares; ++share)
        for (Index c = 0; c < columns_; ++c) out[c] += partial_[share * columns_ + c];
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
