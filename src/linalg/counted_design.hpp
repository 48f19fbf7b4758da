#pragma once
// A design that counts how often X is read.

#include <atomic>
#include <mutex>

#include "linalg/design.hpp"
#include "linalg/selected_rows.hpp"
#include "sven/session.hpp"

namespace sven::linalg {

class CountedDesign final : public Design {
  public:
    explicit CountedDesign(std::unique_ptr<Design> inner)
        : Design(inner->rows(), inner->cols()), inner_(std::move(inner)) {}

    // Since it was made.
    Reads reads() const {
        const auto packed = static_cast<double>(packed_rows_.load());
        const auto height = static_cast<double>(std::max<Index>(1, rows()));
        return {static_cast<double>(passes_.load()) + packed / height,
                inner_->columns_read(columns_.load())};
    }

    double entries() const override { return inner().entries(); }
    bool is_sparse() const override { return inner().is_sparse(); }
    bool is_on_device() const override { return inner().is_on_device(); }
    void correlate(const Panel& Q, const Execution& execution,
                   const TileConsumer& consume) const override {
        ++passes_;
        inner().correlate(Q, execution, consume);
    }
    void correlate_some(std::span<const Index> columns, std::span<const double> q,
                        const Execution& execution, double* out) const override {
        note(columns);
        inner().correlate_some(columns, q, execution, out);
    }
    void correlate_list(std::span<const Index> columns, const Panel& Q, const Execution& execution,
                        double* out) const override {
        note(columns);
        inner().correlate_list(columns, Q, execution, out);
    }
    void gather(std::span<const Index> columns, const Execution& execution, double* out,
                Index stride) const override {
        note(columns);
        inner().gather(columns, execution, out, stride);
    }
    void multiply(std::span<const Index> columns, std::span<const double> values,
                  const Execution& execution, double* out) const override {
        note(columns);
        inner().multiply(columns, values, execution, out);
    }
    bool sweep(std::span<const Index> columns, RowWeights weights, const CoordinateStep& step,
               double* q) const override {
        note(columns);
        return inner().sweep(columns, weights, step, q);
    }
    std::unique_ptr<SelectedRows> select(std::span<const Index> columns) const override {
        note(columns);
        return inner().select(columns);
    }
    double entries_of(std::span<const Index> columns) const override {
        return inner().entries_of(columns);
    }
    ColumnMoments moments(RowWeights weights, std::span<const double> v,
                          const Execution& execution) const override {
        ++passes_;
        return inner().moments(weights, v, execution);
    }
    Index moments_of(std::span<const MomentRequest> requests, const Execution& execution,
                     std::span<ColumnMoments> out) const override {
        const Index passes = inner().moments_of(requests, execution, out);
        passes_ += passes;
        return passes;
    }
    void pack_rows(Index begin, Index end, std::span<const double> centre,
                   const double* row_factors, double* panels) const override {
        packed_rows_ += end - begin;
        inner().pack_rows(begin, end, centre, row_factors, panels);
    }
    Ahead rows_ahead(Index begin, Index end) const override {
        return inner().rows_ahead(begin, end);
    }
    void accumulate_sparse_gram(RowWeights weights, const Execution& execution, double* G,
                                Index stride) const override {
        ++passes_;
        inner().accumulate_sparse_gram(weights, execution, G, stride);
    }
    RowSample sample_rows() const override { return inner().sample_rows(); }
    bool prefers_no_centre() const override { return inner().prefers_no_centre(); }
    bool sum_gram(const GramRequest& request, const Execution& execution,
                  std::span<GramSums> sums) const override {
        const bool is_done = inner().sum_gram(request, execution, sums);
        passes_ += is_done ? 1 : 0;
        return is_done;
    }
    double sparse_gram_cost() const override { return inner().sparse_gram_cost(); }
    std::unique_ptr<Systems> make_systems(const ColumnScales& scales) const override {
        return inner().make_systems(scales);
    }
    std::unique_ptr<Systems> make_systems(Index size, const double* gram) const override {
        return inner().make_systems(size, gram);
    }
    std::unique_ptr<LaneTable> make_table(const TableColumns& columns) const override {
        return inner().make_table(columns);
    }
    void tabulate(const Panel& Q, const Execution& execution,
                  std::span<LaneTable* const> tables) const override {
        ++passes_;
        inner().tabulate(Q, execution, tables);
    }

  private:
    void note(std::span<const Index> columns) const {
        columns_ += static_cast<Index>(columns.size());
    }
    // With the shift of this one, which is set between calls, never during one.
    const Design& inner() const {
        if (inner_version_.load(std::memory_order_acquire) != shift_version_) {
            const std::lock_guard lock(moving_);
            if (inner_version_.load(std::memory_order_relaxed) != shift_version_) {
                inner_->set_shift(shift_);
                inner_version_.store(shift_version_, std::memory_order_release);
            }
        }
        return *inner_;
    }

    std::unique_ptr<Design> inner_;
    mutable std::mutex moving_;
    mutable std::atomic<Index> inner_version_ = 0;
    mutable std::atomic<Index> passes_ = 0;
    mutable std::atomic<Index> columns_ = 0;      // read one by one
    mutable std::atomic<Index> packed_rows_ = 0;  // for Gram matrices
};

}  // namespace sven::linalg
