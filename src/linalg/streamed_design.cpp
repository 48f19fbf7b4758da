// A pass reads one block while the one before it is multiplied; a block is a dense matrix while it
// is there.

#include "linalg/streamed_design.hpp"

#include <algorithm>
#include <array>
#include <future>
#include <numeric>

#include "linalg/dense_design.hpp"
#include "linalg/tuning.hpp"

namespace sven::linalg {
namespace {

class StreamedDesign final : public Design {
  public:
    explicit StreamedDesign(std::shared_ptr<const BlockedMatrix> X)
        : Design(X->rows(), X->cols()),
          X_(std::move(X)),
          width_(std::clamp<Index>(X_->block_columns(), 1, std::max<Index>(1, cols()))) {}

    double entries() const override { return X_->entries(); }

    void correlate(const Panel& Q, const Execution& execution,
                   const TileConsumer& consume) const override {
        for_all(execution, [&](Index begin, const Design& block) {
            block.correlate(Q, execution, [&](Index first, Index count, double* tile) {
                consume(begin + first, count, tile);
            });
        });
    }

    void correlate_some(std::span<const Index> columns, std::span<const double> q,
                        const Execution& execution, double* out) const override {
        for_list(columns, execution, [&](Index begin, const Design& block) {
            block.correlate_some(numbers(block.cols()), q, execution, out + begin);
        });
    }

    void correlate_list(std::span<const Index> columns, const Panel& Q, const Execution& execution,
                        double* out) const override {
        for_list(columns, execution, [&](Index begin, const Design& block) {
            block.correlate_list(numbers(block.cols()), Q, execution, out + begin * Q.stride());
        });
    }

    void gather(std::span<const Index> columns, const Execution& execution, double* out,
                Index stride) const override {
        const auto count = static_cast<Index>(columns.size());
        for (Index begin = 0; begin < count; begin += width_) {
            execution.check();
            const Index size = std::min(width_, count - begin);
            X_->read({0, rows()}, columns.subspan(begin, size), out + begin * stride, stride);
        }
        if (shift_.empty()) return;
        const double work = static_cast<double>(count) * static_cast<double>(rows());
        parallel_pieces(execution, work, count, 1, [&](Index begin, Index end) {
            for (Index c = begin; c < end; ++c)
                for (Index i = 0; i < rows(); ++i) out[c * stride + i] -= shift_[columns[c]];
        });
    }

    void multiply(std::span<const Index> columns, std::span<const double> values,
                  const Execution& execution, double* out) const override {
        std::fill_n(out, rows(), 0.0);
        std::vector<double> part(static_cast<std::size_t>(rows()));
        for_list(columns, execution, [&](Index begin, const Design& block) {
            block.multiply(numbers(block.cols()), values.subspan(begin, block.cols()), execution,
                           part.data());
            for (Index i = 0; i < rows(); ++i) out[i] += part[i];
        });
    }

    ColumnMoments moments(RowWeights weights, std::span<const double> v,
                          const Execution& execution) const override {
        const MomentRequest request{weights, v};
        ColumnMoments found;
        moments_of({&request, 1}, execution, {&found, 1});
        return found;
    }

    Index moments_of(std::span<const MomentRequest> requests, const Execution& execution,
                     std::span<ColumnMoments> out) const override {
        for (ColumnMoments& moments : out) moments = make_moments(cols());
        std::vector<ColumnMoments> part(out.size());
        for_all(execution, [&](Index begin, const Design& block) {
            block.moments_of(requests, execution, part);
            for (std::size_t k = 0; k < out.size(); ++k) copy(part[k], begin, out[k]);
        });
        return 1;
    }

    void pack_rows(Index begin, Index end, std::span<const double> centre,
                   const double* row_factors, double* panels) const override {
        const Index n = end - begin;
        Buffer<double> block(n * tile_columns);
        const std::vector<Index> all = numbers(cols());
        std::array<const double*, gram_width> x{};
        for (Index first = 0; first < cols(); first += tile_columns) {
            const Index count = std::min(tile_columns, cols() - first);
            X_->read({begin, end}, std::span(all).subspan(first, count), block.data(), n);
            for (Index c = 0; c < count; c += gram_width) {
                const Index width = std::min(gram_width, count - c);
                for (Index k = 0; k < width; ++k) x[k] = block.data() + (c + k) * n;
                kernels().pack_f64(x.data(), width, centre.data() + first + c, n, row_factors,
                                   panels + (first + c) * n);
            }
        }
    }

  private:
    static std::vector<Index> numbers(Index count) {
        std::vector<Index> list(static_cast<std::size_t>(count));
        std::iota(list.begin(), list.end(), Index{0});
        return list;
    }
    static void copy(const ColumnMoments& part, Index begin, ColumnMoments& whole) {
        std::copy(part.mean.begin(), part.mean.end(), whole.mean.begin() + begin);
        std::copy(part.centred_sum.begin(), part.centred_sum.end(),
                  whole.centred_sum.begin() + begin);
        std::copy(part.squares.begin(), part.squares.end(), whole.squares.begin() + begin);
        std::copy(part.products.begin(), part.products.end(), whole.products.begin() + begin);
        std::copy(part.is_constant.begin(), part.is_constant.end(),
                  whole.is_constant.begin() + begin);
    }

    // Calls body(place in the list, block) for blocks of the columns of a list, one after the
    // other.
    template <class Body>
    void for_list(std::span<const Index> columns, const Execution& execution,
                  const Body& body) const {
        const auto count = static_cast<Index>(columns.size());
        const Index width = std::min(width_, count);
        std::array<Buffer<double>, 2> buffers;
        const auto fetch = [&](Index begin, Buffer<double>& buffer) {
            const Index size = std::min(width, count - begin);
            buffer.reserve(width * rows());
            X_->read({0, rows()}, columns.subspan(begin, size), buffer.data(), rows());
        };
        std::future<void> next;  // waits for its thread wherever this is left
        for (Index begin = 0, k = 0; begin < count; begin += width, k = 1 - k) {
            execution.check();
            if (next.valid())
                next.get();
            else
                fetch(begin, buffers[k]);
            if (begin + width < count)
                next =
                    std::async(std::launch::async, fetch, begin + width, std::ref(buffers[1 - k]));
            const Index size = std::min(width, count - begin);
            const auto block = make_dense_design(column_major(buffers[k].data(), rows(), size));
            block->set_shift(shifts(columns.subspan(begin, size)));
            body(begin, *block);
        }
    }
    template <class Body>
    void for_all(const Execution& execution, const Body& body) const {
        const std::vector<Index> all = numbers(cols());
        for_list(all, execution, body);
    }

    std::vector<double> shifts(std::span<const Index> columns) const {
        std::vector<double> shift;
        if (shift_.empty()) return shift;
        for (const Index j : columns) shift.push_back(shift_[j]);
        return shift;
    }

    std::shared_ptr<const BlockedMatrix> X_;
    Index width_;  // columns of a block
};

}  // namespace

std::unique_ptr<Design> make_streamed_design(std::shared_ptr<const BlockedMatrix> X) {
    return std::make_unique<StreamedDesign>(std::move(X));
}

}  // namespace sven::linalg
