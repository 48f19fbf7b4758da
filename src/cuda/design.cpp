#include "cuda/design.hpp"

#include <algorithm>
#include <cstring>

#include "cuda/tables.hpp"
#include "cuda/tuning.hpp"
#include "linalg/kernels.hpp"
#include "linalg/tuning.hpp"
#include "sven/error.hpp"

namespace sven::cuda {

using linalg::Execution;
using linalg::Panel;
using linalg::tile_columns;

CudaDesign::CudaDesign(Index rows, Index cols, std::unique_ptr<linalg::Design> host)
    : Design(rows, cols), host_(std::move(host)) {}

CudaDesign::Settled::~Settled() {
    cudaStreamSynchronize(design.main_.stream);
    cudaStreamSynchronize(design.copies_);
}

CudaDesign::LaneUse::LaneUse(const CudaDesign& design) : design_(design) {
    {
        const std::lock_guard lock(design.lanes_mutex_);
        if (!design.idle_lanes_.empty()) {
            lane_ = std::move(design.idle_lanes_.back());
            design.idle_lanes_.pop_back();
        }
    }
    if (lane_ == nullptr) lane_ = std::make_unique<Lane>();
}

CudaDesign::LaneUse::~LaneUse() {
    cudaStreamSynchronize(lane_->stream);
    const std::lock_guard lock(design_.lanes_mutex_);
    try {
        design_.idle_lanes_.push_back(std::move(lane_));
    } catch (const std::bad_alloc&) {  // the next one makes its own
    }
}

CudaDesign::Inputs::Inputs(Lane& lane, Index doubles) : lane_(lane) {
    lane.inputs.reserve(std::max<Index>(1, doubles));
    lane.pinned_inputs.reserve(static_cast<std::size_t>(std::max<Index>(1, doubles)) * 8);
}

const double* CudaDesign::Inputs::put(std::span<const double> values, int threads) {
    const auto size = static_cast<Index>(values.size());
    double* pinned = nullptr;
    const double* there = room(size, pinned);
    const int team = size < shared_copy_doubles ? 1 : threads;
    linalg::parallel_ranges(team, size, copied_doubles, [&](Index begin, Index end) {
        std::copy(values.begin() + begin, values.begin() + end, pinned + begin);
    });
    return there;
}

const Index* CudaDesign::Inputs::put(std::span<const Index> values) {
    static_assert(sizeof(Index) == sizeof(double));
    double* pinned = nullptr;
    const double* there = room(static_cast<Index>(values.size()), pinned);
    std::memcpy(pinned, values.data(), values.size_bytes());
    return reinterpret_cast<const Index*>(there);
}

const double* CudaDesign::Inputs::room(Index size, double*& pinned) {
    pinned = lane_.pinned_inputs.doubles() + used_;
    const double* there = lane_.inputs.data() + used_;
    used_ += size;
    return there;
}

void CudaDesign::Inputs::send() {
    SVEN_CUDA(cudaMemcpyAsync(lane_.inputs.data(), lane_.pinned_inputs.get(),
                              static_cast<std::size_t>(used_) * 8, cudaMemcpyHostToDevice,
                              lane_.stream));
}

void CudaDesign::ensure_resident(const Execution& execution) const {
    if (!is_resident()) make_resident(execution, 0, {});
}

const double* CudaDesign::ensure_columns(const Execution& execution) const {
    if (ready_shift_.load(std::memory_order_acquire) != shift_version_) {
        const std::lock_guard lock(mutex_);
        const Settled settled{*this};
        ensure_resident(execution);
        (void)device_shift();
        main_.stream.synchronize();
        ready_shift_.store(shift_version_, std::memory_order_release);
    }
    return shift_.empty() ? nullptr : device_shift_.data();
}

const double* CudaDesign::device_shift() const {
    if (shift_.empty()) return nullptr;
    if (uploaded_shift_ != shift_version_) {
        device_shift_.reserve(cols());
        SVEN_CUDA(cudaMemcpyAsync(device_shift_.data(), shift_.data(), shift_.size() * 8,
                                  cudaMemcpyHostToDevice, main_.stream));
        main_.stream.synchronize();
        uploaded_shift_ = shift_version_;
    }
    return device_shift_.data();
}

const linalg::Design& CudaDesign::shifted_host() const {
    const std::lock_guard lock(host_mutex_);
    if (host_shift_ != shift_version_) {
        host_->set_shift(shift_);
        host_shift_ = shift_version_;
    }
    return *host_;
}

// Members of a cross-validation ask all the time: they must not wait for the device's work.
bool CudaDesign::has_host() const {
    std::call_once(asked_for_copy_, [&] {
        const std::lock_guard lock(mutex_);
        if (host_ == nullptr) host_ = copy_to_host();
    });
    return host_ != nullptr;
}

bool CudaDesign::is_for_host(double columns) const {
    return (!keeps_columns() || columns * column_bytes() <= host_bytes) && has_host();
}

namespace {

[[noreturn]] void refuse_columns() {
    throw DeviceError("X is not kept on the device");
}

}  // namespace

void CudaDesign::launch_dot(const ColumnSet&, const double*, double*, const Stream&) const {
    refuse_columns();
}
void CudaDesign::launch_gather(const ColumnSet&, double*, const Stream&) const {
    refuse_columns();
}
void CudaDesign::launch_multiply(const ColumnSet&, const double*, double*, double*,
                                 const Stream&) const {
    refuse_columns();
}

void CudaDesign::Lane::download(const double* from, Index size) {
    results.reserve(static_cast<std::size_t>(size) * 8);
    SVEN_CUDA(cudaMemcpyAsync(results.get(), from, static_cast<std::size_t>(size) * 8,
                              cudaMemcpyDeviceToHost, stream));
    stream.synchronize();
}

PanelData CudaDesign::send_panel(const Panel& Q, const Execution& execution) const {
    const Index size = rows() * Q.stride();
    Inputs inputs(main_, size);
    const double* there = inputs.put({Q.row(0), static_cast<std::size_t>(size)}, execution.threads);
    inputs.send();
    return {there, Q.stride()};
}

void CudaDesign::correlate(const Panel& Q, const Execution& execution,
                           const TileConsumer& consume) const {
    if (cols() == 0) return;
    const std::lock_guard lock(mutex_);
    const Settled settled{*this};
    ensure_resident(execution);
    const PanelData panel = send_panel(Q, execution);
    const Index stride = panel.stride;
    const double* shift = device_shift();
    const Index unit = chunk_tiles * tile_columns;
    const Index chunk =
        ((cols() + correlate_chunks - 1) / correlate_chunks + unit - 1) / unit * unit;
    main_.out.reserve(cols() * stride);
    main_.results.reserve(static_cast<std::size_t>(cols() * stride) * 8);
    const Index last = (cols() - 1) % chunk + 1;
    main_.partial.reserve(
        std::max(scratch_of(std::min(chunk, cols()), stride), scratch_of(last, stride)));
    std::size_t part = 0;
    for (Index begin = 0; begin < cols(); begin += chunk, ++part) {
        const Index count = std::min(chunk, cols() - begin);
        if (part == ready_.size()) {
            ready_.push_back(std::make_unique<Event>());
            arrived_.push_back(std::make_unique<Event>());
        }
        double* out = main_.out.data() + begin * stride;
        launch_correlate({nullptr, begin, count, shift}, panel, out, main_.partial.data());
        ready_[part]->record(main_.stream);
        ready_[part]->hold(copies_);
        SVEN_CUDA(cudaMemcpyAsync(main_.results.doubles() + begin * stride, out,
                                  static_cast<std::size_t>(count * stride) * 8,
                                  cudaMemcpyDeviceToHost, copies_));
        arrived_[part]->record(copies_);
    }
    hand_out(stride, execution, consume, chunk);
}

// The host's threads consume a chunk while the next ones are copied.
void CudaDesign::hand_out(Index stride, const Execution& execution, const TileConsumer& consume,
                          Index chunk) const {
    std::size_t part = 0;
    for (Index begin = 0; begin < cols(); begin += chunk, ++part) {
        const Index count = std::min(chunk, cols() - begin);
        arrived_[part]->wait_on_host();
        const double work = consumed_operations * static_cast<double>(count * stride);
        linalg::parallel_for(execution, execution.team_for(work),
                             (count + tile_columns - 1) / tile_columns, [&](Index t) {
                                 const Index first = begin + t * tile_columns;
                                 consume(first, std::min(tile_columns, begin + count - first),
                                         main_.results.doubles() + first * stride);
                             });
    }
}

std::unique_ptr<linalg::LaneTable> CudaDesign::make_table(
    const linalg::TableColumns& columns) const {
    return cuda::make_table(cols(), columns);
}

void CudaDesign::tabulate(const Panel& Q, const Execution& execution,
                          std::span<linalg::LaneTable* const> tables) const {
    // Nobody makes other products while tables read these, also after an exception.
    struct AllSettled {
        std::span<linalg::LaneTable* const> tables;
        ~AllSettled() {
            for (const linalg::LaneTable* table : tables)
                static_cast<const Table*>(table)->settle();
        }
    };
    const std::lock_guard lock(mutex_);
    const Settled settled{*this};
    const AllSettled all_settled{tables};
    ensure_resident(execution);
    const PanelData panel = send_panel(Q, execution);
    main_.partial.reserve(scratch_of(cols(), panel.stride));
    double* const out = main_.out.reserve(cols() * panel.stride);
    launch_correlate({nullptr, 0, cols(), device_shift()}, panel, out, main_.partial.data());
    for (linalg::LaneTable* table : tables)
        static_cast<Table*>(table)->take(out, panel.stride, main_.stream);
    for (linalg::LaneTable* table : tables) static_cast<Table*>(table)->wait();
}

void CudaDesign::correlate_list(std::span<const Index> columns, const Panel& Q,
                                const Execution& execution, double* out) const {
    if (columns.empty()) return;
    if (is_for_host(static_cast<double>(columns.size()))) {
        shifted_host().correlate_list(columns, Q, execution, out);
        return;
    }
    const std::lock_guard lock(mutex_);
    const Settled settled{*this};
    ensure_resident(execution);
    const auto count = static_cast<Index>(columns.size());
    const Index size = rows() * Q.stride();
    Inputs inputs(main_, size + count);
    const double* there = inputs.put({Q.row(0), static_cast<std::size_t>(size)}, execution.threads);
    const Index* list = inputs.put(columns);
    inputs.send();
    main_.out.reserve(count * Q.stride());
    main_.partial.reserve(scratch_of(count, Q.stride()));
    launch_correlate({list, 0, count, device_shift()}, {there, Q.stride()}, main_.out.data(),
                     main_.partial.data());
    main_.download(main_.out.data(), count * Q.stride());
    std::copy_n(main_.results.doubles(), count * Q.stride(), out);
}

void CudaDesign::correlate_some(std::span<const Index> columns, std::span<const double> q,
                                const Execution& execution, double* out) const {
    if (columns.empty()) return;
    if (is_for_host(static_cast<double>(columns.size()))) {
        shifted_host().correlate_some(columns, q, execution, out);
        return;
    }
    const double* shift = ensure_columns(execution);
    const auto count = static_cast<Index>(columns.size());
    const LaneUse lane(*this);
    Inputs inputs(*lane, rows() + count);
    const double* there = inputs.put(q, execution.threads);
    const Index* list = inputs.put(columns);
    inputs.send();
    lane->out.reserve(count);
    launch_dot({list, 0, count, shift}, there, lane->out.data(), lane->stream);
    lane->download(lane->out.data(), count);
    std::copy_n(lane->results.doubles(), count, out);
}

void CudaDesign::gather(std::span<const Index> columns, const Execution& execution, double* out,
                        Index stride) const {
    if (columns.empty()) return;
    if (has_host()) {
        shifted_host().gather(columns, execution, out, stride);
        return;
    }
    const double* shift = ensure_columns(execution);
    const auto count = static_cast<Index>(columns.size());
    const LaneUse lane(*this);
    Inputs inputs(*lane, count);
    const Index* list = inputs.put(columns);
    inputs.send();
    // a limited number of columns at a time, since pinned memory is scarce
    const Index most = std::max<Index>(1, gathered_doubles / std::max<Index>(1, rows()));
    for (Index begin = 0; begin < count; begin += most) {
        const Index part = std::min(most, count - begin);
        lane->out.reserve(part * rows());
        launch_gather({list + begin, 0, part, shift}, lane->out.data(), lane->stream);
        lane->download(lane->out.data(), part * rows());
        const double* found = lane->results.doubles();
        linalg::parallel_ranges(execution.team_for(static_cast<double>(part * rows())), part, 1,
                                [&](Index first, Index last) {
                                    for (Index c = first; c < last; ++c)
                                        std::copy_n(found + c * rows(), rows(),
                                                    out + (begin + c) * stride);
                                });
    }
}

void CudaDesign::gather_there(std::span<const Index> columns, const Execution& execution,
                              double* out) const {
    if (columns.empty()) return;
    const auto count = static_cast<Index>(columns.size());
    if (keeps_columns()) {
        const double* shift = ensure_columns(execution);
        const LaneUse lane(*this);
        Inputs inputs(*lane, count);
        const Index* list = inputs.put(columns);
        inputs.send();
        launch_gather({list, 0, count, shift}, out, lane->stream);
        lane->stream.synchronize();
        return;
    }
    const linalg::Design& host = shifted_host();
    const LaneUse lane(*this);
    const Index most = std::max<Index>(1, gathered_doubles / std::max<Index>(1, rows()));
    for (Index begin = 0; begin < count; begin += most) {
        const Index part = std::min(most, count - begin);
        const auto bytes = static_cast<std::size_t>(part * rows()) * 8;
        lane->results.reserve(bytes);
        host.gather(
            columns.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(part)),
            execution, lane->results.doubles(), rows());
        SVEN_CUDA(cudaMemcpyAsync(out + begin * rows(), lane->results.get(), bytes,
                                  cudaMemcpyHostToDevice, lane->stream));
        lane->stream.synchronize();
    }
}

void CudaDesign::multiply(std::span<const Index> columns, std::span<const double> values,
                          const Execution& execution, double* out) const {
    if (columns.empty()) {
        std::fill_n(out, rows(), 0.0);
        return;
    }
    // Scattered sums have a fixed order only on one thread: the host computes them.
    if (is_sparse() ? has_host() : is_for_host(static_cast<double>(columns.size()))) {
        shifted_host().multiply(columns, values, execution, out);
        return;
    }
    const double* shift = ensure_columns(execution);
    const auto count = static_cast<Index>(columns.size());
    const LaneUse lane(*this);
    Inputs inputs(*lane, 2 * count);
    const Index* list = inputs.put(columns);
    const double* coefficients = inputs.put(values);
    inputs.send();
    lane->out.reserve(rows());
    lane->partial.reserve(multiply_scratch(rows(), count));
    launch_multiply({list, 0, count, shift}, coefficients, lane->out.data(), lane->partial.data(),
                    lane->stream);
    lane->download(lane->out.data(), rows());
    std::copy_n(lane->results.doubles(), rows(), out);
}

}  // namespace sven::cuda
