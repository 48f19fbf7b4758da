// Samples in a compressed sparse matrix: every operation touches the stored entries only.

#include <algorithm>
#include <vector>

#include "linalg/buffer.hpp"
#include "svm/chunked_sum.hpp"
#include "svm/rows.hpp"
#include "svm/tuning.hpp"

namespace sven::svm {
namespace {

// The entries of a matrix of compressed columns, by rows.
template <class T, class Column>
struct Compressed {
    std::vector<T> values;
    std::vector<Column> indices;
    std::vector<Index> offsets;
};

template <class T, class Column, class Offset>
class SparseRows final : public Rows {
  public:
    SparseRows(const SparseView& X, std::span<const double> labels,
               const linalg::Execution& execution)
        : Rows(X.rows, X.cols, execution),
          values_(static_cast<const T*>(X.values)),
          indices_(static_cast<const Column*>(X.indices)),
          offsets_(static_cast<const Offset*>(X.offsets)),
          labels_(labels),
          sum_(X.cols),
          scattered_(X.cols * scattered_samples, 0.0) {
        for (Index i = 0; i < X.rows; ++i) {
            const auto length = static_cast<double>(end(i) - begin(i));
            outer_cost_ += length * (length + 1) / 2;
        }
    }

    // Takes ownership of the entries.
    SparseRows(SparseView X, Compressed<T, Column> owned, std::span<const double> labels,
               const linalg::Execution& execution)
        : SparseRows(view_of(X, owned), labels, execution) {
        owned_ = std::move(owned);
    }

    double entries() const override {
        return static_cast<double>(samples() == 0 ? 0 : end(samples() - 1) - begin(0));
    }
    double outer_cost() const override { return outer_cost_; }

    void times(Selection selection, const double* w, double* out) override {
        const auto some = [&](Index first, Index last) {
            for (Index k = first; k < last; ++k) {
                const Index i = selection[k];
                double sum = 0;
                for (Index e = begin(i); e < end(i); ++e) sum += values_[e] * w[indices_[e]];
                out[k] = label(i) * sum;
            }
        };
        linalg::parallel_pieces(execution(), work(selection), count(selection), sparse_samples,
                                some);
    }

    void transposed_times(Selection selection, const double* v, double* out) override {
        transposed(selection, v, out, [](double x) { return x; });
    }

    void transposed_squares_times(Selection selection, const double* v, double* out) override {
        transposed(selection, v, out, [](double x) { return x * x; });
    }

    void subtract_products(Selection selection, const double* w, CarefulSums sums) override {
        const auto some = [&](Index first, Index last) {
            for (Index k = first; k < last; ++k) {
                const Index i = selection[k];
                const double z = -label(i);
                CarefulSum sum = sums.get(k);
                sum.add_terms(end(i) - begin(i), [&](Index e) {
                    return z * values_[begin(i) + e] * w[indices_[begin(i) + e]];
                });
                sums.set(k, sum);
            }
        };
        linalg::parallel_pieces(execution(), work(selection), count(selection), sparse_samples,
                                some);
    }

    void subtract_combination(Selection selection, const double* v, CarefulSums sums) override {
        const auto columns = [&](Index first, Index last) {
            linalg::Poll poll(execution());
            for (Index k = 0; k < count(selection); ++k) {
                const Index i = selection[k];
                if (poll.stops_after(1 + static_cast<double>(end(i) - begin(i)))) return;
                const Column* there = indices_ + end(i);
                const Column* from =
                    std::lower_bound(indices_ + begin(i), there, static_cast<Column>(first));
                for (; from < there && *from < last; ++from) {
                    CarefulSum sum = sums.get(*from);
                    sum.add(v[k] * (-label(i) * values_[from - indices_]));
                    sums.set(*from, sum);
                }
            }
        };
        linalg::parallel_ranges(execution().team_for(work(selection)), features(), line_doubles,
                                columns);
        execution().check();
    }

    void copy_sample(Index i, double* out, Index stride) override {
        for (Index j = 0; j < features(); ++j) out[j * stride] = 0;
        for (Index e = begin(i); e < end(i); ++e) out[indices_[e] * stride] = label(i) * values_[e];
    }

    void add_outer_products(Selection selection, const double* v, double sign, double* H) override {
        const Index d = features();
        const double flops = outer_cost_ * static_cast<double>(count(selection)) /
                             static_cast<double>(std::max<Index>(1, samples()));
        // Each thread owns a range of the columns of H, so there is no contention.
        const auto add = [&](Index first, Index last) {
            linalg::Poll poll(execution());
            for (Index k = 0; k < count(selection); ++k) {
                const auto length = static_cast<double>(end(selection[k]) - begin(selection[k]));
                if (poll.stops_after(1 + length * length / 2)) return;
                add_outer(selection[k], sign * v[k], {first, last}, H, d);
            }
        };
        linalg::parallel_ranges(execution().team_for(flops), d, line_doubles, add);
        execution().check();
    }

    void kernel(Selection selection, Selection others, double* K, Index stride) override {
        for (Index first = 0; first < count(selection); first += scattered_samples) {
            const Index width = std::min(scattered_samples, count(selection) - first);
            const Selection some = selection.subspan(first, width);
            scatter(some);
            const double flops = work(others) * static_cast<double>(width);
            const auto columns = [&](Index begin_l, Index end_l) {
                for (Index l = begin_l; l < end_l; ++l) {
                    kernel_column(others[l], width, K + l + first * stride, stride);
                }
            };
            linalg::parallel_pieces(execution(), flops, count(others), kernel_samples, columns);
            unscatter(some);
        }
    }

  private:
    struct Range {
        Index begin;
        Index end;
    };

    static Index count(Selection selection) { return static_cast<Index>(selection.size()); }
    static SparseView view_of(SparseView X, const Compressed<T, Column>& owned) {
        X.values = owned.values.data();
        X.indices = owned.indices.data();
        X.offsets = owned.offsets.data();
        return X;
    }
    double work(Selection selection) const {
        return 2 * entries() * static_cast<double>(count(selection)) /
               static_cast<double>(std::max<Index>(1, samples()));
    }
    double label(Index i) const { return labels_.empty() ? 1 : labels_[i]; }
    Index begin(Index i) const { return static_cast<Index>(offsets_[i]); }
    Index end(Index i) const { return static_cast<Index>(offsets_[i + 1]); }

    template <class Function>
    void transposed(Selection selection, const double* v, double* out, const Function& f) {
        sum_.run(execution(), count(selection), work(selection), out,
                 [&](Index first, Index last, double* target) {
                     for (Index k = first; k < last; ++k) {
                         const Index i = selection[k];
                         for (Index e = begin(i); e < end(i); ++e) {
                             target[indices_[e]] += v[k] * f(label(i) * values_[e]);
                         }
                     }
                 });
    }

    // H += weight z_i z_i' in the lower triangle, columns in `range`
    void add_outer(Index i, double weight, Range range, double* H, Index d) const {
        const Column* here = indices_ + begin(i);
        const Column* there = indices_ + end(i);
        const Column* from = std::lower_bound(here, there, static_cast<Column>(range.begin));
        for (const Column* a = from; a < there && *a < range.end; ++a) {
            double* column = H + static_cast<Index>(*a) * d;
            const double scale = weight * label(i) * values_[a - indices_] * label(i);
            for (const Column* b = a; b < there; ++b) column[*b] += scale * values_[b - indices_];
        }
    }

    void scatter(Selection some) {
        for (Index k = 0; k < count(some); ++k) {
            const Index i = some[k];
            for (Index e = begin(i); e < end(i); ++e) {
                scattered_[indices_[e] * scattered_samples + k] = label(i) * values_[e];
            }
        }
    }

    void unscatter(Selection some) {
        for (Index i : some) {
            for (Index e = begin(i); e < end(i); ++e) {
                std::fill_n(scattered_.data() + indices_[e] * scattered_samples, scattered_samples,
                            0.0);
            }
        }
    }

    // out[k * stride] = z_i'z_k for the scattered samples k
    void kernel_column(Index i, Index width, double* out, Index stride) const {
        double sums[scattered_samples] = {};
        for (Index e = begin(i); e < end(i); ++e) {
            const double* lanes = scattered_.data() + indices_[e] * scattered_samples;
            const double value = values_[e];
            for (Index k = 0; k < scattered_samples; ++k) sums[k] += value * lanes[k];
        }
        for (Index k = 0; k < width; ++k) out[k * stride] = label(i) * sums[k];
    }

    const T* values_;
    const Column* indices_;
    const Offset* offsets_;
    Compressed<T, Column> owned_;
    std::span<const double> labels_;
    ChunkedSum sum_;
    std::vector<double> scattered_;
    double outer_cost_ = 0;
};

template <class T, class Line, class Offset>
Compressed<T, Line> by_rows(const SparseView& X, const linalg::Execution& execution) {
    const auto* values = static_cast<const T*>(X.values);
    const auto* indices = static_cast<const Line*>(X.indices);
    const auto* offsets = static_cast<const Offset*>(X.offsets);
    const auto total = static_cast<std::size_t>(offsets[X.cols]);
    Compressed<T, Line> rows{std::vector<T>(total), std::vector<Line>(total),
                             std::vector<Index>(static_cast<std::size_t>(X.rows) + 1, 0)};
    for (std::size_t e = 0; e < total; ++e) ++rows.offsets[indices[e] + 1];
    for (Index i = 0; i < X.rows; ++i) rows.offsets[i + 1] += rows.offsets[i];
    std::vector<Index> next(rows.offsets.begin(), rows.offsets.end() - 1);
    linalg::Poll poll(execution);
    for (Index j = 0; j < X.cols; ++j) {
        if (poll.stops_after(1 + static_cast<double>(offsets[j + 1] - offsets[j])))
            throw linalg::Cancelled();
        for (auto e = offsets[j]; e < offsets[j + 1]; ++e) {
            const Index place = next[indices[e]]++;
            rows.values[place] = values[e];
            rows.indices[place] = static_cast<Line>(j);
        }
    }
    return rows;
}

template <class T, class Line, class Offset>
std::unique_ptr<Rows> make(const SparseView& X, std::span<const double> labels,
                           const linalg::Execution& execution) {
    if (X.compression == Compression::columns) {
        return std::make_unique<SparseRows<T, Line, Index>>(
            X, by_rows<T, Line, Offset>(X, execution), labels, execution);
    }
    return std::make_unique<SparseRows<T, Line, Offset>>(X, labels, execution);
}

template <class T, class Line>
std::unique_ptr<Rows> of_offset(const SparseView& X, std::span<const double> labels,
                                const linalg::Execution& execution) {
    if (X.offset_width == IndexWidth::int32)
        return make<T, Line, std::int32_t>(X, labels, execution);
    return make<T, Line, std::int64_t>(X, labels, execution);
}

template <class T>
std::unique_ptr<Rows> of_index(const SparseView& X, std::span<const double> labels,
                               const linalg::Execution& execution) {
    if (X.index_width == IndexWidth::int32) return of_offset<T, std::int32_t>(X, labels, execution);
    return of_offset<T, std::int64_t>(X, labels, execution);
}

}  // namespace

std::unique_ptr<Rows> make_sparse_rows(const SparseView& X, std::span<const double> labels,
                                       const linalg::Execution& execution) {
    if (X.scalar == Scalar::float64) return of_index<double>(X, labels, execution);
    return of_index<float>(X, labels, execution);
}

std::unique_ptr<Rows> make_rows(const MatrixView& X, std::span<const double> labels,
                                const linalg::Execution& execution) {
    if (const auto* dense = std::get_if<DenseView>(&X)) {
        return make_dense_rows(*dense, labels, execution);
    }
    return make_sparse_rows(std::get<SparseView>(X), labels, execution);
}

}  // namespace sven::svm
