// Dense column-major X, of doubles, floats or bytes.

#include "linalg/dense_design.hpp"

#include <array>

#include "linalg/tuning.hpp"

namespace sven::linalg {
namespace {

// Rows of Q that stay in the cache while many columns pass by.
Index row_block(Index stride) {
    return std::max(fewest_panel_rows, panel_block_entries / stride);
}

// Whether all entries of positive weight are equal; the mean is then set to their value.
template <class T>
bool is_constant(const T* x, const double* w, Index n, double& mean) {
    Index first = 0;
    while (w != nullptr && first < n && w[first] == 0) ++first;
    for (Index i = first; i < n; ++i)
        if (x[i] != x[first] && (w == nullptr || w[i] != 0)) return false;
    mean = x[first];
    return true;
}

template <class T>
class ColumnMajorDesign final : public Design {
  public:
    explicit ColumnMajorDesign(const DenseView& X)
        : Design(X.rows, X.cols), data_(static_cast<const T*>(X.data)), stride_(X.stride) {}

    void correlate(const Panel& Q, const Execution& execution,
                   const TileConsumer& consume) const override {
        const Index tiles = (cols() + tile_columns - 1) / tile_columns;
        const Team team = execution.team_for(entries() * static_cast<double>(Q.stride()));
        parallel_for(execution, team, tiles,
                     [&](Index t) { correlate_tile(Q, t * tile_columns, execution, consume); });
    }

    void correlate_some(std::span<const Index> columns, std::span<const double> q,
                        const Execution& execution, double* out) const override {
        const auto count = static_cast<Index>(columns.size());
        const double work = 2.0 * static_cast<double>(count) * static_cast<double>(rows());
        constexpr Index group = dot_columns;
        parallel_pieces(execution, work, count, group, [&](Index begin, Index end) {
            std::array<const T*, group> x{};
            std::array<double, group> origin{}, part{};
            for (Index c = begin; c < end; c += group) {
                const Index width = std::min(group, end - c);
                const double* shifts = nullptr;
                if (!shift_.empty()) {
                    for (Index k = 0; k < width; ++k) origin[k] = shift_[columns[c + k]];
                    shifts = shift_of(origin, 0, width);
                }
                std::fill_n(out + c, width, 0.0);
                for (Index i = 0; i < rows() && !execution.is_cancelled(); i += dot_rows) {
                    const Index length = std::min(dot_rows, rows() - i);
                    for (Index k = 0; k < width; ++k) x[k] = column(columns[c + k]) + i;
                    (kernels().*Loops<T>::dot)(x.data(), width, shifts, length, q.data() + i,
                                               part.data());
                    for (Index k = 0; k < width; ++k) out[c + k] += part[k];
                }
            }
        });
    }

    void gather(std::span<const Index> columns, const Execution& execution, double* out,
                Index stride) const override {
        const auto count = static_cast<Index>(columns.size());
        const double work = static_cast<double>(count) * static_cast<double>(rows());
        parallel_pieces(execution, work, count, 1, [&](Index begin, Index end) {
            for (Index c = begin; c < end; ++c) {
                const T* x = column(columns[c]);
                const double origin = shift_.empty() ? 0 : shift_[columns[c]];
                for (Index i = 0; i < rows(); ++i) out[c * stride + i] = x[i] - origin;
            }
        });
    }

    void multiply(std::span<const Index> columns, std::span<const double> values,
                  const Execution& execution, double* out) const override {
        const double work = 2.0 * static_cast<double>(columns.size()) * static_cast<double>(rows());
        parallel_pieces(execution, work, rows(), combined_rows, [&](Index begin, Index end) {
            std::fill(out + begin, out + end, 0.0);
            for (Index block = begin; block < end; block += combined_rows) {
                const Index last = std::min(end, block + combined_rows);
                Poll poll(execution);  // many columns take long
                for (std::size_t c = 0; c < columns.size(); ++c) {
                    if (poll.stops_after(combined_rows)) return;
                    const T* x = column(columns[c]);
                    const double origin = shift_.empty() ? 0 : shift_[columns[c]];
                    for (Index i = block; i < last; ++i) out[i] += (x[i] - origin) * values[c];
                }
            }
        });
    }

    ColumnMoments moments(RowWeights weights, std::span<const double> v,
                          const Execution& execution) const override {
        return only_moments(weights, v, execution);
    }

    Index moments_of(std::span<const MomentRequest> requests, const Execution& execution,
                     std::span<ColumnMoments> out) const override {
        std::vector<double> totals;
        for (std::size_t k = 0; k < requests.size(); ++k) {
            out[k] = make_moments(cols());
            totals.push_back(total_weight(execution, requests[k].weights, rows()));
        }
        const Team team = execution.team_for(entries() * moment_operations *
                                             static_cast<double>(requests.size()));
        constexpr Index group = moment_columns;
        parallel_for(execution, team, (cols() + group - 1) / group, [&](Index g) {
            for (Index j = g * group; j < std::min(cols(), (g + 1) * group); ++j)
                for (std::size_t k = 0; k < requests.size(); ++k) {
                    if (execution.is_cancelled()) return;
                    find_moments(requests[k], totals[k], j, out[k]);
                }
        });
        return 1;
    }

    void pack_rows(Index begin, Index end, std::span<const double> centre,
                   const double* row_factors, double* panels) const override {
        const Index n = end - begin;
        std::array<const T*, gram_width> x{};
        for (Index j = 0; j < cols(); j += gram_width) {
            const Index width = std::min(gram_width, cols() - j);
            for (Index c = 0; c < width; ++c) x[c] = column(j + c) + begin;
            (kernels().*Loops<T>::pack)(x.data(), width, centre.data() + j, n, row_factors,
                                        panels + j * n);
        }
    }

    Ahead rows_ahead(Index begin, Index end) const override {
        const auto bytes = static_cast<Index>(sizeof(T));
        const Index run = ((end - begin) * bytes + Ahead::line - 1) / Ahead::line;
        return {reinterpret_cast<const char*>(column(0) + begin), run,
                stride_ * bytes - run * Ahead::line, run * cols(), 0};
    }

  private:
    const T* column(Index j) const { return data_ + j * stride_; }
    bool is_large() const {
        return rows() * cols() * static_cast<Index>(sizeof(T)) >= fetched_design_bytes;
    }

    void find_moments(const MomentRequest& request, double total, Index j, ColumnMoments& m) const {
        const double* w = request.weights.empty() ? nullptr : request.weights.data();
        std::array<double, 3> s{};
        m.mean[j] = (kernels().*Loops<T>::sum)(column(j), w, rows()) / total;
        m.is_constant[j] = is_constant(column(j), w, rows(), m.mean[j]);
        (kernels().*Loops<T>::centred_sums)(column(j), w, request.v.data(), m.mean[j], rows(),
                                            s.data());
        m.centred_sum[j] = s[0];
        m.squares[j] = s[1];
        m.products[j] = s[2];
    }

    // What is read after the rows before `row` of the tile at `begin`: its first columns from there
    // on, or from their beginning those of the tile that follows. Returns how many.
    Index put_next(Index begin, Index row, const T** x) const {
        const bool is_done = row >= rows();
        const Index first = is_done ? begin + tile_columns : begin;
        const Index count = std::clamp(cols() - first, Index{0}, fetched_columns);
        for (Index c = 0; c < count; ++c) x[c] = column(first + c) + (is_done ? 0 : row);
        return count;
    }

    void correlate_tile(const Panel& Q, Index begin, const Execution& execution,
                        const TileConsumer& consume) const {
        const Index count = std::min(tile_columns, cols() - begin);
        const Index last_group = std::max(count / fetched_columns - 1, Index{0}) * fetched_columns;
        std::array<const T*, tile_columns + fetched_columns> x{};
        alignas(64) std::array<double, tile_columns * lane_group> fixed;
        Buffer<double> large;
        double* tile = fixed.data();
        if (Q.stride() > lane_group) {
            large.reserve(tile_columns * Q.stride());
            tile = large.data();
        }
        std::fill_n(tile, count * Q.stride(), 0.0);
        const double* shifts = shift_of(shift_, begin, count);
        const Index block = row_block(Q.stride());
        for (Index i = 0; i < rows(); i += block) {
            const Index length = std::min(block, rows() - i);
            for (Index c = 0; c < count; ++c) x[c] = column(begin + c) + i;
            const Index next = put_next(begin, i + block, x.data() + count);
            for (Index lane = 0; lane < Q.stride(); lane += lane_group) {
                if (execution.is_cancelled()) return;
                const auto multiply = [&](Index first, Index end, Index fetched) {
                    (kernels().*Loops<T>::correlate)(
                        x.data() + first, end - first, is_large() ? fetched - first : 0,
                        shifts == nullptr ? nullptr : shifts + first, length, Q.row(i) + lane,
                        Q.stride(), tile + first * Q.stride() + lane);
                };
                // Once: the first lanes bring the columns that the others find in the cache, and
                // the last ones what is read after them.
                const bool is_last = lane + lane_group >= Q.stride();
                multiply(0, is_last ? last_group : count, lane == 0 ? count : 0);
                if (is_last) multiply(last_group, count, count + next);
            }
        }
        consume(begin, count, tile);
    }

    const T* data_;
    Index stride_;
};

}  // namespace

std::unique_ptr<Design> make_dense_design(const DenseView& X) {
    if (X.layout == Layout::row_major) return make_row_major_design(X);
    if (X.scalar == Scalar::float64) return std::make_unique<ColumnMajorDesign<double>>(X);
    if (X.scalar == Scalar::int8) return std::make_unique<ColumnMajorDesign<std::int8_t>>(X);
    return std::make_unique<ColumnMajorDesign<float>>(X);
}

}  // namespace sven::linalg
