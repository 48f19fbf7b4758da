#pragma once
// X on the device, as a kind of linalg::Design. What the verbs share is here: what goes up, what
// comes down in tiles, and who waits. The kinds of storage only launch kernels (kinds.cpp).
//
// Where the host has X too, what touches little of it is answered there: a call to the device costs
// some 20 us whatever it does. It is given a copy of an X that lies on the device alone, if it is
// small, when the first such question comes.

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

    // Nothing else is done on the device for this design while it is held: the libraries' handles
    // serve one at a time, and what they do must not depend on what runs beside it.
    std::unique_lock<std::mutex> hold() const { return std::unique_lock(mutex_); }
    // Column c of out (rows() apart, on the device) = x_j - shift_j for j = columns[c]; waits. The
    // caller holds the design.
    void gather_there(std::span<const Index> columns, double* out) const;

  protected:
    // ---- what a kind of storage does ----
    // Sends X, where it is not there yet, by blocks of rows where on_rows is given.
    using OnRows = std::function<void(Index begin, Index end)>;
    virtual void make_resident(const linalg::Execution& execution, Index block_rows,
                               const OnRows& on_rows) const = 0;
    virtual bool is_resident() const = 0;
    // Whether fill_rows gives columns or rows that lie together.
    virtual bool fills_columns() const = 0;
    virtual void launch_correlate(const ColumnSet& columns, const PanelData& Q, double* out,
                                  double* partial) const = 0;
    virtual void launch_dot(const ColumnSet& columns, const double* q, double* out) const = 0;
    virtual void launch_gather(const ColumnSet& columns, double* out) const = 0;
    virtual void launch_multiply(const ColumnSet& columns, const double* values, double* out,
                                 double* partial) const = 0;
    virtual void launch_moments(const RowInputs& rows, const MomentsOut& out,
                                double* partial) const = 0;
    virtual void launch_fill(const RowBlock& block, double* out) const = 0;
    // X where it is dense and in double, otherwise null.
    virtual const DenseData<double>* doubles() const { return nullptr; }
    // Bytes that one column takes to read.
    double column_bytes() const { return entries() / static_cast<double>(cols()) * 8; }

    // A copy of X for the host, or null where it is too large for that.
    virtual std::unique_ptr<linalg::Design> copy_to_host() const { return nullptr; }
    const linalg::Design* host() const { return host_.get(); }
    const Stream& stream() const { return stream_; }

  private:
    friend class GramPass;

    // Inputs of a verb, collected in pinned memory and sent at once.
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
    // Nothing of a verb is left running when it ends, however it ends.
    struct Settled {
        const CudaDesign& design;
        ~Settled();
    };

    void ensure_resident(const linalg::Execution& execution) const;
    const double* device_shift() const;
    bool has_host() const;
    const linalg::Design& shifted_host() const;
    bool is_for_host(double columns) const;
    void fetch_rows(std::span<const Index> list, std::span<const double> centre) const;
    void download(const double* from, Index size) const;
    void hand_out(Index stride, const linalg::Execution& execution, const TileConsumer& consume,
                  Index chunk) const;

    mutable std::unique_ptr<linalg::Design> host_;
    mutable bool has_asked_for_copy_ = false;
    mutable std::mutex mutex_;  // one verb at a time
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
