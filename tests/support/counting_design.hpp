#pragma once
// A design that counts what it is asked for: work that is saved is told by calls, not by a clock.

#include <atomic>

#include "linalg/design.hpp"

namespace sven::test {

class CountingDesign : public linalg::Design {
  public:
    explicit CountingDesign(const MatrixView& X) : CountingDesign(linalg::make_design(X)) {}

    struct Counts {
        Index products = 0;     // passes over X: correlate
        Index moments = 0;      // passes over X
        Index columns = 0;      // gathered
        Index packed_rows = 0;  // for Gram matrices
    };
    // Since the last call.
    Counts take() const {
        return {products_.exchange(0), moments_.exchange(0), columns_.exchange(0),
                packed_rows_.exchange(0)};
    }

    double entries() const override { return inner().entries(); }
    bool is_sparse() const override { return inner().is_sparse(); }
    void correlate(const linalg::Panel& Q, const linalg::Execution& execution,
                   const TileConsumer& consume) const override {
        ++products_;
        inner().correlate(Q, execution, consume);
    }
    void correlate_some(std::span<const Index> columns, std::span<const double> q,
                        const linalg::Execution& execution, double* out) const override {
        inner().correlate_some(columns, q, execution, out);
    }
    void gather(std::span<const Index> columns, const linalg::Execution& execution, double* out,
                Index stride) const override {
        columns_ += static_cast<Index>(columns.size());
        inner().gather(columns, execution, out, stride);
    }
    void multiply(std::span<const Index> columns, std::span<const double> values,
                  const linalg::Execution& execution, double* out) const override {
        inner().multiply(columns, values, execution, out);
    }
    linalg::ColumnMoments moments(linalg::RowWeights weights, std::span<const double> v,
                                  const linalg::Execution& execution) const override {
        ++moments_;
        return inner().moments(weights, v, execution);
    }
    void pack_rows(Index begin, Index end, std::span<const double> centre,
                   const double* row_factors, double* panels) const override {
        packed_rows_ += end - begin;
        inner().pack_rows(begin, end, centre, row_factors, panels);
    }
    linalg::RowSample sample_rows() const override { return inner().sample_rows(); }

  private:
    explicit CountingDesign(std::unique_ptr<linalg::Design> inner)
        : Design(inner->rows(), inner->cols()), inner_(std::move(inner)) {}

    // With the shift of this one; verbs that many threads ask for come after one that one asks for.
    const linalg::Design& inner() const {
        if (inner_version_ != shift_version_) {
            inner_->set_shift(shift_);
            inner_version_ = shift_version_;
        }
        return *inner_;
    }

    std::unique_ptr<linalg::Design> inner_;
    mutable Index inner_version_ = 0;
    mutable std::atomic<Index> products_ = 0;
    mutable std::atomic<Index> moments_ = 0;
    mutable std::atomic<Index> columns_ = 0;
    mutable std::atomic<Index> packed_rows_ = 0;
};

}  // namespace sven::test
