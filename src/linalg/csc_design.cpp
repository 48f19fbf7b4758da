// Sparse X by compressed columns (CSC).

#include <array>
#include <cmath>
#include <numeric>
#include <type_traits>

#include "linalg/kernels.hpp"
#include "linalg/sparse_design.hpp"
#include "linalg/tuning.hpp"

namespace sven::linalg {
namespace {

// The kernel over one column of these types.
template <class T, class I>
auto correlate_sparse() {
    constexpr bool is_double = std::is_same_v<T, double>;
    constexpr bool is_narrow = std::is_same_v<I, std::int32_t>;
    if constexpr (is_double && is_narrow)
        return kernels().correlate_sparse_f64_i32;
    else if constexpr (is_double)
        return kernels().correlate_sparse_f64_i64;
    else if constexpr (is_narrow)
        return kernels().correlate_sparse_f32_i32;
    else
        return kernels().correlate_sparse_f32_i64;
}

// Entries of a block of rows, row by row, from which a Gram matrix is accumulated.
struct RowEntries {
    std::vector<Index> offsets;
    std::vector<std::int32_t> columns;
    std::vector<double> values;
};

// G (lower) += sum over rows of w x x'.
void accumulate_pairs(const RowEntries& block, RowWeights weights, Index first_row,
                      const Execution& execution, double* G, Index stride) {
    const auto rows = static_cast<Index>(block.offsets.size()) - 1;
    Poll poll(execution);
    for (Index i = 0; i < rows; ++i) {
        const auto count = static_cast<double>(block.offsets[i + 1] - block.offsets[i]);
        if (poll.stops_after(1 + count * count / 2)) throw Cancelled();
        const double w = weights.empty() ? 1 : weights[first_row + i];
        if (w == 0) continue;
        for (Index a = block.offsets[i]; a < block.offsets[i + 1]; ++a) {
            const double wx = w * block.values[a];
            double* column = G + block.columns[a] * stride;
            for (Index b = a; b < block.offsets[i + 1]; ++b)
                column[block.columns[b]] += wx * block.values[b];
        }
    }
}

template <class T, class I, class O>
class CscDesign final : public SparseDesign<T, I, O> {
    using Base = SparseDesign<T, I, O>;
    using Base::cols;
    using Base::entries_;
    using Base::rows;
    using Base::shift_;

  public:
    explicit CscDesign(const SparseView& X) : Base(X, X.cols) {}

    double entries() const override { return cols() == 0 ? 0 : Base::entries(); }

    void correlate(const Panel& Q, const Execution& execution,
                   const Design::TileConsumer& consume) const override {
        constexpr Index width = tile_columns;
        const std::vector<double> sums = shift_.empty() ? std::vector<double>{} : lane_sums(Q);
        const Team team = execution.team_for(entries() * static_cast<double>(Q.stride()));
        const std::vector<double> only = only_lane(Q);
        parallel_for(execution, team, (cols() + width - 1) / width, [&](Index t) {
            const Index begin = t * width;
            const Index count = std::min(width, cols() - begin);
            Buffer<double> tile(count * Q.stride());
            for (Index c = 0; c < count; ++c) {
                if (execution.is_cancelled()) return;
                double* out = tile.data() + c * Q.stride();
                if (only.empty()) {
                    correlate_column(Q, begin + c, sums, out);
                } else {
                    std::fill_n(out, Q.stride(), 0.0);
                    out[0] = product(begin + c, only);
                }
            }
            consume(begin, count, tile.data());
        });
    }

    void correlate_some(std::span<const Index> columns, std::span<const double> q,
                        const Execution& execution, double* out) const override {
        const auto count = static_cast<Index>(columns.size());
        double total = 0;
        // in the order of the stored ones: of a full column nothing is left
        if (!shift_.empty()) total = std::accumulate(q.begin(), q.end(), 0.0);
        parallel_pieces(execution, work_of(count), count, dot_columns, [&](Index begin, Index end) {
            for (Index c = begin; c < end; ++c) {
                const Index j = columns[c];
                const bool is_shifted = !shift_.empty() && shift_[j] != 0;
                out[c] = is_shifted ? shifted_product(j, q, total) : product(j, q);
            }
        });
    }

    void correlate_list(std::span<const Index> columns, const Panel& Q, const Execution& execution,
                        double* out) const override {
        const auto count = static_cast<Index>(columns.size());
        const std::vector<double> sums = shift_.empty() ? std::vector<double>{} : lane_sums(Q);
        const double mean_entries = entries() / static_cast<double>(std::max<Index>(1, cols()));
        const double work =
            mean_entries * static_cast<double>(count) * static_cast<double>(Q.stride());
        constexpr Index group = sparse_columns;
        parallel_for(execution, execution.team_for(work), (count + group - 1) / group,
                     [&](Index g) {
                         for (Index c = g * group; c < std::min(count, (g + 1) * group); ++c)
                             correlate_column(Q, columns[c], sums, out + c * Q.stride());
                     });
    }

    void gather(std::span<const Index> columns, const Execution& execution, double* out,
                Index stride) const override {
        const auto count = static_cast<Index>(columns.size());
        const double work = static_cast<double>(count) * static_cast<double>(rows());
        parallel_pieces(execution, work, count, 1, [&](Index begin, Index end) {
            for (Index c = begin; c < end; ++c) {
                const Index j = columns[c];
                const double origin = shift_.empty() ? 0 : shift_[j];
                std::fill_n(out + c * stride, rows(), -origin);
                for (Index e = entries_.begin(j); e < entries_.end(j); ++e)
                    out[c * stride + entries_.indices[e]] = entries_.values[e] - origin;
            }
        });
    }

    void multiply(std::span<const Index> columns, std::span<const double> values,
                  const Execution& execution, double* out) const override {
        const double work = work_of(static_cast<Index>(columns.size()));
        // Each thread has rows of its own, which all columns add to in their order: the sums are
        // the same whoever makes them. One thread alone need not look rows up.
        parallel_ranges(execution.team_for(work), rows(), sparse_rows, [&](Index begin, Index end) {
            std::fill(out + begin, out + end, 0.0);
            add_columns(columns, values, {begin, end}, execution, out);
        });
        execution.check();
    }

    bool sweep(std::span<const Index> columns, RowWeights weights, const CoordinateStep& step,
               double* q) const override {
        if (Base::has_shifted(columns)) return false;
        const std::span<const double> all(q, static_cast<std::size_t>(rows()));
        for (std::size_t c = 0; c < columns.size(); ++c) {
            const Index j = columns[c];
            const double t = step(static_cast<Index>(c), product(j, all));
            if (t == 0) continue;
            for (Index e = entries_.begin(j); e < entries_.end(j); ++e) {
                const Index i = entries_.indices[e];
                q[i] -= t * (weights.empty() ? 1 : weights[i]) * entries_.values[e];
            }
        }
        return true;
    }

    std::unique_ptr<SelectedRows> select(std::span<const Index> columns) const override {
        if (Base::has_shifted(columns) || rows() > SelectedRows::most_rows) return nullptr;
        const auto for_entries = [&](const auto& note) {
            for (std::size_t c = 0; c < columns.size(); ++c)
                for (Index e = entries_.begin(columns[c]); e < entries_.end(columns[c]); ++e)
                    note(entries_.indices[e], static_cast<Index>(c), entries_.values[e]);
        };
        return std::make_unique<SelectedRows>(rows(), static_cast<Index>(columns.size()),
                                              for_entries);
    }

    double entries_of(std::span<const Index> columns) const override {
        double count = 0;
        for (const Index j : columns)
            count += static_cast<double>(entries_.end(j) - entries_.begin(j));
        return count;
    }

    ColumnMoments moments(RowWeights weights, std::span<const double> v,
                          const Execution& execution) const override {
        ColumnMoments m = make_moments(cols());
        const Totals totals(weights, v, rows());
        constexpr Index group = sparse_columns;
        parallel_for(execution, execution.team_for(entries() * sparse_moment_operations),
                     (cols() + group - 1) / group, [&](Index g) {
                         for (Index j = g * group; j < std::min(cols(), (g + 1) * group); ++j)
                             if (!execution.is_cancelled())
                                 moments_of_column(weights, v, totals, j, m);
                     });
        return m;
    }

    void pack_rows(Index begin, Index end, std::span<const double> centre,
                   const double* row_factors, double* panels) const override {
        const Index n = end - begin;
        for (Index j = 0; j < cols(); ++j) {
            double* panel = panels + (j / gram_width) * n * gram_width + j % gram_width;
            for (Index i = 0; i < n; ++i)
                panel[i * gram_width] =
                    row_factors == nullptr ? -centre[j] : -centre[j] * row_factors[i];
            const I* first = entries_.indices + entries_.begin(j);
            const I* last = entries_.indices + entries_.end(j);
            for (const I* at = std::lower_bound(first, last, static_cast<I>(begin));
                 at != last && *at < end; ++at) {
                const Index i = *at - begin;
                const double x = entries_.values[at - entries_.indices] - centre[j];
                panel[i * gram_width] = row_factors == nullptr ? x : x * row_factors[i];
            }
        }
    }

    void accumulate_sparse_gram(RowWeights weights, const Execution& execution, double* G,
                                Index stride) const override {
        std::vector<Index> cursor(static_cast<std::size_t>(cols()));
        for (Index j = 0; j < cols(); ++j) cursor[j] = entries_.begin(j);
        for (Index begin = 0; begin < rows(); begin += transposed_rows) {
            execution.check();
            const Index end = std::min(rows(), begin + transposed_rows);
            accumulate_pairs(transpose(begin, end, cursor), weights, begin, execution, G, stride);
        }
    }

    double sparse_gram_cost() const override {
        std::vector<double> in_row(static_cast<std::size_t>(rows()));
        for (Index e = 0; e < static_cast<Index>(entries()); ++e) in_row[entries_.indices[e]] += 1;
        double cost = 0;
        for (const double count : in_row) cost += count * (count + 1) / 2;
        return cost;
    }

  private:
    struct Range {
        Index begin;
        Index end;
    };

    // Operations of a product with that many columns.
    double work_of(Index columns) const {
        return entries() / static_cast<double>(std::max<Index>(1, cols())) *
               static_cast<double>(scattered_cost * columns);
    }

    // x_j'q. Four independent sums, so that additions overlap.
    double product(Index j, std::span<const double> q) const {
        std::array<double, 4> sum{};
        Index e = entries_.begin(j);
        for (; e + 4 <= entries_.end(j); e += 4)
            for (Index u = 0; u < 4; ++u)
                sum[u] += entries_.values[e + u] * q[entries_.indices[e + u]];
        for (; e < entries_.end(j); ++e) sum[0] += entries_.values[e] * q[entries_.indices[e]];
        return (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }

    // One right-hand side without padding, an eighth of the memory that entries are scattered over;
    // empty where there are more, or shifts.
    std::vector<double> only_lane(const Panel& Q) const {
        std::vector<double> q;
        if (Q.lanes() != 1 || !shift_.empty()) return q;
        for (Index i = 0; i < rows(); ++i) q.push_back(Q.row(i)[0]);
        return q;
    }

    // (x_j - shift_j)'q; `total` is the sum of q.
    double shifted_product(Index j, std::span<const double> q, double total) const {
        double sum = 0;
        double stored = 0;
        for (Index e = entries_.begin(j); e < entries_.end(j); ++e) {
            const double qi = q[entries_.indices[e]];
            sum += (entries_.values[e] - shift_[j]) * qi;
            stored += qi;
        }
        return sum - shift_[j] * (total - stored);
    }

    // out += the combination of the columns, in a range of rows; stops when cancelled.
    void add_columns(std::span<const Index> columns, std::span<const double> values, Range range,
                     const Execution& execution, double* out) const {
        const bool takes_all = range.begin == 0 && range.end == rows();
        for (std::size_t c = 0; c < columns.size() && !execution.is_cancelled(); ++c) {
            const Index j = columns[c];
            if (values[c] == 0) continue;
            const I* const first = entries_.indices + entries_.begin(j);
            const I* const last = entries_.indices + entries_.end(j);
            const I* const at =
                takes_all ? first : std::lower_bound(first, last, static_cast<I>(range.begin));
            const I* const end =
                takes_all ? last : std::lower_bound(at, last, static_cast<I>(range.end));
            if (!shift_.empty() && shift_[j] != 0) {
                add_shifted(j, values[c], {at - entries_.indices, end - entries_.indices}, range,
                            out);
                continue;
            }
            for (const I* e = at; e != end; ++e)
                out[*e] += entries_.values[e - entries_.indices] * values[c];
        }
    }

    // out += (x_j - shift_j) value, in a range of rows and the entries there. Row by row: a column
    // far from zero has few zeros, and correcting the sum afterwards would cancel digits.
    void add_shifted(Index j, double value, Range stored, Range range, double* out) const {
        Index e = stored.begin;
        for (Index i = range.begin; i < range.end; ++i) {
            const bool is_stored = e < stored.end && entries_.indices[e] == i;
            const double x = is_stored ? static_cast<double>(entries_.values[e]) : 0;
            out[i] += (x - shift_[j]) * value;
            e += is_stored;
        }
    }

    void correlate_column(const Panel& Q, Index j, std::span<const double> sums,
                          double* out) const {
        const Index stride = Q.stride();
        const double origin = shift_.empty() ? 0 : shift_[j];
        if (origin == 0) {
            const Index begin = entries_.begin(j);
            correlate_sparse<T, I>()(entries_.values + begin, entries_.indices + begin,
                                     entries_.end(j) - begin, Q.row(0), stride, out);
            return;
        }
        // sum (x - shift) q over the entries, - shift sum q over the zeros
        for (Index k = 0; k < stride; ++k) {
            double sum = 0;
            double stored = 0;
            for (Index e = entries_.begin(j); e < entries_.end(j); ++e) {
                const double q = Q.row(entries_.indices[e])[k];
                sum += (entries_.values[e] - origin) * q;
                stored += q;
            }
            out[k] = sum - origin * (sums[k] - stored);
        }
    }

    void moments_of_column(RowWeights weights, std::span<const double> v, const Totals& totals,
                           Index j, ColumnMoments& m) const {
        EntrySums s;
        for (Index e = entries_.begin(j); e < entries_.end(j); ++e) {
            const Index i = entries_.indices[e];
            s.add(entries_.values[e], weights.empty() ? 1 : weights[i], v[i]);
        }
        const double mean = s.first / totals.weight;
        for (Index e = entries_.begin(j); e < entries_.end(j); ++e) {
            const Index i = entries_.indices[e];
            const double d = entries_.values[e] - mean;
            const double w = weights.empty() ? 1 : weights[i];
            m.centred_sum[j] += w * d;
            m.squares[j] += w * d * d;
            m.products[j] += v[i] * d;
        }
        finish_moments(s, totals, j, m);
    }

    // Transposes rows [begin, end). The cursor of each column moves from `begin` to `end`.
    RowEntries transpose(Index begin, Index end, std::vector<Index>& cursor) const {
        RowEntries block;
        block.offsets.assign(static_cast<std::size_t>(end - begin + 1), 0);
        std::vector<Index> stop(cursor);
        for (Index j = 0; j < cols(); ++j)
            for (Index& e = stop[j]; e < entries_.end(j) && entries_.indices[e] < end; ++e)
                ++block.offsets[entries_.indices[e] - begin + 1];
        std::partial_sum(block.offsets.begin(), block.offsets.end(), block.offsets.begin());
        block.columns.resize(static_cast<std::size_t>(block.offsets.back()));
        block.values.resize(block.columns.size());
        std::vector<Index> fill(block.offsets.begin(), block.offsets.end() - 1);
        for (Index j = 0; j < cols(); ++j)
            for (Index& e = cursor[j]; e < stop[j]; ++e) {
                const Index at = fill[entries_.indices[e] - begin]++;
                block.columns[at] = static_cast<std::int32_t>(j);
                block.values[at] = entries_.values[e];
            }
        return block;
    }
};

}  // namespace

std::unique_ptr<Design> make_csc_design(const SparseView& X) {
    return make_of_kind<CscDesign>(X);
}

}  // namespace sven::linalg
