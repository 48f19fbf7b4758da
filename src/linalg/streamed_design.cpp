// A pass reads one block while the one before it is multiplied; a block is a dense matrix while it
// is there.

#include "linalg/streamed_design.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <future>
#include <mutex>
#include <new>
#include <numeric>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "linalg/dense_design.hpp"
#include "linalg/tuning.hpp"

namespace sven::linalg {
namespace {

// Columns that were read by themselves. Newton steps look at the same ones again and again, and so
// do the folds of a cross-validation.
class KeptColumns {
  public:
    explicit KeptColumns(const BlockedMatrix& X)
        : X_(X), places_(std::min(X.kept_columns(), X.cols())) {}

    Index columns_read() const { return columns_read_; }

    void read(std::span<const Index> columns, double* out, Index stride) {
        const std::lock_guard lock(mutex_);
        missing_.clear();
        for (std::size_t c = 0; c < columns.size(); ++c) {
            const auto known = place_of_.find(columns[c]);
            if (known == place_of_.end())
                missing_.push_back(static_cast<Index>(c));
            else
                std::copy_n(column(known->second), X_.rows(), out + static_cast<Index>(c) * stride);
        }
        read_missing(columns, out, stride);
    }

  private:
    double* column(Index place) { return values_.data() + place * X_.rows(); }

    // Runs of a list that lie side by side in it are read in one call.
    void read_missing(std::span<const Index> columns, double* out, Index stride) {
        const auto count = static_cast<Index>(missing_.size());
        for (Index k = 0, run = 1; k < count; k += run) {
            for (run = 1; k + run < count && missing_[k + run] == missing_[k] + run;) ++run;
            X_.read({0, X_.rows()}, columns.subspan(missing_[k], run), out + missing_[k] * stride,
                    stride);
        }
        columns_read_ += count;
        for (const Index c : missing_) keep(columns[c], out + c * stride);
    }

    // One more place, or without memory for it no more than there are.
    void make_place(Index filled) {
        try {
            values_.grow((filled + 1) * X_.rows(), filled * X_.rows(), {});
            feature_at_.push_back(-1);
        } catch (const std::bad_alloc&) {
            places_ = filled;
        }
    }

    // In the place of the one that has been there for longest.
    void keep(Index feature, const double* values) {
        if (place_of_.contains(feature)) return;
        const auto filled = static_cast<Index>(feature_at_.size());
        if (filled < places_) make_place(filled);
        if (places_ == 0) return;
        const Index place = next_++ % places_;
        place_of_.erase(std::exchange(feature_at_[place], feature));
        place_of_[feature] = place;
        std::copy_n(values, X_.rows(), column(place));
    }

    const BlockedMatrix& X_;
    Index places_;
    Index next_ = 0;  // columns that were kept so far
    Buffer<double> values_;
    std::unordered_map<Index, Index> place_of_;
    std::vector<Index> feature_at_;
    std::vector<Index> missing_;
    std::atomic<Index> columns_read_ = 0;
    std::mutex mutex_;
};

// On a thread of its own, or where there is no room for its stack, when the outcome is asked for.
template <class Body>
std::future<void> start(const Body& body) {
    try {
        return std::async(std::launch::async, body);
    } catch (const std::system_error&) {
        return std::async(std::launch::deferred, body);
    }
}

class StreamedDesign final : public Design {
  public:
    explicit StreamedDesign(std::shared_ptr<const BlockedMatrix> X)
        : Design(X->rows(), X->cols()),
          X_(std::move(X)),
          width_(std::clamp<Index>(X_->block_columns(), 1, std::max<Index>(1, cols()))),
          kept_(*X_) {}

    double entries() const override { return X_->entries(); }
    Index columns_read(Index) const override { return kept_.columns_read(); }

    void correlate(const Panel& Q, const Execution& execution,
                   const TileConsumer& consume) const override {
        for_all(execution, [&](Index begin, const Design& block, const double*) {
            block.correlate(Q, execution, [&](Index first, Index count, double* tile) {
                consume(begin + first, count, tile);
            });
        });
    }

    void correlate_some(std::span<const Index> columns, std::span<const double> q,
                        const Execution& execution, double* out) const override {
        for_list(columns, execution, [&](Index begin, const Design& block, const double*) {
            block.correlate_some(numbers(block.cols()), q, execution, out + begin);
        });
    }

    void correlate_list(std::span<const Index> columns, const Panel& Q, const Execution& execution,
                        double* out) const override {
        for_list(columns, execution, [&](Index begin, const Design& block, const double*) {
            block.correlate_list(numbers(block.cols()), Q, execution, out + begin * Q.stride());
        });
    }

    void gather(std::span<const Index> columns, const Execution& execution, double* out,
                Index stride) const override {
        const auto count = static_cast<Index>(columns.size());
        for (Index begin = 0; begin < count; begin += width_) {
            execution.check();
            kept_.read(columns.subspan(begin, std::min(width_, count - begin)),
                       out + begin * stride, stride);
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
        const double work = 2.0 * static_cast<double>(width_) * static_cast<double>(rows());
        for_list(columns, execution, [&](Index begin, const Design& block, const double* x) {
            parallel_pieces(execution, work, rows(), combined_rows, [&](Index first, Index last) {
                for (Index c = 0; c < block.cols(); ++c) {
                    const double origin = shift_.empty() ? 0 : shift_[columns[begin + c]];
                    const double* column = x + c * rows();
                    for (Index i = first; i < last; ++i)
                        out[i] += (column[i] - origin) * values[begin + c];
                }
            });
        });
    }

    ColumnMoments moments(RowWeights weights, std::span<const double> v,
                          const Execution& execution) const override {
        return only_moments(weights, v, execution);
    }

    Index moments_of(std::span<const MomentRequest> requests, const Execution& execution,
                     std::span<ColumnMoments> out) const override {
        for (ColumnMoments& moments : out) moments = make_moments(cols());
        std::vector<ColumnMoments> part(out.size());
        for_all(execution, [&](Index begin, const Design& block, const double*) {
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

    // Calls body(place in the list, block, its entries) for blocks of the columns of a list, one
    // after the other; read(columns, out) reads one while the last is used.
    template <class Read, class Body>
    void for_blocks(std::span<const Index> columns, const Execution& execution, const Read& read,
                    const Body& body) const {
        const auto count = static_cast<Index>(columns.size());
        const Index width = std::min(width_, count);
        std::array<Buffer<double>, 2> buffers;
        const auto fetch = [&](Index begin, Buffer<double>& buffer) {
            buffer.reserve(width * rows());
            read(columns.subspan(begin, std::min(width, count - begin)), buffer.data());
        };
        std::future<void> next;  // waits for its thread wherever this is left
        for (Index begin = 0, k = 0; begin < count; begin += width, k = 1 - k) {
            execution.check();
            if (next.valid())
                next.get();
            else
                fetch(begin, buffers[k]);
            if (begin + width < count)
                next = start(
                    [&fetch, at = begin + width, &into = buffers[1 - k]] { fetch(at, into); });
            const Index size = std::min(width, count - begin);
            const auto block = make_dense_design(column_major(buffers[k].data(), rows(), size));
            block->set_shift(shifts(columns.subspan(begin, size)));
            body(begin, *block, buffers[k].data());
        }
    }
    template <class Body>
    void for_list(std::span<const Index> columns, const Execution& execution,
                  const Body& body) const {
        const auto read = [&](std::span<const Index> some, double* out) {
            kept_.read(some, out, rows());
        };
        for_blocks(columns, execution, read, body);
    }
    template <class Body>
    void for_all(const Execution& execution, const Body& body) const {
        const std::vector<Index> all = numbers(cols());
        const auto read = [&](std::span<const Index> some, double* out) {
            X_->read({0, rows()}, some, out, rows());
        };
        for_blocks(all, execution, read, body);
    }

    std::vector<double> shifts(std::span<const Index> columns) const {
        std::vector<double> shift;
        if (shift_.empty()) return shift;
        for (const Index j : columns) shift.push_back(shift_[j]);
        return shift;
    }

    std::shared_ptr<const BlockedMatrix> X_;
    Index width_;  // columns of a block
    mutable KeptColumns kept_;
};

}  // namespace

std::unique_ptr<Design> make_streamed_design(std::shared_ptr<const BlockedMatrix> X) {
    return std::make_unique<StreamedDesign>(std::move(X));
}

}  // namespace sven::linalg
