#pragma once
// X on the device, as a linalg::Design. This class has the parts that all operations share:
// uploads, downloads in tiles, and synchronisation. The kinds of storage only launch kernels
// (kinds.cpp).
//
// If the host has X too, operations on a small part of it run there: a call to the device takes at
// least about 20 us. If X is on the device only and is small, the host gets a copy at the first
// such operation.

#include <atomic>
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
    Index moments_of(std::span<const linalg::MomentRequest> requests,
                     const linalg::Execution& execution,
                     std::span<linalg::ColumnMoments> out) const override;
    void pack_rows(Index begin, Index end, std::span<const double> centre,
                   const double* row_factors, double* panels) const override;
    linalg::RowSample sample_rows() const override;
    bool prefers_no_centre() const override;
    bool sum_gram(const linalg::GramRequest& request, const linalg::Execution& execution,
                  std::span<linalg::GramSums> sums) const override;
    std::unique_ptr<linalg::Systems> make_systems(
        const linalg::ColumnScales& scales) const override;
    std::unique_ptr<linalg::Systems> make_systems(Index size, const double* gram) const override;
    std::unique_ptr<linalg::LaneTable> make_table(
        const linalg::TableColumns& columns) const override;
    void tabulate(const linalg::Panel& Q, const linalg::Execution& execution,
                  std::span<linalg::LaneTable* const> tables) const override;

    // Column c of out (rows() apart, on the device) = x_j - shift_j for j = columns[c];
    // synchronous.
    void gather_there(std::span<const Index> columns, const linalg::Execution& execution,
                      double* out) const;

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
    virtual void launch_dot(const ColumnSet& columns, const double* q, double* out,
                            const Stream& stream) const;
    virtual void launch_gather(const ColumnSet& columns, double* out, const Stream& stream) const;
    virtual void launch_multiply(const ColumnSet& columns, const double* values, double* out,
                                 double* partial, const Stream& stream) const;
    // X if it is dense and in double precision, otherwise null.
    virtual const DenseData<double>* doubles() const { return nullptr; }
    // Bytes of one column.
    double column_bytes() const { return entries() / static_cast<double>(cols()) * 8; }

    // A copy of X for the host, or null if it is too large.
    virtual std::unique_ptr<linalg::Design> copy_to_host() const { return nullptr; }
    const linalg::Design* host() const { return host_.get(); }
    // Of the main lane.
    const Stream& stream() const { return main_.stream; }

  private:
    friend class GramPass;

    // A stream with the buffers of one operation.
    struct Lane {
        // Copies to `results` and waits.
        void download(const double* from, Index size);

        Stream stream;
        DeviceBuffer<double> inputs, out, partial;
        PinnedMemory pinned_inputs, results;
    };
    // A lane for an operation on a few columns: callers on several threads do not wait for each
    // other. Waits for its stream at the end, also after an exception.
    class LaneUse {
      public:
        explicit LaneUse(const CudaDesign& design);
        ~LaneUse();
        LaneUse(const LaneUse&) = delete;
        LaneUse& operator=(const LaneUse&) = delete;
        Lane* operator->() const { return lane_.get(); }
        Lane& operator*() const { return *lane_; }

      private:
        const CudaDesign& design_;
        std::unique_ptr<Lane> lane_;
    };

    // Inputs of an operation, collected in pinned memory and sent together.
    class Inputs {
      public:
        Inputs(Lane& lane, Index doubles);
        const double* put(std::span<const double> values, int threads = 1);
        const Index* put(std::span<const Index> values);
        // Room to be filled before send().
        const double* room(Index size, double*& pinned);
        void send();

      private:
        Lane& lane_;
        Index used_ = 0;
    };
    // Waits for the streams when an operation ends, also by an exception.
    struct Settled {
        const CudaDesign& design;
        ~Settled();
    };

    void ensure_resident(const linalg::Execution& execution) const;
    // The panel, on its way.
    PanelData send_panel(const linalg::Panel& Q, const linalg::Execution& execution) const;
    // The same, for lanes beside the main one; the shift is there, too.
    const double* ensure_columns(const linalg::Execution& execution) const;
    const double* device_shift() const;
    bool has_host() const;
    const linalg::Design& shifted_host() const;
    bool is_for_host(double columns) const;
    void fetch_rows(std::span<const Index> list, std::span<const double> centre) const;
    void hand_out(Index stride, const linalg::Execution& execution, const TileConsumer& consume,
                  Index chunk) const;

    mutable std::unique_ptr<linalg::Design> host_;
    mutable std::once_flag asked_for_copy_;
    mutable std::mutex host_mutex_;  // the shift of the host's X
    mutable std::mutex mutex_;       // one operation of the main lane at a time
    mutable Lane main_;
    mutable Stream copies_;
    mutable std::mutex lanes_mutex_;
    mutable std::vector<std::unique_ptr<Lane>> idle_lanes_;
    mutable std::atomic<Index> ready_shift_ = -1;  // version of the shift that lanes may use
    mutable DeviceBuffer<double> device_shift_;
    mutable Index uploaded_shift_ = 0;  // versions
    mutable Index host_shift_ = 0;
    mutable std::vector<std::unique_ptr<Event>> ready_;
    mutable std::vector<std::unique_ptr<Event>> arrived_;
};

}  // namespace sven::cuda
