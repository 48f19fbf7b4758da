// A user-defined X (sven/custom_matrix.hpp). Operations that it does not implement, and those on
// shifted columns, run over blocks of entries from its read().

#include <array>
#include <numeric>

#include "linalg/dense_design.hpp"
#include "linalg/remote_design.hpp"
#include "linalg/row_moments.hpp"
#include "linalg/streamed_design.hpp"
#include "linalg/tuning.hpp"

namespace sven::linalg {
namespace {

constexpr Index block_columns = tile_columns;
constexpr Index block_rows = custom_block_rows;

class CustomDesign final : public Design {
    using Rows = CustomMatrix::Rows;
    using Vectors = CustomMatrix::Vectors;

  public:
    explicit CustomDesign(SharedMatrix X)
        : Design(X->rows(), X->cols()), X_(std::move(X)), all_(static_cast<std::size_t>(cols())) {
        std::iota(all_.begin(), all_.end(), Index{0});
    }

    double entries() const override { return X_->entries(); }

    void correlate(const Panel& Q, const Execution& execution,
                   const TileConsumer& consume) const override {
        const Index tiles = (cols() + block_columns - 1) / block_columns;
        const Team team = execution.team_for(entries() * static_cast<double>(Q.stride()));
        parallel_for(execution, team, tiles, [&](Index t) {
            const std::span<const Index> columns = block_of_columns(all_, t * block_columns);
            const auto count = static_cast<Index>(columns.size());
            Buffer<double> tile(count * Q.stride());
            if (add_up(columns, {Q.row(0), Q.stride()}, execution, tile.data()))
                consume(t * block_columns, count, tile.data());
        });
    }

    void correlate_some(std::span<const Index> columns, std::span<const double> q,
                        const Execution& execution, double* out) const override {
        correlate_vectors(columns, {q.data(), 1}, execution, out);
    }

    void correlate_list(std::span<const Index> columns, const Panel& Q, const Execution& execution,
                        double* out) const override {
        correlate_vectors(columns, {Q.row(0), Q.stride()}, execution, out);
    }

    void gather(std::span<const Index> columns, const Execution& execution, double* out,
                Index stride) const override {
        const auto count = static_cast<Index>(columns.size());
        parallel_pieces(execution, work_of(count), count, 1, [&](Index begin, Index end) {
            X_->read({0, rows()}, columns.subspan(begin, end - begin), out + begin * stride,
                     stride);
            for (Index c = begin; c < end && !shift_.empty(); ++c)
                for (Index i = 0; i < rows(); ++i) out[c * stride + i] -= shift_[columns[c]];
        });
    }

    void multiply(std::span<const Index> columns, std::span<const double> values,
                  const Execution& execution, double* out) const override {
        const double work = 2 * work_of(static_cast<Index>(columns.size()));
        const bool is_shifted = has_shift(columns);
        parallel_pieces(execution, work, rows(), block_rows, [&](Index begin, Index end) {
            if (!is_shifted && X_->multiply({begin, end}, columns, values, out + begin)) return;
            std::fill(out + begin, out + end, 0.0);
            for (std::size_t c = 0; c < columns.size(); c += block_columns)
                add_columns(block_of_columns(columns, static_cast<Index>(c)), values.subspan(c),
                            {begin, end}, execution, out);
        });
    }

    ColumnMoments moments(RowWeights weights, std::span<const double> v,
                          const Execution& execution) const override {
        ColumnMoments m = make_moments(cols());
        const Team team = execution.team_for(entries() * moment_operations);
        const Index groups = (cols() + block_columns - 1) / block_columns;
        parallel_for(execution, team, groups, [&](Index g) {
            const std::span<const Index> columns = block_of_columns(all_, g * block_columns);
            find_moments(columns, weights, v, execution, m);
        });
        return m;
    }

    void pack_rows(Index begin, Index end, std::span<const double> centre,
                   const double* row_factors, double* panels) const override {
        const Index n = end - begin;
        Buffer<double> block(n * block_columns);
        for (Index first = 0; first < cols(); first += block_columns) {
            const std::span<const Index> columns = block_of_columns(all_, first);
            const auto count = static_cast<Index>(columns.size());
            X_->read({begin, end}, columns, block.data(), n);
            const ColumnPointers x = columns_of(block.data(), n, count);
            for (Index c = 0; c < count; c += gram_width)
                kernels().pack_f64(x.data() + c, std::min(gram_width, count - c),
                                   centre.data() + first + c, n, row_factors,
                                   panels + (first + c) * n);
        }
    }

  private:
    using ColumnPointers = std::array<const double*, block_columns>;

    static std::span<const Index> block_of_columns(std::span<const Index> columns, Index begin) {
        const auto first = static_cast<std::size_t>(begin);
        return columns.subspan(
            first, std::min(static_cast<std::size_t>(block_columns), columns.size() - first));
    }
    static ColumnPointers columns_of(const double* block, Index length, Index count) {
        ColumnPointers x{};
        for (Index c = 0; c < count; ++c) x[c] = block + c * length;
        return x;
    }

    double work_of(Index count) const {
        return entries() / static_cast<double>(std::max<Index>(1, cols())) *
               static_cast<double>(count);
    }
    bool has_shift(std::span<const Index> columns) const {
        return !shift_.empty() &&
               std::any_of(columns.begin(), columns.end(), [&](Index j) { return shift_[j] != 0; });
    }

    // Calls body(first row, number of rows, entries) for blocks of rows of some columns, at most
    // block_columns of them. False if cancelled.
    template <class Body>
    bool for_blocks(std::span<const Index> columns, Rows range, const Execution& execution,
                    const Body& body) const {
        const Index height = std::min(block_rows, range.end - range.begin);
        Buffer<double> block(height * static_cast<Index>(columns.size()));
        for (Index i = range.begin; i < range.end; i += height) {
            if (execution.is_cancelled()) return false;
            const Index length = std::min(height, range.end - i);
            X_->read({i, i + length}, columns, block.data(), length);
            body(i, length, columns_of(block.data(), length, static_cast<Index>(columns.size())));
        }
        return true;
    }

    void correlate_vectors(std::span<const Index> columns, Vectors q, const Execution& execution,
                           double* out) const {
        const auto count = static_cast<Index>(columns.size());
        const double work = 2 * work_of(count) * static_cast<double>(q.count);
        parallel_pieces(execution, work, count, dot_columns, [&](Index begin, Index end) {
            add_up(columns.subspan(begin, end - begin), q, execution, out + begin * q.count);
        });
    }

    // out = (x_j - shift_j)'q of some columns. False if cancelled.
    bool add_up(std::span<const Index> columns, Vectors q, const Execution& execution,
                double* out) const {
        if (!has_shift(columns) && X_->correlate(columns, q, out)) return true;
        std::fill_n(out, static_cast<Index>(columns.size()) * q.count, 0.0);
        for (std::size_t c = 0; c < columns.size(); c += block_columns) {
            const std::span<const Index> some = block_of_columns(columns, static_cast<Index>(c));
            double* target = out + static_cast<Index>(c) * q.count;
            if (!add_up_block(some, q, execution, target)) return false;
        }
        return true;
    }

    bool add_up_block(std::span<const Index> columns, Vectors q, const Execution& execution,
                      double* out) const {
        const auto count = static_cast<Index>(columns.size());
        std::array<double, block_columns> origin{}, part{};
        for (Index c = 0; c < count && !shift_.empty(); ++c) origin[c] = shift_[columns[c]];
        const double* shifts = has_shift(columns) ? origin.data() : nullptr;
        return for_blocks(
            columns, {0, rows()}, execution, [&](Index i, Index length, const ColumnPointers& x) {
                const double* from = q.values + i * q.count;
                if (q.count == 1) {
                    kernels().dot_f64(x.data(), count, shifts, length, from, part.data());
                    for (Index c = 0; c < count; ++c) out[c] += part[c];
                    return;
                }
                for (Index lane = 0; lane < q.count; lane += lane_group)
                    kernels().correlate_f64(x.data(), count, 0, shifts, length, from + lane,
                                            q.count, out + lane);
            });
    }

    // out[i] += the combination of some columns, for the rows of the range.
    void add_columns(std::span<const Index> columns, std::span<const double> values, Rows range,
                     const Execution& execution, double* out) const {
        for_blocks(columns, range, execution,
                   [&](Index first, Index length, const ColumnPointers& x) {
                       for (std::size_t c = 0; c < columns.size(); ++c) {
                           const double origin = shift_.empty() ? 0 : shift_[columns[c]];
                           for (Index i = 0; i < length; ++i)
                               out[first + i] += (x[c][i] - origin) * values[c];
                       }
                   });
    }

    // The entries are read once: every block has its own means, and blocks are merged.
    void find_moments(std::span<const Index> columns, RowWeights weights, std::span<const double> v,
                      const Execution& execution, ColumnMoments& m) const {
        std::array<RowMoments, block_columns> found{};
        const auto add = [&](Index begin, Index length, const ColumnPointers& x) {
            const double* w = weights.empty() ? nullptr : weights.data() + begin;
            RowMoments block;
            block.weight =
                w == nullptr ? static_cast<double>(length) : kernels().sum_f64(w, nullptr, length);
            block.v_sum = kernels().sum_f64(v.data() + begin, nullptr, length);
            for (std::size_t c = 0; c < columns.size(); ++c)
                found[c] =
                    merge(found[c], moments_of_block(x[c], w, v.data() + begin, length, block));
        };
        if (!for_blocks(columns, {0, rows()}, execution, add)) return;
        for (std::size_t c = 0; c < columns.size(); ++c) {
            const Index j = columns[c];
            m.mean[j] = found[c].mean;
            m.centred_sum[j] = found[c].centred_sum;
            m.squares[j] = found[c].squares;
            m.products[j] = found[c].products;
            m.is_constant[j] = found[c].is_constant ? 1 : 0;
        }
    }

    // `block` has the sums of w and v.
    static RowMoments moments_of_block(const double* x, const double* w, const double* v,
                                       Index length, RowMoments block) {
        Index first = 0;  // of positive weight
        while (w != nullptr && first < length - 1 && w[first] == 0) ++first;
        block.mean = x[first];
        for (Index i = first; i < length && block.is_constant; ++i)
            block.is_constant = x[i] == x[first] || (w != nullptr && w[i] == 0);
        if (!block.is_constant) block.mean = kernels().sum_f64(x, w, length) / block.weight;
        std::array<double, 3> sums{};
        kernels().centred_sums_f64(x, w, v, block.mean, length, sums.data());
        block.centred_sum = sums[0];
        block.squares = sums[1];
        block.products = sums[2];
        return block;
    }

    SharedMatrix X_;
    std::vector<Index> all_;  // columns, in order
};

}  // namespace

std::unique_ptr<Design> make_custom_design(SharedMatrix X) {
    if (std::unique_ptr<Design> remote = make_remote_design(X)) return remote;
    if (auto blocked = std::dynamic_pointer_cast<const BlockedMatrix>(X))
        return make_streamed_design(std::move(blocked));
    return std::make_unique<CustomDesign>(std::move(X));
}

}  // namespace sven::linalg
