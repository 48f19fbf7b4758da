#include "cuda/design.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

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

void CudaDesign::correlate(const Panel& Q, const Execution& execution,
                           const TileConsumer& consume) const {
    if (cols() == 0) return;
    const std::lock_guard lock(mutex_);
    const Settled settled{*this};
    ensure_resident(execution);
    const Index stride = Q.stride();
    const Index size = rows() * stride;
    Inputs inputs(main_, size);
    const double* there = inputs.put({Q.row(0), static_cast<std::size_t>(size)}, execution.threads);
    inputs.send();
    const PanelData panel{there, stride};
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

linalg::ColumnMoments CudaDesign::moments(linalg::RowWeights weights, std::span<const double> v,
                                          const Execution& execution) const {
    linalg::ColumnMoments m;
    if (cols() == 0) return m;
    const Index p = cols();
    const LaneUse lane(*this);  // for its pinned memory: the next caller's pass need not wait
    lane->results.reserve(static_cast<std::size_t>(5 * p) * 8);
    {
        const std::lock_guard lock(mutex_);
        const Settled settled{*this};
        ensure_resident(execution);
        Inputs inputs(main_, 2 * rows());
        RowInputs input;
        input.v = inputs.put(v, execution.threads);
        if (!weights.empty()) input.weights = inputs.put(weights, execution.threads);
        inputs.send();
        for (Index i = 0; i < rows(); ++i) {
            const double w = weights.empty() ? 1 : weights[i];
            input.total_weight += w;
            input.total_v += v[i];
            input.counted += w != 0 ? 1 : 0;
        }
        double* out = main_.out.reserve(5 * p);
        main_.partial.reserve(moments_scratch(rows(), p));
        launch_moments(input, {out, out + p, out + 2 * p, out + 3 * p, out + 4 * p},
                       main_.partial.data());
        SVEN_CUDA(cudaMemcpyAsync(lane->results.get(), out, static_cast<std::size_t>(5 * p) * 8,
                                  cudaMemcpyDeviceToHost, stream()));
        main_.stream.synchronize();
    }
    const double* result = lane->results.doubles();
    m.mean.assign(result, result + p);
    m.centred_sum.assign(result + p, result + 2 * p);
    m.squares.assign(result + 2 * p, result + 3 * p);
    m.products.assign(result + 3 * p, result + 4 * p);
    m.is_constant.resize(static_cast<std::size_t>(p));
    for (Index j = 0; j < p; ++j) m.is_constant[j] = result[4 * p + j] != 0 ? 1 : 0;
    return m;
}

// One pass for each; the host takes the results of one out while the device makes the next.
Index CudaDesign::moments_of(std::span<const linalg::MomentRequest> requests,
                             const Execution& execution,
                             std::span<linalg::ColumnMoments> out) const {
    const auto count = static_cast<Index>(requests.size());
    {
        const std::lock_guard lock(mutex_);
        const Settled settled{*this};
        if (keeps_columns()) ensure_resident(execution);
    }
    if (!keeps_columns()) return Design::moments_of(requests, execution, out);
    const Execution alone{count > 1 ? 1 : execution.threads, execution.cancel};
    linalg::parallel_for(execution, {execution.threads}, count, [&](Index k) {
        out[k] = moments(requests[k].weights, requests[k].v, alone);
    });
    return count;
}

void CudaDesign::pack_rows(Index begin, Index end, std::span<const double> centre,
                           const double* row_factors, double* panels) const {
    if (host_ != nullptr) {
        host_->pack_rows(begin, end, centre, row_factors, panels);
        return;
    }
    if (cols() == 0) return;
    std::vector<Index> list(static_cast<std::size_t>(end - begin));
    std::iota(list.begin(), list.end(), begin);
    const std::lock_guard lock(mutex_);
    fetch_rows(list, centre.first(static_cast<std::size_t>(cols())));
    constexpr Index width = linalg::gram_width;
    const Index n = end - begin;
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < cols(); ++j)
            panels[(j / width * n + i) * width + j % width] =
                main_.results.doubles()[fills_columns() ? j * n + i : i * cols() + j] *
                (row_factors == nullptr ? 1 : row_factors[i]);
}

linalg::RowSample CudaDesign::sample_rows() const {
    if (host_ != nullptr) return host_->sample_rows();
    const Index samples = cols() == 0 ? 0 : std::min(rows(), sampled_rows);
    linalg::RowSample sample{samples, {}};
    sample.values.resize(static_cast<std::size_t>(samples * cols()));
    if (samples == 0) return sample;
    std::vector<Index> list;
    for (Index s = 0; s < samples; ++s) list.push_back(rows() * s / samples);
    const std::lock_guard lock(mutex_);
    fetch_rows(list, std::vector<double>(static_cast<std::size_t>(cols())));  // about zero
    for (Index j = 0; j < cols(); ++j)
        for (Index i = 0; i < samples; ++i)
            sample.values[j * samples + i] =
                main_.results.doubles()[fills_columns() ? j * samples + i : i * cols() + j];
    return sample;
}

// Copies rows of a resident X to main_.results, minus `centre`, in the order of fills_columns.
void CudaDesign::fetch_rows(std::span<const Index> list, std::span<const double> centre) const {
    const Settled settled{*this};
    const auto n = static_cast<Index>(list.size());
    Inputs inputs(main_, n + (is_sparse() ? rows() : 0) + cols());
    RowBlock block;
    block.list = inputs.put(list);
    if (is_sparse()) {
        std::vector<Index> position(static_cast<std::size_t>(rows()), -1);
        for (Index i = 0; i < n; ++i) position[list[i]] = i;
        block.position = inputs.put(position);
    }
    block.centre = inputs.put(centre);
    inputs.send();
    block.count = block.valid = n;
    block.width = cols();
    main_.out.reserve(n * cols());
    launch_fill(block, main_.out.data());
    main_.download(main_.out.data(), n * cols());
}

}  // namespace sven::cuda
