// Dense row-major X, of doubles or floats.

#include <array>
#include <limits>

#include "linalg/dense_design.hpp"
#include "linalg/tuning.hpp"

namespace sven::linalg {
namespace {

template <class T>
class RowMajorDesign final : public Design {
  public:
    explicit RowMajorDesign(const DenseView& X)
        : Design(X.rows, X.cols), data_(static_cast<const T*>(X.data)), stride_(X.stride) {}

    void correlate(const Panel& Q, const Execution& execution,
                   const TileConsumer& consume) const override {
        constexpr Index width = chunk;
        const Index tiles = (cols() + width - 1) / width;
        const Team team = execution.team_for(entries() * static_cast<double>(Q.stride()));
        parallel_for(execution, team, tiles, [&](Index t) {
            const Index begin = t * width;
            const Index count = std::min(width, cols() - begin);
            Buffer<double> tile(count * Q.stride());
            std::fill_n(tile.data(), count * Q.stride(), 0.0);
            const double* shifts = shift_of(shift_, begin, count);
            for (Index i = 0; i < rows(); i += row_major_poll_rows) {
                const Index length = std::min(row_major_poll_rows, rows() - i);
                for (Index lane = 0; lane < Q.stride(); lane += lane_group) {
                    if (execution.is_cancelled()) return;
                    (kernels().*Loops<T>::correlate_rows)(data_ + i * stride_ + begin, stride_,
                                                          count, shifts, length, Q.row(i) + lane,
                                                          Q.stride(), tile.data() + lane);
                }
            }
            consume(begin, count, tile.data());
        });
    }

    void correlate_some(std::span<const Index> columns, std::span<const double> q,
                        const Execution& execution, double* out) const override {
        const auto count = static_cast<Index>(columns.size());
        const double work = strided_cost * static_cast<double>(count) * static_cast<double>(rows());
        parallel_pieces(execution, work, count, row_major_columns, [&](Index begin, Index end) {
            std::fill_n(out + begin, end - begin, 0.0);
            Poll poll(execution);
            const auto add = [&]<Index Rows>(Index i) {
                for (Index c = begin; c < end; ++c)
                    out[c] = add_product<Rows>(columns[c], i, q, out[c]);
                return poll.stops_after(strided_cost * static_cast<double>(Rows * (end - begin)));
            };
            Index i = 0;
            for (; i + row_major_together <= rows(); i += row_major_together)
                if (add.template operator()<row_major_together>(i)) return;
            for (; i < rows(); ++i)
                if (add.template operator()<1>(i)) return;
        });
    }

    void gather(std::span<const Index> columns, const Execution& execution, double* out,
                Index stride) const override {
        const auto count = static_cast<Index>(columns.size());
        const double work = strided_cost * static_cast<double>(count) * static_cast<double>(rows());
        parallel_pieces(execution, work, rows(), row_share, [&](Index begin, Index end) {
            Poll poll(execution);
            for (Index i = begin; i < end; ++i) {
                if (poll.stops_after(work / static_cast<double>(rows()))) return;
                const T* x = data_ + i * stride_;
                for (Index c = 0; c < count; ++c) {
                    const Index j = columns[c];
                    out[c * stride + i] = x[j] - (shift_.empty() ? 0 : shift_[j]);
                }
            }
        });
    }

    void multiply(std::span<const Index> columns, std::span<const double> values,
                  const Execution& execution, double* out) const override {
        const double work = 2.0 * static_cast<double>(columns.size()) * static_cast<double>(rows());
        parallel_pieces(execution, work, rows(), row_share, [&](Index begin, Index end) {
            Poll poll(execution);
            for (Index i = begin; i < end; ++i) {
                if (poll.stops_after(work / static_cast<double>(rows()))) return;
                const T* x = data_ + i * stride_;
                double sum = 0;
                for (std::size_t c = 0; c < columns.size(); ++c) {
                    const Index j = columns[c];
                    sum += (x[j] - (shift_.empty() ? 0 : shift_[j])) * values[c];
                }
                out[i] = sum;
            }
        });
    }

    ColumnMoments moments(RowWeights weights, std::span<const double> v,
                          const Execution& execution) const override {
        ColumnMoments m = make_moments(cols());
        const Team team = execution.team_for(entries() * moment_operations);
        parallel_for(execution, team, (cols() + chunk - 1) / chunk,
                     [&](Index t) { moments_of_chunk(weights, v, t * chunk, execution, m); });
        return m;
    }

    void pack_rows(Index begin, Index end, std::span<const double> centre,
                   const double* row_factors, double* panels) const override {
        const Index n = end - begin;
        for (Index i = 0; i < n; ++i) {
            const T* x = data_ + (begin + i) * stride_;
            const double factor = row_factors == nullptr ? 1 : row_factors[i];
            for (Index j = 0; j < cols(); j += gram_width) {
                double* panel = panels + (j / gram_width) * n * gram_width + i * gram_width;
                const Index width = std::min(gram_width, cols() - j);
                for (Index k = 0; k < width; ++k) panel[k] = (x[j + k] - centre[j + k]) * factor;
            }
        }
    }

  private:
    static constexpr Index chunk = row_major_chunk;
    static constexpr auto line = static_cast<Index>(64 / sizeof(T));

    // sum + x_j'q over a few rows from `i` on, which are a cache line each.
    template <Index Rows>
    double add_product(Index j, Index i, std::span<const double> q, double sum) const {
        const T* x = data_ + i * stride_ + j;
        const double shift = shift_.empty() ? 0 : shift_[j];
        for (Index r = 0; r < Rows; ++r) sum += (x[r * stride_] - shift) * q[i + r];
        return sum;
    }

    struct ChunkSums {
        std::array<double, chunk> centre{}, first{}, second{}, mixed{}, low{}, high{};
    };

    void moments_of_chunk(RowWeights weights, std::span<const double> v, Index begin,
                          const Execution& execution, ColumnMoments& m) const {
        ChunkSums s;
        const Index count = std::min(chunk, cols() - begin);
        const double total = total_weight({}, weights, rows());
        // The first pass computes the means, the second the sums about them.
        accumulate(weights, v, begin, true, execution, s);
        for (Index c = 0; c < count; ++c) {
            const Index j = begin + c;
            m.is_constant[j] = s.low[c] == s.high[c];
            m.mean[j] = m.is_constant[j] ? s.low[c] : s.first[c] / total;
            s.centre[c] = m.mean[j];
        }
        accumulate(weights, v, begin, false, execution, s);
        for (Index c = 0; c < count; ++c) {
            m.centred_sum[begin + c] = s.first[c];
            m.squares[begin + c] = s.second[c];
            m.products[begin + c] = s.mixed[c];
        }
    }

    void accumulate(RowWeights weights, std::span<const double> v, Index begin, bool with_bounds,
                    const Execution& execution, ChunkSums& s) const {
        const Index count = std::min(chunk, cols() - begin);
        s.first.fill(0);
        s.second.fill(0);
        s.mixed.fill(0);
        ColumnSums sums{s.centre.data(), s.first.data(), s.second.data(),
                        s.mixed.data(),  nullptr,        nullptr};
        if (with_bounds) {
            s.low.fill(std::numeric_limits<double>::infinity());
            s.high.fill(-std::numeric_limits<double>::infinity());
            sums.low = s.low.data();
            sums.high = s.high.data();
        }
        for (Index i = 0; i < rows(); ++i) {
            if (i % row_major_poll_rows == 0 && execution.is_cancelled()) return;
            const T* x = data_ + i * stride_ + begin;
            if (i + row_major_ahead < rows())
                for (Index c = 0; c < count; c += line)
                    __builtin_prefetch(x + row_major_ahead * stride_ + c);
            (kernels().*Loops<T>::add_moments)(x, count, weights.empty() ? 1 : weights[i], v[i],
                                               sums);
        }
    }

    const T* data_;
    Index stride_;
};

}  // namespace

std::unique_ptr<Design> make_row_major_design(const DenseView& X) {
    if (X.scalar == Scalar::float64) return std::make_unique<RowMajorDesign<double>>(X);
    if (X.scalar == Scalar::int8) return std::make_unique<RowMajorDesign<std::int8_t>>(X);
    return std::make_unique<RowMajorDesign<float>>(X);
}

}  // namespace sven::linalg
