#include "cuda/tables.hpp"

#include <algorithm>
#include <cstring>

#include "cuda/tuning.hpp"
#include "sven/error.hpp"

namespace sven::cuda {
namespace {

// Doubles that so many bytes take.
Index doubles_for(Index bytes) {
    return (bytes + 7) / 8;
}

}  // namespace

Table::Table(Index cols, const linalg::TableColumns& columns) {
    data_.cols = cols;
    double* const rows = columns_.reserve((lanes + 3) * cols);
    unsigned char* const marks = marks_.reserve(2 * cols);
    double* const numbers = rows + lanes * cols;
    data_.rows = rows;
    data_.offset = numbers;
    data_.scale = numbers + cols;
    data_.norms = numbers + 2 * cols;
    data_.left = marks;
    data_.apart = marks + cols;
    pinned_.reserve(static_cast<std::size_t>(3 * cols) * 8 + static_cast<std::size_t>(cols));
    double* to = pinned_.doubles();
    to = std::copy(columns.scales.offset.begin(), columns.scales.offset.end(), to);
    to = std::copy(columns.scales.inverse_scale.begin(), columns.scales.inverse_scale.end(), to);
    to = std::copy(columns.norms.begin(), columns.norms.end(), to);
    std::memcpy(to, columns.left_out.data(), columns.left_out.size());
    SVEN_CUDA(cudaMemcpyAsync(numbers, pinned_.get(), static_cast<std::size_t>(3 * cols) * 8,
                              cudaMemcpyHostToDevice, stream_));
    SVEN_CUDA(cudaMemcpyAsync(marks, to, static_cast<std::size_t>(cols), cudaMemcpyHostToDevice,
                              stream_));
    // of any answer but all rows at once
    results_.reserve(cols);
    list_.reserve(cols);
    stream_.synchronize();
}

Table::~Table() {
    settle();
}

void Table::begin(const linalg::LaneBlock& block) {
    first_ = block.first;
    block_.count = block.count;
    std::copy(block.sums.begin(), block.sums.end(), block_.sums);
    apart_.assign(block.apart.begin(), block.apart.end());
}

void Table::take(const double* products, Index stride, const Stream& made) {
    const auto count = static_cast<Index>(apart_.size());
    const Index* const list = send(apart_);
    set_apart(data_, list, count, stream_);
    const Index size = lanes * (tiles() + count);
    double* const peaks = results_.reserve(size);
    pinned_.reserve(static_cast<std::size_t>(size) * 8);
    made_.record(made);
    made_.hold(stream_);
    block_.products = products + first_;
    block_.stride = stride;
    fill_table(data_, block_, peaks, stream_);
    copy_rows(data_, list, count, peaks + lanes * tiles(), stream_);
    SVEN_CUDA(cudaMemcpyAsync(pinned_.get(), peaks, static_cast<std::size_t>(size) * 8,
                              cudaMemcpyDeviceToHost, stream_));
}

void Table::wait() {
    stream_.synchronize();
}

void Table::settle() const noexcept {
    cudaStreamSynchronize(stream_);
}

std::span<const double> Table::peaks() const {
    return {pinned_.doubles(), static_cast<std::size_t>(lanes * tiles())};
}

std::span<const double> Table::rows_apart() const {
    return {pinned_.doubles() + lanes * tiles(), lanes * apart_.size()};
}

const Index* Table::send(std::span<const Index> list) {
    pinned_list_.reserve(std::max<std::size_t>(8, list.size_bytes()));
    Index* const there = list_.reserve(std::max<Index>(1, static_cast<Index>(list.size())));
    if (list.empty()) return there;
    std::memcpy(pinned_list_.get(), list.data(), list.size_bytes());
    SVEN_CUDA(cudaMemcpyAsync(there, pinned_list_.get(), list.size_bytes(), cudaMemcpyHostToDevice,
                              stream_));
    return there;
}

void Table::copy_back(const double* from, Index size) {
    pinned_.reserve(static_cast<std::size_t>(size) * 8);
    SVEN_CUDA(cudaMemcpyAsync(pinned_.get(), from, static_cast<std::size_t>(size) * 8,
                              cudaMemcpyDeviceToHost, stream_));
    stream_.synchronize();
}

void Table::fetch(std::span<const Index> columns, double* rows) {
    if (columns.empty()) return;
    const auto count = static_cast<Index>(columns.size());
    double* const out = results_.reserve(lanes * count);
    copy_rows(data_, send(columns), count, out, stream_);
    copy_back(out, lanes * count);
    for (Index k = 0; k < count; ++k)
        std::copy_n(pinned_.doubles() + lanes * k, lanes, rows + lanes * columns[k]);
}

void Table::fetch_all(double* rows) {
    copy_back(data_.rows, lanes * data_.cols);
    std::copy_n(pinned_.doubles(), lanes * data_.cols, rows);
}

void Table::fetch_lane(Index lane, double* products) {
    double* const out = results_.reserve(data_.cols);
    copy_lane(data_, lane, out, stream_);
    copy_back(out, data_.cols);
    std::copy_n(pinned_.doubles(), data_.cols, products);
}

std::array<Index, linalg::lane_group> Table::count_below(
    const std::array<double, linalg::lane_group>& slopes,
    const std::array<double, linalg::lane_group>& limits) {
    static_assert(sizeof(Index) == sizeof(unsigned long long) && sizeof(Index) == sizeof(double));
    TableBounds bounds;
    std::copy(slopes.begin(), slopes.end(), bounds.slope);
    std::copy(limits.begin(), limits.end(), bounds.limit);
    double* const counts = results_.reserve(lanes);
    SVEN_CUDA(cudaMemsetAsync(counts, 0, static_cast<std::size_t>(lanes) * 8, stream_));
    cuda::count_below(data_, bounds, reinterpret_cast<unsigned long long*>(counts), stream_);
    copy_back(counts, lanes);
    std::array<Index, linalg::lane_group> found{};
    std::memcpy(found.data(), pinned_.get(), sizeof found);
    return found;
}

void Table::first_kept(Index lane, std::span<const linalg::LaneRule> rules, unsigned char none,
                       unsigned char* first) {
    TableRules there;
    there.lane = lane;
    there.count = static_cast<int>(rules.size());
    there.none = none;
    for (std::size_t i = 0; i < rules.size(); ++i) {
        there.step[i] = rules[i].step;
        there.bound[i] = rules[i].bound;
        there.has_steps = there.has_steps || rules[i].step != 0;
    }
    const Index size = doubles_for(data_.cols);
    double* const out = results_.reserve(size);
    find_first(data_, there, reinterpret_cast<unsigned char*>(out), stream_);
    copy_back(out, size);
    std::memcpy(first, pinned_.get(), static_cast<std::size_t>(data_.cols));
}

std::unique_ptr<linalg::LaneTable> make_table(Index cols, const linalg::TableColumns& columns) {
    if (cols < least_table_columns ||
        static_cast<double>(cols) * table_bytes_a_column > usable_share * free_memory())
        return nullptr;
    try {
        return std::make_unique<Table>(cols, columns);
    } catch (const DeviceError&) {  // others took the room, or there is no pinned memory
        return nullptr;
    }
}

}  // namespace sven::cuda
