// Sparse X by compressed rows (CSR).

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>
#include <type_traits>

#include "linalg/kernels.hpp"
#include "linalg/sparse_design.hpp"
#include "linalg/tuning.hpp"

namespace sven::linalg {
namespace {

// A sparse X once more, by compressed columns. What a path asks of some columns, over and over,
// would take a look at every entry by rows.
template <class T, class I, class O>
class ByColumns {
  public:
    ByColumns(const Compressed<T, I, O>& rows, Index row_count, Index columns,
              const Execution& execution)
        : offsets_(static_cast<std::size_t>(columns) + 1) {
        Poll poll(execution);
        const auto for_entries = [&](const auto& visit) {
            for (Index i = 0; i < row_count; ++i) {
                if (poll.stops_after(static_cast<double>(1 + rows.end(i) - rows.begin(i))))
                    throw Cancelled();
                for (Index e = rows.begin(i); e < rows.end(i); ++e) visit(i, e);
            }
        };
        for_entries([&](Index, Index e) { ++offsets_[rows.indices[e] + 1]; });
        std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
        const auto entries = static_cast<std::size_t>(offsets_.back());
        values_.resize(entries);
        const bool is_narrow = row_count <= std::numeric_limits<std::int32_t>::max();
        narrow_.resize(is_narrow ? entries : 0);
        wide_.resize(is_narrow ? 0 : entries);
        std::vector<std::int64_t> next(offsets_.begin(), offsets_.end() - 1);
        for_entries([&](Index i, Index e) {
            const std::int64_t at = next[rows.indices[e]]++;
            values_[at] = rows.values[e];
            if (is_narrow)
                narrow_[at] = static_cast<std::int32_t>(i);
            else
                wide_[at] = i;
        });
        SparseView view;
        view.values = values_.data();
        view.indices = is_narrow ? static_cast<const void*>(narrow_.data()) : wide_.data();
        view.offsets = offsets_.data();
        view.scalar = std::is_same_v<T, double> ? Scalar::float64 : Scalar::float32;
        view.index_width = is_narrow ? IndexWidth::int32 : IndexWidth::int64;
        view.offset_width = IndexWidth::int64;
        view.rows = row_count;
        view.cols = columns;
        design_ = make_csc_design(view);
    }
    Design& design() { return *design_; }

  private:
    std::vector<std::int64_t> offsets_;
    std::vector<T> values_;
    std::vector<std::int32_t> narrow_;  // rows of the entries, in one of the two
    std::vector<std::int64_t> wide_;
    std::unique_ptr<Design> design_;
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
        const Team team = execution.team_for(entries() * static_cast<double>(Q.stride()));
        const Index stride = Q.stride();
        Buffer<double> sums(cols() * stride);
        // Each thread adds up columns of its own, over all rows in their order: the sums are the
        // same whoever makes them.
        const std::vector<Index> bound = even_columns(team.threads);
        parallel_for(execution, team, static_cast<Index>(bound.size()) - 1, [&](Index k) {
            std::fill(sums.data() + bound[k] * stride, sums.data() + bound[k + 1] * stride, 0.0);
            add_columns(Q, bound[k], bound[k + 1], execution, sums.data());
        });
        apply_shift(Q, execution, sums.data());
        constexpr Index width = tile_columns;
        parallel_for(execution, team, (cols() + width - 1) / width, [&](Index tile) {
            const Index begin = tile * width;
            consume(begin, std::min(width, cols() - begin), sums.data() + begin * stride);
        });
    }

    void correlate_some(std::span<const Index> columns, std::span<const double> q,
                        const Execution& execution, double* out) const override {
        by_columns(execution).correlate_some(columns, q, execution, out);
    }

    void correlate_list(std::span<const Index> columns, const Panel& Q, const Execution& execution,
                        double* out) const override {
        by_columns(execution).correlate_list(columns, Q, execution, out);
    }

    void gather(std::span<const Index> columns, const Execution& execution, double* out,
                Index stride) const override {
        by_columns(execution).gather(columns, execution, out, stride);
    }

    bool sweep(std::span<const Index> columns, RowWeights weights, const CoordinateStep& step,
               double* q) const override {
        return by_columns({}).sweep(columns, weights, step, q);
    }

    double entries_of(std::span<const Index> columns) const override {
        return by_columns({}).entries_of(columns);
    }

    void multiply(std::span<const Index> columns, std::span<const double> values,
                  const Execution& execution, double* out) const override {
        // thread-local and reused, as in Positions
        static thread_local std::vector<double> coefficient;
        static thread_local std::vector<Index> shifted;  // of the columns, ascending
        coefficient.assign(static_cast<std::size_t>(cols()), 0.0);
        shifted.clear();
        for (std::size_t c = 0; c < columns.size(); ++c) {
            coefficient[columns[c]] = values[c];
            if (!shift_.empty() && shift_[columns[c]] != 0) shifted.push_back(columns[c]);
        }
        std::sort(shifted.begin(), shifted.end());
        const double work =
            2 * entries() + static_cast<double>(rows()) * static_cast<double>(shifted.size());
        // inside the team, a thread_local name means another thread's variable
        const std::span<const double> values_of(coefficient);
        const std::span<const Index> shifted_columns(shifted);
        parallel_pieces(execution, work, rows(), row_share, [&](Index begin, Index end) {
            for (Index i = begin; i < end; ++i)
                out[i] = multiply_row(i, values_of, shifted_columns);
        });
    }

    std::unique_ptr<SelectedRows> select(std::span<const Index> columns) const override {
        return by_columns({}).select(columns);
    }

    ColumnMoments moments(RowWeights weights, std::span<const double> v,
                          const Execution& execution) const override {
        ColumnMoments m = make_moments(cols());
        const Totals totals(weights, v, rows());
        std::vector<EntrySums> sums(static_cast<std::size_t>(cols()));
        const auto each = [](Index) { return moment_operations; };
        for_entries(weights, execution, each,
                    [&](Index i, Index j, double x, double w) { sums[j].add(x, w, v[i]); });
        for_entries(weights, execution, each, [&](Index i, Index j, double x, double w) {
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
        const auto each = [&](Index i) { return 1 + work_of_row(i, 1) / 2; };
        for_entries(weights, execution, each, [&](Index i, Index j, double x, double w) {
            if (w == 0) return;
            // columns are sorted: the pairs (j, k) with k >= j follow in the row
            double* column = G + j * stride;
            const I* at = std::lower_bound(entries_.indices + entries_.begin(i),
                                           entries_.indices + entries_.end(i), static_cast<I>(j));
            for (Index e = at - entries_.indices; e < entries_.end(i); ++e)
                column[entries_.indices[e]] += w * x * entries_.values[e];
        });
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
    // Made when it is first asked for, by whichever thread; paths over a Gram matrix never do.
    const Design& by_columns(const Execution& execution) const {
        const std::lock_guard lock(mutex_);
        if (by_columns_ == nullptr) {
            by_columns_ = std::make_unique<ByColumns<T, I, O>>(entries_, rows(), cols(), execution);
            by_columns_shift_ = -1;
        }
        if (by_columns_shift_ != Base::shift_version_) {
            by_columns_->design().set_shift(shift_);
            by_columns_shift_ = Base::shift_version_;
        }
        return by_columns_->design();
    }

    // Operations: one for the row, and `each` for every entry.
    double work_of_row(Index i, Index each) const {
        return 1 + static_cast<double>((entries_.end(i) - entries_.begin(i)) * each);
    }

    // Where `ranges` ranges of columns begin, and the last one ends, that have about as many
    // entries each, judged by some of them.
    std::vector<Index> even_columns(int ranges) const {
        std::vector<Index> bound(static_cast<std::size_t>(ranges) + 1, 0);
        bound.back() = cols();
        if (ranges == 1) return bound;
        const Index first = entries_.begin(0);
        const Index total = entries_.begin(rows()) - first;
        const Index step = std::max<Index>(1, total / (sampled_entries * ranges));
        std::vector<Index> sample;
        for (Index e = first; e < first + total; e += step) sample.push_back(entries_.indices[e]);
        std::sort(sample.begin(), sample.end());
        for (int k = 1; k < ranges; ++k)
            bound[k] = sample.empty() ? 0 : sample[sample.size() * k / ranges];
        return bound;
    }

    // sums[j] += the products of columns [first, last) with Q; stops when cancelled.
    void add_columns(const Panel& Q, Index first, Index last, const Execution& execution,
                     double* sums) const {
        const Index stride = Q.stride();
        const bool takes_all = first == 0 && last == cols();
        Poll poll(execution);
        for (Index i = 0; i < rows(); ++i) {
            if (poll.stops_after(work_of_row(i, stride))) return;
            const I* at = entries_.indices + entries_.begin(i);
            const I* end = entries_.indices + entries_.end(i);
            if (!takes_all) {
                at = std::lower_bound(at, end, static_cast<I>(first));
                end = std::lower_bound(at, end, static_cast<I>(last));
            }
            const T* value = entries_.values + (at - entries_.indices);
            const double* q = Q.row(i);
            for (; at != end; ++at, ++value) {
                const double x = *value;
                double* target = sums + *at * stride;
                for (Index k = 0; k < stride; ++k) target[k] += x * q[k];
            }
        }
    }

    // operations(i): the cost of one visit in row i, for polling.
    template <class Operations, class Visit>
    void for_entries(RowWeights weights, const Execution& execution, const Operations& operations,
                     const Visit& visit) const {
        Poll poll(execution);
        for (Index i = 0; i < rows(); ++i) {
            if (poll.stops_after(work_of_row(i, 1) * operations(i))) throw Cancelled();
            for (Index e = entries_.begin(i); e < entries_.end(i); ++e)
                visit(i, static_cast<Index>(entries_.indices[e]),
                      static_cast<double>(entries_.values[e]), weights.empty() ? 1 : weights[i]);
        }
    }

    // The shift is subtracted entry by entry; shifted columns have few zeros.
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

    // Shifted columns were summed without the shift. Their products are recomputed: sum (x - shift)
    // q over the entries, - shift sum q over the zeros.
    void apply_shift(const Panel& Q, const Execution& execution, double* sums) const {
        if (shift_.empty()) return;
        const Index stride = Q.stride();
        std::vector<double> stored(static_cast<std::size_t>(cols() * stride));
        for (Index j = 0; j < cols(); ++j)
            if (shift_[j] != 0) std::fill_n(sums + j * stride, stride, 0.0);
        Poll poll(execution);
        for (Index i = 0; i < rows(); ++i) {
            if (poll.stops_after(work_of_row(i, stride))) throw Cancelled();
            for (Index e = entries_.begin(i); e < entries_.end(i); ++e) {
                const Index j = entries_.indices[e];
                if (shift_[j] == 0) continue;
                const double d = entries_.values[e] - shift_[j];
                for (Index k = 0; k < stride; ++k) {
                    sums[j * stride + k] += d * Q.row(i)[k];
                    stored[j * stride + k] += Q.row(i)[k];
                }
            }
        }
        const std::vector<double> totals = lane_sums(Q);
        for (Index j = 0; j < cols(); ++j)
            for (Index k = 0; k < stride; ++k)
                sums[j * stride + k] -= shift_[j] * (totals[k] - stored[j * stride + k]);
    }

    mutable std::mutex mutex_;
    mutable std::unique_ptr<ByColumns<T, I, O>> by_columns_;
    mutable Index by_columns_shift_ = -1;  // the version that it has
};

}  // namespace

std::unique_ptr<Design> make_csr_design(const SparseView& X) {
    return make_of_kind<CsrDesign>(X);
}

}  // namespace sven::linalg
