#pragma once
// linalg::LaneTable on the device.

#include <memory>
#include <vector>

#include "cuda/runtime.hpp"
#include "cuda/table_kernels.hpp"
#include "linalg/execution.hpp"
#include "linalg/lane_table.hpp"

namespace sven::cuda {

class Table final : public linalg::LaneTable {
  public:
    Table(Index cols, const linalg::TableColumns& columns);
    ~Table() override;
    Table(const Table&) = delete;
    Table& operator=(const Table&) = delete;

    void begin(const linalg::LaneBlock& block) override;
    // Takes its lanes of products that are made in a stream; they must stay until wait().
    void take(const double* products, Index stride, const Stream& made);
    // Until its answers are here; they stay until the next call.
    void wait();
    // Until nothing of it is under way, whatever came of it.
    void settle() const noexcept;

    Index tile() const override { return table_tile; }
    std::span<const double> peaks() const override;
    std::span<const double> rows_apart() const override;
    void fetch(std::span<const Index> columns, double* rows) override;
    void fetch_all(double* rows) override;
    void fetch_lane(Index lane, double* products) override;
    std::array<Index, linalg::lane_group> count_below(
        const std::array<double, linalg::lane_group>& slopes,
        const std::array<double, linalg::lane_group>& limits) override;
    void first_kept(Index lane, std::span<const linalg::LaneRule> rules, unsigned char none,
                    unsigned char* first) override;

  private:
    static constexpr Index lanes = linalg::lane_group;

    Index tiles() const { return (data_.cols + table_tile - 1) / table_tile; }
    // On the device, by way of pinned memory.
    const Index* send(std::span<const Index> list);
    // To pinned memory, with a wait.
    void copy_back(const double* from, Index size);

    Stream stream_;
    TableData data_;
    DeviceBuffer<double> columns_;  // rows, offset, scale, norms
    DeviceBuffer<unsigned char> marks_;
    DeviceBuffer<Index> list_;
    DeviceBuffer<double> results_;
    PinnedMemory pinned_list_, pinned_;
    Event made_;
    TableLanes block_;
    Index first_ = 0;  // lane of the panel
    std::vector<Index> apart_;
};

// Null where there is no room for it, or where the host is as fast.
std::unique_ptr<linalg::LaneTable> make_table(Index cols, const linalg::TableColumns& columns);

}  // namespace sven::cuda
