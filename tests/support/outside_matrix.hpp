#pragma once
// A matrix behind the public interface for kinds of one's own: dense, by columns, counting its
// calls.

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

#include "sven/blocked_matrix.hpp"
#include "sven/matrix.hpp"

namespace sven::test {

// What an outside kind offers beyond its shape: to read entries, or products too.
enum class Offer { entries, products };

class OutsideMatrix final : public CustomMatrix {
  public:
    OutsideMatrix(const DenseView& X, Offer offer) : view_(X), offer_(offer) {}

    Index rows() const override { return view_.rows; }
    Index cols() const override { return view_.cols; }

    void read(Rows rows, std::span<const Index> columns, double* out, Index stride) const override {
        note(reads);
        if (reads > fails_after) throw std::runtime_error("the file is gone");
        entries_read += (rows.end - rows.begin) * static_cast<Index>(columns.size());
        for (std::size_t c = 0; c < columns.size(); ++c)
            std::copy(column(columns[c]) + rows.begin, column(columns[c]) + rows.end,
                      out + static_cast<Index>(c) * stride);
    }
    bool correlate(std::span<const Index> columns, Vectors q, double* out) const override {
        if (offer_ == Offer::entries) return false;
        note(correlations);
        std::fill_n(out, static_cast<Index>(columns.size()) * q.count, 0.0);
        for (std::size_t c = 0; c < columns.size(); ++c)
            for (Index i = 0; i < rows(); ++i)
                for (Index k = 0; k < q.count; ++k)
                    out[static_cast<Index>(c) * q.count + k] +=
                        column(columns[c])[i] * q.values[i * q.count + k];
        return true;
    }
    bool multiply(Rows rows, std::span<const Index> columns, std::span<const double> values,
                  double* out) const override {
        if (offer_ == Offer::entries) return false;
        note(multiplications);
        std::fill_n(out, rows.end - rows.begin, 0.0);
        for (std::size_t c = 0; c < columns.size(); ++c)
            for (Index i = rows.begin; i < rows.end; ++i)
                out[i - rows.begin] += column(columns[c])[i] * values[c];
        return true;
    }

    std::size_t threads_seen() const { return threads_.size(); }

    // Calls of each verb.
    mutable std::atomic<Index> reads = 0, correlations = 0, multiplications = 0;
    mutable std::atomic<Index> entries_read = 0;
    Index fails_after = Index{1} << 60;  // reads

  private:
    const double* column(Index j) const {
        return static_cast<const double*>(view_.data) + j * view_.stride;
    }
    void note(std::atomic<Index>& calls) const {
        ++calls;
        const std::lock_guard lock(mutex_);
        threads_.insert(std::this_thread::get_id());
    }

    DenseView view_;
    Offer offer_;
    mutable std::mutex mutex_;
    mutable std::set<std::thread::id> threads_;
};

// The same by blocks of columns.
class OutsideBlocks final : public BlockedMatrix {
  public:
    static constexpr Index block = 7;

    explicit OutsideBlocks(std::shared_ptr<const OutsideMatrix> matrix)
        : matrix_(std::move(matrix)) {}

    Index rows() const override { return matrix_->rows(); }
    Index cols() const override { return matrix_->cols(); }
    Index block_columns() const override { return block; }
    void read(Rows rows, std::span<const Index> columns, double* out, Index stride) const override {
        matrix_->read(rows, columns, out, stride);
    }

  private:
    std::shared_ptr<const OutsideMatrix> matrix_;
};

}  // namespace sven::test
