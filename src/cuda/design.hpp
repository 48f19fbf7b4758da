#pragma once
// X on the device, as a linalg::Design. This class has the parts that all operations share:
// uploads, downloads in tiles, and synchronisation. The kinds of storage only launch kernels
// (kinds.cpp).
//
// If the host has X too, operations on a small part of it run there: a call to the device takes at
// least about 20 us. If X is on the device only and is small, the host gets a copy at the first
// such operation.

#include <memory>
#include <mutex>
#include <vector>

#include "cuda/kernels.hpp"
#include "cuda/runtime.hpp"
#include "linalg/design.hpp"

namespace sven::cuda {

class CudaDesign : public linalg::Design {
  public:
    // `host`: the same matrix on the host, or null.
    CudaDesign(Index rows, Index cols, std::unique_ptr<linalg::Design> host);

    bool is_on_device() const override { return true; }

    void correlate(const linalg::Panel& Q, const linalg::Execution& execution,
                   const TileConsumer& consume) const override;
    void correlate_some(std::span<const Index> columns, std::span<const double> q,
                        const linalg::Execution& execution, double* out) const override;
    void correlate_list(std::span<const Index> columns, const linalg::Panel& Q,
                        const linalg::Execution& execution, double* out) const override;
    void gather(std::span<const Index> columns, const linalg::Execution& execution, double* out,
                Index stride) const override;
    void multiply(std::span<const Index> columns, std::span<const double> values,
                  const linalg::Execution& execution, double* out) const override;
    linalg::ColumnMoments moments(linalg::RowWeights weights, std::span<const double> v,
                                  const linalg::Execution& execution) const override;
    void pack_rows(Index begin, Index end, std::span<const double> centre,
                   const double* row_factors, double* panels) const override;
    linalg::RowSample sample_rows() const override;
    bool prefers_no_centre() const override;
    bool sum_gram(const linalg::GramRequest& request, const linalg::Execution& execution,
                  std::span<linalg::GramSums> sums) const override;
    std::unique_ptr<linalg::Systems> make_systems(
        const linalg::ColumnScales& scales) const override;
    std::unique_ptr<linalg::Systems> make_systems(Index size, const double* gram) const override;

    // A lock on the design's work on the device: the handles of the libraries are not thread-safe,
    // and results must not depend on concurrent work.
    std::unique_lock<std::mutex> hold() const { return std::unique_lock(mutex_); }
    // Column c of out (rows() apart, on the device) = x_j - shift_j for j = columns[c];
    // synchronous. The caller holds the lock.
    void gather_there(std::span<const Index> columns, double* out) const;

  protected:
    // Implemented by the kinds of storage. Sends X if it is not resident yet, by blocks of rows if
    // on_rows is given.
    using OnRows = std::function<void(Index begin, Index end)>;
    virtual void make_resident(const linalg::Execution& execution, Index block_rows,
                               const OnRows& on_rows) const = 0;
    virtual bool is_resident() const = 0;
    // Whether fill_rows gives contiguous columns rather than rows.
    virtual bool fills_columns() const = 0;
    // Whether single columns can be asked for there; else the host, which has X, takes care of
    // them, and the three functions below that take lists are not called.
    virtual bool keeps_columns() const { return true; }
    // Doubles of `partial` for so many columns.
    virtual Index scratch_of(Index columns, Index stride) const {
        return correlate_scratch(rows(), columns, stride);
    }
    virtual void launch_correlate(const ColumnSet& columns, const PanelData& Q, double* out,
                                  double* partial) const = 0;
    virtual void launch_moments(const RowInputs& rows, const MomentsOut& out,
                                double* partial) const = 0;
    virtual void launch_fill(const RowBlock& block, double* out) const = 0;
    virtual void launch_dot(const ColumnSet& columns, const double* q, double* out) const;
    virtual void launch_gather(const ColumnSet& columns, double* out) const;
    virtual void launch_multiply(const ColumnSet& columns, const double* values, double* out,
                                 double* partial) const;
    // X if it is dense and in double precision, otherwise null.
    virtual const DenseData<double>* doubles() const { return nullptr; }
    // Bytes of one column.
    double column_bytes() const { return entries() / static_cast<double>(cols()) * 8; }

    // A copy of X for the host, or null if it is too large.
    virtual std::unique_ptr<linalg::Design> copy_to_host() const { return nullptr; }
    const linalg::Design* host() const { return host_.get(); }
    const Stream& stream() const { return stream_; }

  private:
    friend class GramPass;

    // Inputs of an operation, collected in pinned memory and sent together.
    class Inputs {
      public:
        explicit Inputs(const CudaDesign& design, Index doubles);
        const double* put(std::span<const double> values, int threads = 1);
        const Index* put(std::span<const Index> values);
        // Room to be filled before send().
        const double* room(Index size, double*& pinned);
        void send();

      private:
        const CudaDesign& design_;
        Index used_ = 0;
    };
    // Waits for the streams when an operation ends, also by an exception.
    struct Settled {
        const CudaDesign& design;
        ~Settled();
    };

    void ensure_resident(const linalg::Execution& execution) const;
    const double* device_shift() const;
    bool has_host() const;
    const linalg::Design& shifted_host() const;
    const linalg::Design& shifted_host_locked() const;
    bool is_for_host(double columns) const;
    void fetch_rows(std::span<const Index> list, std::span<const double> centre) const;
    void download(const double* from, Index size) const;
    void hand_out(Index stride, const linalg::Execution& execution, const TileConsumer& consume,
                  Index chunk) const;

    mutable std::unique_ptr<linalg::Design> host_;
    mutable bool has_asked_for_copy_ = false;
    mutable std::mutex mutex_;  // one operation at a time
    mutable Stream stream_;
    mutable Stream copies_;
    mutable DeviceBuffer<double> inputs_;
    mutable PinnedMemory pinned_inputs_;
    mutable DeviceBuffer<double> out_;
    mutable PinnedMemory results_;
    mutable DeviceBuffer<double> partial_;
    mutable DeviceBuffer<double> device_shift_;
    mutable Index uploaded_shift_ = 0;  // versions
    mutable Index host_shift_ = 0;
    mutable std::vector<std::unique_ptr<Event>> ready_;
    mutable std::vector<std::unique_ptr<Event>> arrived_;
};

}  // namespace sven::cuda
