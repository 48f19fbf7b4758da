// Sparse X, by compressed columns (CSC) or rows (CSR). Products run over the stored entries only;
// a shift is a rank-one correction, with the entries of a shifted column taken relative to it.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "linalg/design.hpp"
#include "linalg/kernels.hpp"

namespace sven::linalg {
namespace {

template <class T, class I, class O>
struct Compressed {
    explicit Compressed(const SparseView& X)
        : values(static_cast<const T*>(X.values)),
          indices(static_cast<const I*>(X.indices)),
          offsets(static_cast<const O*>(X.offsets)) {}

    Index begin(Index line) const { return static_cast<Index>(offsets[line]); }
    Index end(Index line) const { return static_cast<Index>(offsets[line + 1]); }

    const T* values;
    const I* indices;
    const O* offsets;
};

ColumnMoments make_moments(Index cols) {
    const auto size = static_cast<std::size_t>(cols);
    return {std::vector<double>(size), std::vector<double>(size), std::vector<double>(size),
            std::vector<double>(size), std::vector<char>(size)};
}

// The sums over stored entries of one column that moments are made of.
struct EntrySums {
    double weight = 0;
    double first = 0;
    double v = 0;
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    Index counted = 0;  // entries of positive weight

    void add(double x, double w, double v_i) {
        weight += w;
        first += w * x;
        v += v_i;
        if (w == 0) return;
        low = std::min(low, x);
        high = std::max(high, x);
        ++counted;
    }
    void include_zero() {
        low = std::min(low, 0.0);
        high = std::max(high, 0.0);
    }
};

struct Totals {
    Totals(RowWeights weights, std::span<const double> mixed, Index rows) {
        for (Index i = 0; i < rows; ++i) {
            const double w = weights.empty() ? 1 : weights[i];
            weight += w;
            v += mixed[i];
            counted += w != 0;
        }
    }
    double weight = 0;
    double v = 0;
    Index counted = 0;
};

// The zeros of a column count too: n - nnz of them, at distance `mean` from the mean.
void finish_moments(const EntrySums& s, const Totals& totals, Index j, ColumnMoments& m) {
    EntrySums all = s;
    if (s.counted < totals.counted) all.include_zero();
    m.is_constant[j] = all.low == all.high;
    m.mean[j] = m.is_constant[j] ? all.low : s.first / totals.weight;
    // squares and products hold the sums over the stored entries
    const double zeros = totals.weight - s.weight;
    m.squares[j] += zeros * m.mean[j] * m.mean[j];
    m.products[j] -= m.mean[j] * (totals.v - s.v);
    m.centred_sum[j] -= zeros * m.mean[j];
}

std::vector<double> lane_sums(const Panel& Q) {
    std::vector<double> sums(static_cast<std::size_t>(Q.stride()));
    for (Index i = 0; i < Q.rows(); ++i)
        for (Index k = 0; k < Q.stride(); ++k) sums[k] += Q.row(i)[k];
    return sums;
}

// Entries of a block of rows, row by row: what a Gram matrix is accumulated from.
struct RowEntries {
    std::vector<Index> offsets;
    std::vector<std::int32_t> columns;
    std::vector<double> values;
};

// G (lower) += sum over rows of w x x'.
void accumulate_pairs(const RowEntries& block, RowWeights weights, Index first_row, double* G,
                      Index stride) {
    const auto rows = static_cast<Index>(block.offsets.size()) - 1;
    for (Index i = 0; i < rows; ++i) {
        const double w = weights.empty() ? 1 : weights[first_row + i];
        for (Index a = block.offsets[i]; a < block.offsets[i + 1]; ++a) {
            const double wx = w * block.values[a];
            double* column = G + block.columns[a] * stride;
            for (Index b = a; b < block.offsets[i + 1]; ++b)
                column[block.columns[b]] += wx * block.values[b];
        }
    }
}

template <class T, class I, class O>
class SparseDesign : public Design {
  public:
    explicit SparseDesign(const SparseView& X, Index lines)
        : Design(X.rows, X.cols), entries_(X), lines_(lines) {}

    bool is_sparse() const override { return true; }
    double entries() const override { return static_cast<double>(entries_.end(lines_ - 1)); }

  protected:
    Compressed<T, I, O> entries_;
    Index lines_;
};

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
        constexpr Index width = 96;
        const std::vector<double> sums = shift_.empty() ? std::vector<double>{} : lane_sums(Q);
        const int threads = execution.threads_for(entries() * static_cast<double>(Q.stride()));
        parallel_for(execution, threads, (cols() + width - 1) / width, [&](Index t) {
            const Index begin = t * width;
            const Index count = std::min(width, cols() - begin);
            Buffer<double> tile(count * Q.stride());
            for (Index c = 0; c < count; ++c)
                correlate_column(Q, begin + c, sums, tile.data() + c * Q.stride());
            consume(begin, count, tile.data());
        });
    }

    void correlate_some(std::span<const Index> columns, std::span<const double> q,
                        const Execution& execution, double* out) const override {
        const auto count = static_cast<Index>(columns.size());
        double total = 0;
        if (!shift_.empty()) total = std::accumulate(q.begin(), q.end(), 0.0);
        const double work = entries() / static_cast<double>(std::max<Index>(1, cols())) *
                            static_cast<double>(4 * count);
        parallel_ranges(execution.threads_for(work), count, 16, [&](Index begin, Index end) {
            for (Index c = begin; c < end; ++c) {
                const Index j = columns[c];
                const double origin = shift_.empty() ? 0 : shift_[j];
                double sum = 0;
                double stored = 0;
                for (Index e = entries_.begin(j); e < entries_.end(j); ++e) {
                    const double qi = q[entries_.indices[e]];
                    sum += (entries_.values[e] - origin) * qi;
                    stored += qi;
                }
                out[c] = origin == 0 ? sum : sum - origin * (total - stored);
            }
        });
    }

    void gather(std::span<const Index> columns, const Execution& execution, double* out,
                Index stride) const override {
        const auto count = static_cast<Index>(columns.size());
        const double work = static_cast<double>(count) * static_cast<double>(rows());
        parallel_ranges(execution.threads_for(work), count, 1, [&](Index begin, Index end) {
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
        std::fill_n(out, rows(), 0.0);
        for (std::size_t c = 0; c < columns.size(); ++c) {
            const Index j = columns[c];
            if (!shift_.empty() && shift_[j] != 0) {
                add_shifted(j, values[c], out);
                continue;
            }
            for (Index e = entries_.begin(j); e < entries_.end(j); ++e)
                out[entries_.indices[e]] += entries_.values[e] * values[c];
        }
        execution.check();
    }

    ColumnMoments moments(RowWeights weights, std::span<const double> v,
                          const Execution& execution) const override {
        ColumnMoments m = make_moments(cols());
        const Totals totals(weights, v, rows());
        constexpr Index group = 64;
        parallel_for(execution, execution.threads_for(entries() * 6), (cols() + group - 1) / group,
                     [&](Index g) {
                         for (Index j = g * group; j < std::min(cols(), (g + 1) * group); ++j)
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
        for (Index begin = 0; begin < rows(); begin += block_rows) {
            execution.check();
            const Index end = std::min(rows(), begin + block_rows);
            accumulate_pairs(transpose(begin, end, cursor), weights, begin, G, stride);
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
    static constexpr Index block_rows = 4096;

    // out += (x_j - shift_j) value. Row by row: a column far from zero has hardly any zeros, and
    // what is taken out of the sum afterwards takes the digits with it.
    void add_shifted(Index j, double value, double* out) const {
        Index e = entries_.begin(j);
        for (Index i = 0; i < rows(); ++i) {
            const bool is_stored = e < entries_.end(j) && entries_.indices[e] == i;
            const double x = is_stored ? static_cast<double>(entries_.values[e]) : 0;
            out[i] += (x - shift_[j]) * value;
            e += is_stored;
        }
    }

    void correlate_column(const Panel& Q, Index j, std::span<const double> sums,
                          double* out) const {
        const Index stride = Q.stride();
        const double origin = shift_.empty() ? 0 : shift_[j];
        std::fill_n(out, stride, 0.0);
        if (origin == 0) {
            for (Index e = entries_.begin(j); e < entries_.end(j); ++e) {
                const double* q = Q.row(entries_.indices[e]);
                const double x = entries_.values[e];
                for (Index k = 0; k < stride; ++k) out[k] += x * q[k];
            }
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

    // Rows [begin, end) out of the columns, whose cursors stand at `begin` and move to `end`.
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

template <class T, class I, class O>
class CsrDesign final : public SparseDesign<T, I, O> {
    using Base = SparseDesign<T, I, O>;
    using Base::cols;
    using Base::entries_;
    using Base::rows;
    using Base::shift_;

  public:
    explicit CsrDesign(const SparseView& X) : Base(X, X.rows) {}

    double entries() const override { return rows() == 0 ? 0 : Base::entries(); }

    void correlate(const Panel& Q, const Execution& execution,
                   const Design::TileConsumer& consume) const override {
        const int threads = execution.threads_for(entries() * static_cast<double>(Q.stride()));
        const Index stride = Q.stride();
        const Index size = cols() * stride;
        Buffer<double> sums(size * threads);
        std::fill_n(sums.data(), size * threads, 0.0);
        Index slice = 0;  // each thread's rows add into its own sums
#pragma omp parallel for schedule(static) num_threads(threads)
        for (slice = 0; slice < threads; ++slice) {
            double* out = sums.data() + slice * size;
            for (Index i = rows() * slice / threads; i < rows() * (slice + 1) / threads; ++i) {
                const double* q = Q.row(i);
                for (Index e = entries_.begin(i); e < entries_.end(i); ++e) {
                    const double x = entries_.values[e];
                    double* target = out + entries_.indices[e] * stride;
                    for (Index k = 0; k < stride; ++k) target[k] += x * q[k];
                }
            }
        }
        execution.check();
        for (int t = 1; t < threads; ++t)
            for (Index at = 0; at < size; ++at) sums[at] += sums[t * size + at];
        apply_shift(Q, sums.data());
        constexpr Index width = 96;
        for (Index begin = 0; begin < cols(); begin += width)
            consume(begin, std::min(width, cols() - begin), sums.data() + begin * stride);
    }

    void correlate_some(std::span<const Index> columns, std::span<const double> q,
                        const Execution& execution, double* out) const override {
        const std::vector<std::int32_t> position = positions(columns);
        std::fill_n(out, columns.size(), 0.0);
        std::vector<double> stored(shift_.empty() ? 0 : columns.size());
        for (Index i = 0; i < rows(); ++i) {
            for (Index e = entries_.begin(i); e < entries_.end(i); ++e) {
                const Index j = entries_.indices[e];
                if (position[j] < 0) continue;
                const double origin = shift_.empty() ? 0 : shift_[j];
                out[position[j]] += (entries_.values[e] - origin) * q[i];
                if (origin != 0) stored[position[j]] += q[i];
            }
        }
        execution.check();
        if (shift_.empty()) return;
        const double total = std::accumulate(q.begin(), q.end(), 0.0);
        for (std::size_t c = 0; c < columns.size(); ++c)
            out[c] -= shift_[columns[c]] * (total - stored[c]);
    }

    void gather(std::span<const Index> columns, const Execution& execution, double* out,
                Index stride) const override {
        const std::vector<std::int32_t> position = positions(columns);
        for (std::size_t c = 0; c < columns.size(); ++c)
            std::fill_n(out + static_cast<Index>(c) * stride, rows(),
                        shift_.empty() ? 0 : -shift_[columns[c]]);
        for (Index i = 0; i < rows(); ++i)
            for (Index e = entries_.begin(i); e < entries_.end(i); ++e) {
                const Index j = entries_.indices[e];
                if (position[j] < 0) continue;
                const double origin = shift_.empty() ? 0 : shift_[j];
                out[position[j] * stride + i] = entries_.values[e] - origin;
            }
        execution.check();
    }

    void multiply(std::span<const Index> columns, std::span<const double> values,
                  const Execution& execution, double* out) const override {
        std::vector<double> coefficient(static_cast<std::size_t>(cols()), 0.0);
        std::vector<Index> shifted;  // of the columns, ascending
        for (std::size_t c = 0; c < columns.size(); ++c) {
            coefficient[columns[c]] = values[c];
            if (!shift_.empty() && shift_[columns[c]] != 0) shifted.push_back(columns[c]);
        }
        std::sort(shifted.begin(), shifted.end());
        const double work =
            2 * entries() + static_cast<double>(rows()) * static_cast<double>(shifted.size());
        parallel_ranges(execution.threads_for(work), rows(), 64, [&](Index begin, Index end) {
            for (Index i = begin; i < end; ++i) out[i] = multiply_row(i, coefficient, shifted);
        });
    }

    ColumnMoments moments(RowWeights weights, std::span<const double> v,
                          const Execution& execution) const override {
        ColumnMoments m = make_moments(cols());
        const Totals totals(weights, v, rows());
        std::vector<EntrySums> sums(static_cast<std::size_t>(cols()));
        for_entries(weights,
                    [&](Index i, Index j, double x, double w) { sums[j].add(x, w, v[i]); });
        execution.check();
        for_entries(weights, [&](Index i, Index j, double x, double w) {
            const double d = x - sums[j].first / totals.weight;
            m.centred_sum[j] += w * d;
            m.squares[j] += w * d * d;
            m.products[j] += v[i] * d;
        });
        for (Index j = 0; j < cols(); ++j) finish_moments(sums[j], totals, j, m);
        return m;
    }

    void pack_rows(Index begin, Index end, std::span<const double> centre,
                   const double* row_factors, double* panels) const override {
        const Index n = end - begin;
        for (Index i = 0; i < n; ++i) {
            const double factor = row_factors == nullptr ? 1 : row_factors[i];
            for (Index j = 0; j < cols(); ++j)
                panels[(j / gram_width) * n * gram_width + i * gram_width + j % gram_width] =
                    -centre[j] * factor;
            for (Index e = entries_.begin(begin + i); e < entries_.end(begin + i); ++e) {
                const Index j = entries_.indices[e];
                panels[(j / gram_width) * n * gram_width + i * gram_width + j % gram_width] =
                    (entries_.values[e] - centre[j]) * factor;
            }
        }
    }

    void accumulate_sparse_gram(RowWeights weights, const Execution& execution, double* G,
                                Index stride) const override {
        for_entries(weights, [&](Index i, Index j, double x, double w) {
            // columns are sorted: the pairs (j, k) with k >= j follow in the row
            double* column = G + j * stride;
            const I* at = std::lower_bound(entries_.indices + entries_.begin(i),
                                           entries_.indices + entries_.end(i), static_cast<I>(j));
            for (Index e = at - entries_.indices; e < entries_.end(i); ++e)
                column[entries_.indices[e]] += w * x * entries_.values[e];
        });
        execution.check();
    }

    double sparse_gram_cost() const override {
        double cost = 0;
        for (Index i = 0; i < rows(); ++i) {
            const auto count = static_cast<double>(entries_.end(i) - entries_.begin(i));
            cost += count * (count + 1) / 2;
        }
        return cost;
    }

  private:
    template <class Visit>
    void for_entries(RowWeights weights, const Visit& visit) const {
        for (Index i = 0; i < rows(); ++i)
            for (Index e = entries_.begin(i); e < entries_.end(i); ++e)
                visit(i, static_cast<Index>(entries_.indices[e]),
                      static_cast<double>(entries_.values[e]), weights.empty() ? 1 : weights[i]);
    }

    // The shift is taken out entry by entry; of the zeros of shifted columns there are few.
    double multiply_row(Index i, std::span<const double> coefficient,
                        std::span<const Index> shifted) const {
        double sum = 0;
        auto next = shifted.begin();
        for (Index e = entries_.begin(i); e < entries_.end(i); ++e) {
            const Index j = entries_.indices[e];
            for (; next != shifted.end() && *next < j; ++next)
                sum -= shift_[*next] * coefficient[*next];
            const bool is_shifted = next != shifted.end() && *next == j;
            sum += (entries_.values[e] - (is_shifted ? shift_[j] : 0)) * coefficient[j];
            if (is_shifted) ++next;
        }
        for (; next != shifted.end(); ++next) sum -= shift_[*next] * coefficient[*next];
        return sum;
    }

    std::vector<std::int32_t> positions(std::span<const Index> columns) const {
        std::vector<std::int32_t> position(static_cast<std::size_t>(cols()), -1);
        for (std::size_t c = 0; c < columns.size(); ++c)
            position[columns[c]] = static_cast<std::int32_t>(c);
        return position;
    }

    // For shifted columns the entries were summed without the shift: take those products anew,
    // sum (x - shift) q over the entries, - shift sum q over the zeros.
    void apply_shift(const Panel& Q, double* sums) const {
        if (shift_.empty()) return;
        const Index stride = Q.stride();
        std::vector<double> stored(static_cast<std::size_t>(cols() * stride));
        for (Index j = 0; j < cols(); ++j)
            if (shift_[j] != 0) std::fill_n(sums + j * stride, stride, 0.0);
        for (Index i = 0; i < rows(); ++i)
            for (Index e = entries_.begin(i); e < entries_.end(i); ++e) {
                const Index j = entries_.indices[e];
                if (shift_[j] == 0) continue;
                const double d = entries_.values[e] - shift_[j];
                for (Index k = 0; k < stride; ++k) {
                    sums[j * stride + k] += d * Q.row(i)[k];
                    stored[j * stride + k] += Q.row(i)[k];
                }
            }
        const std::vector<double> totals = lane_sums(Q);
        for (Index j = 0; j < cols(); ++j)
            for (Index k = 0; k < stride; ++k)
                sums[j * stride + k] -= shift_[j] * (totals[k] - stored[j * stride + k]);
    }
};

template <class T, class I, class O>
std::unique_ptr<Design> make(const SparseView& X) {
    if (X.compression == Compression::columns) return std::make_unique<CscDesign<T, I, O>>(X);
    return std::make_unique<CsrDesign<T, I, O>>(X);
}

template <class T, class I>
std::unique_ptr<Design> make_with_offsets(const SparseView& X) {
    if (X.offset_width == IndexWidth::int32) return make<T, I, std::int32_t>(X);
    return make<T, I, std::int64_t>(X);
}

template <class T>
std::unique_ptr<Design> make_with_indices(const SparseView& X) {
    if (X.index_width == IndexWidth::int32) return make_with_offsets<T, std::int32_t>(X);
    return make_with_offsets<T, std::int64_t>(X);
}

}  // namespace

std::unique_ptr<Design> make_sparse_design(const SparseView& X) {
    if (X.scalar == Scalar::float64) return make_with_indices<double>(X);
    return make_with_indices<float>(X);
}

}  // namespace sven::linalg
