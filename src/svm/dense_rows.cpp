// Samples in a dense matrix of either layout and precision. Matrix products take tiles of
// samples, which are gathered, converted to double and multiplied by their factor.

#include <algorithm>
#include <cmath>

#include "linalg/buffer.hpp"
#include "linalg/dense.hpp"
#include "svm/chunked_sum.hpp"
#include "svm/rows.hpp"
#include "svm/tuning.hpp"

namespace sven::svm {
namespace {

template <Layout Order>
constexpr Index row_grain = Order == Layout::row_major ? row_major_samples : column_major_samples;

double dot(const double* x, const double* w, Index n) {
    return linalg::dot(n, x, w);
}

double dot(const float* x, const double* w, Index n) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (Index j = 0; j < n; ++j) sum += static_cast<double>(x[j]) * w[j];
    return sum;
}

template <class T, Layout Order>
class DenseRows final : public Rows {
  public:
    DenseRows(const DenseView& X, std::span<const double> labels,
              const linalg::Execution& execution)
        : Rows(X.rows, X.cols, execution),
          data_(static_cast<const T*>(X.data)),
          stride_(X.stride),
          labels_(labels),
          sum_(Order == Layout::row_major ? X.cols : 0),
          tile_(std::clamp(sample_tile_entries / std::max<Index>(1, X.cols), fewest_tile_samples,
                           most_tile_samples)),
          tiles_(tile_ * X.cols * (execution.threads + 1)) {}

    double entries() const override {
        return static_cast<double>(samples()) * static_cast<double>(features());
    }
    double outer_cost() const override { return entries() * static_cast<double>(features()); }

    void times(Selection selection, const double* w, double* out) override {
        constexpr Index grain = row_grain<Order>;
        const auto some = [&](Index begin, Index end) {
            for (Index first = begin; first < end; first += grain) {
                const Index length = std::min(grain, end - first);
                times_some(selection.subspan(first, length), w, out + first);
            }
        };
        linalg::parallel_pieces(execution(), work(selection), count(selection), grain, some);
    }

    void transposed_times(Selection selection, const double* v, double* out) override {
        transposed(selection, v, out, [](double x) { return x; });
    }

    void transposed_squares_times(Selection selection, const double* v, double* out) override {
        transposed(selection, v, out, [](double x) { return x * x; });
    }

    void subtract_products(Selection selection, const double* w, CarefulSums sums) override {
        constexpr Index grain = row_grain<Order>;
        const auto some = [&](Index begin, Index end) {
            for (Index first = begin; first < end; first += grain) {
                const Index last = std::min(end, first + grain);
                subtract_some(selection, {first, last}, w, sums);
            }
        };
        linalg::parallel_pieces(execution(), work(selection), count(selection), grain, some);
    }

    void subtract_combination(Selection selection, const double* v, CarefulSums sums) override {
        const auto columns = [&](Index begin, Index end) {
            linalg::Poll poll(execution());
            for (Index first = 0; first < count(selection); first += combined_samples) {
                const Index length = std::min(combined_samples, count(selection) - first);
                if (poll.stops_after(static_cast<double>(length * (end - begin)))) return;
                subtract_some(selection.subspan(first, length), v + first, {begin, end}, sums);
            }
        };
        linalg::parallel_ranges(execution().team_for(work(selection)), features(), line_doubles,
                                columns);
        execution().check();
    }

    void copy_sample(Index i, double* out, Index stride) override {
        const T* row = data_ + i * (Order == Layout::row_major ? stride_ : 1);
        const Index step = Order == Layout::row_major ? 1 : stride_;
        for (Index j = 0; j < features(); ++j) out[j * stride] = label(i) * row[j * step];
    }

    void add_outer_products(Selection selection, const double* v, double sign, double* H) override {
        const Index d = features();
        for (Index first = 0; first < count(selection); first += tile_) {
            const Selection some =
                selection.subspan(first, std::min(tile_, count(selection) - first));
            double* tile = tiles_.data();
            gather(
                some, [&](Index k) { return std::sqrt(v[first + k]) * label(some[k]); }, tile);
            const double flops = static_cast<double>(d * d * count(some));
            const Index panels = (d + outer_columns - 1) / outer_columns;
            linalg::parallel_for(
                execution(), execution().team_for(flops), panels, [&](Index panel) {
                    const Index j = panel * outer_columns;
                    const Index width = std::min(outer_columns, d - j);
                    linalg::multiply<double>(
                        {d - j, width, count(some), sign, linalg::by_columns<double>(tile + j, d),
                         linalg::by_rows<double>(tile + j, d), H + j + j * d, d});
                });
        }
    }

    void kernel(Selection selection, Selection others, double* K, Index stride) override {
        const Index d = features();
        for (Index first = 0; first < count(selection); first += tile_) {
            const Selection some =
                selection.subspan(first, std::min(tile_, count(selection) - first));
            const double* tile = tiles_.data();
            gather(
                some, [&](Index k) { return label(some[k]); }, tiles_.data());
            const double flops = work(others) * static_cast<double>(count(some));
            const Index steps = (count(others) + tile_ - 1) / tile_;
            linalg::parallel_for(
                execution(), execution().team_for(flops), steps, [&](Index step, int member) {
                    const Index l = step * tile_;
                    const Selection there = others.subspan(l, std::min(tile_, count(others) - l));
                    double* other = tiles_.data() + (1 + member) * tile_ * d;
                    gather(
                        there, [&](Index k) { return label(there[k]); }, other);
                    linalg::assign<double>(
                        {count(there), count(some), d, 1, linalg::by_rows<double>(other, d),
                         linalg::by_columns(tile, d), K + l + first * stride, stride});
                });
        }
    }

  private:
    struct Range {
        Index begin;
        Index end;
    };

    static Index count(Selection selection) { return static_cast<Index>(selection.size()); }
    double work(Selection selection) const {
        return 2.0 * static_cast<double>(count(selection)) * static_cast<double>(features());
    }
    double label(Index i) const { return labels_.empty() ? 1 : labels_[i]; }

    void times_some(Selection some, const double* w, double* out) const {
        if constexpr (Order == Layout::row_major) {
            for (Index k = 0; k < count(some); ++k) {
                out[k] = label(some[k]) * dot(data_ + some[k] * stride_, w, features());
            }
        } else {
            std::fill_n(out, count(some), 0.0);
            for (Index j = 0; j < features(); ++j) {
                const T* column = data_ + j * stride_;
                for (Index k = 0; k < count(some); ++k) out[k] += w[j] * column[some[k]];
            }
            for (Index k = 0; k < count(some); ++k) out[k] *= label(some[k]);
        }
    }

    // Of the samples in `range` of the selection.
    void subtract_some(Selection selection, Range range, const double* w, CarefulSums sums) const {
        if constexpr (Order == Layout::row_major) {
            for (Index k = range.begin; k < range.end; ++k) {
                const T* row = data_ + selection[k] * stride_;
                const double z = -label(selection[k]);
                CarefulSum sum = sums.get(k);
                sum.add_terms(features(), [&](Index j) { return z * row[j] * w[j]; });
                sums.set(k, sum);
            }
        } else {
            sums.add_terms(range.begin, range.end, features(), [&](Index j) {
                const T* column = data_ + j * stride_;
                return [this, selection, column, wj = -w[j]](Index k) {
                    return label(selection[k]) * column[selection[k]] * wj;
                };
            });
        }
    }

    // Of the features in `range`.
    void subtract_some(Selection some, const double* v, Range range, CarefulSums sums) const {
        if constexpr (Order == Layout::row_major) {
            sums.add_terms(range.begin, range.end, count(some), [&](Index k) {
                const T* row = data_ + some[k] * stride_;
                return [row, z = -v[k] * label(some[k])](Index j) { return z * row[j]; };
            });
        } else {
            for (Index j = range.begin; j < range.end; ++j) {
                const T* column = data_ + j * stride_;
                CarefulSum sum = sums.get(j);
                sum.add_terms(count(some),
                              [&](Index k) { return -v[k] * label(some[k]) * column[some[k]]; });
                sums.set(j, sum);
            }
        }
    }

    // out[j] = sum_k v[k] f(z_ij)
    template <class Function>
    void transposed(Selection selection, const double* v, double* out, const Function& f) {
        const Index d = features();
        if constexpr (Order == Layout::row_major) {
            sum_.run(execution(), count(selection), work(selection), out,
                     [&](Index begin, Index end, double* target) {
                         for (Index k = begin; k < end; ++k) {
                             const T* row = data_ + selection[k] * stride_;
                             const double z = label(selection[k]);
                             for (Index j = 0; j < d; ++j) target[j] += v[k] * f(z * row[j]);
                         }
                     });
        } else {
            const linalg::Team team = execution().team_for(work(selection));
            linalg::parallel_for(execution(), team, d, [&](Index j) {
                const T* column = data_ + j * stride_;
                double sum = 0;
                for (Index k = 0; k < count(selection); ++k) {
                    sum += v[k] * f(label(selection[k]) * column[selection[k]]);
                }
                out[j] = sum;
            });
        }
    }

    // Column k of tile (features() long) = factor(k) x_i, i = some[k]
    template <class Factor>
    void gather(Selection some, const Factor& factor, double* tile) const {
        const Index d = features();
        for (Index k = 0; k < count(some); ++k) {
            const double scale = factor(k);
            double* column = tile + k * d;
            const T* row = data_ + some[k] * (Order == Layout::row_major ? stride_ : 1);
            const Index step = Order == Layout::row_major ? 1 : stride_;
            for (Index j = 0; j < d; ++j) column[j] = scale * row[j * step];
        }
    }

    const T* data_;
    Index stride_;
    std::span<const double> labels_;
    ChunkedSum sum_;
    Index tile_;
    linalg::Buffer<double> tiles_;  // one shared, one for each thread
};

template <class T>
std::unique_ptr<Rows> of_scalar(const DenseView& X, std::span<const double> labels,
                                const linalg::Execution& execution) {
    if (X.layout == Layout::row_major)
        return std::make_unique<DenseRows<T, Layout::row_major>>(X, labels, execution);
    return std::make_unique<DenseRows<T, Layout::column_major>>(X, labels, execution);
}

}  // namespace

std::unique_ptr<Rows> make_dense_rows(const DenseView& X, std::span<const double> labels,
                                      const linalg::Execution& execution) {
    return X.scalar == Scalar::float64 ? of_scalar<double>(X, labels, execution)
                                       : of_scalar<float>(X, labels, execution);
}

}  // namespace sven::svm
