#pragma once
// The tables of a device, kept by the host: what paths ask of a device can be tested without one.

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "linalg/lane_table.hpp"
#include "support/counting_design.hpp"

namespace sven::test {

struct TableCounts {
    Index blocks = 0;   // of products
    Index fetched = 0;  // rows, one by one
    Index all = 0;      // times that all rows were fetched
    Index lanes = 0;    // fetched
    Index looks = 0;    // by rules
    Index counts = 0;   // of products below a bound
};

// By plain loops, with tiles of an odd size.
class HostTable final : public linalg::LaneTable {
  public:
    HostTable(Index cols, const linalg::TableColumns& columns, TableCounts& counts)
        : cols_(cols),
          scales_(columns.scales),
          norms_(columns.norms.begin(), columns.norms.end()),
          left_out_(columns.left_out.begin(), columns.left_out.end()),
          rows_(static_cast<std::size_t>(lanes * cols)),
          counts_(counts) {}

    void begin(const linalg::LaneBlock& block) override {
        block_ = block;
        apart_.assign(block.apart.begin(), block.apart.end());
    }
    void take(Index j, const double* products) {
        for (Index i = 0; i < lanes; ++i)
            rows_[lanes * j + i] =
                i < block_.count
                    ? (products[block_.first + i] - scales_.offset[j] * block_.sums[i]) *
                          scales_.inverse_scale[j]
                    : 0;
    }
    void finish() {
        ++counts_.blocks;
        std::vector<char> apart = left_out_;
        for (const Index j : apart_) apart[j] = 1;
        peaks_.assign(static_cast<std::size_t>(lanes * ((cols_ + tile() - 1) / tile())), 0.0);
        for (Index j = 0; j < cols_; ++j)
            for (Index i = 0; i < lanes && apart[j] == 0; ++i) {
                double& peak = peaks_[lanes * (j / tile()) + i];
                peak = std::max(peak, std::abs(rows_[lanes * j + i]));
            }
        rows_apart_.clear();
        for (const Index j : apart_)
            rows_apart_.insert(rows_apart_.end(), rows_.begin() + lanes * j,
                               rows_.begin() + lanes * (j + 1));
    }

    Index tile() const override { return 64; }
    std::span<const double> peaks() const override { return peaks_; }
    std::span<const double> rows_apart() const override { return rows_apart_; }
    void fetch(std::span<const Index> columns, double* rows) override {
        counts_.fetched += static_cast<Index>(columns.size());
        for (const Index j : columns)
            std::copy_n(rows_.begin() + lanes * j, lanes, rows + lanes * j);
        spoil();
    }
    void fetch_all(double* rows) override {
        ++counts_.all;
        std::copy(rows_.begin(), rows_.end(), rows);
        spoil();
    }
    void fetch_lane(Index lane, double* products) override {
        ++counts_.lanes;
        for (Index j = 0; j < cols_; ++j) products[j] = rows_[lanes * j + lane];
        spoil();
    }
    std::array<Index, linalg::lane_group> count_below(
        const std::array<double, linalg::lane_group>& slopes,
        const std::array<double, linalg::lane_group>& limits) override {
        ++counts_.counts;
        std::array<Index, linalg::lane_group> below{};
        for (Index j = 0; j < cols_; ++j)
            for (std::size_t i = 0; i < below.size(); ++i) {
                const double size = std::abs(rows_[lanes * j + static_cast<Index>(i)]);
                below[i] += left_out_[j] != 0 || size + slopes[i] * norms_[j] < limits[i] ? 1 : 0;
            }
        spoil();
        return below;
    }
    void first_kept(Index lane, std::span<const linalg::LaneRule> rules, unsigned char none,
                    unsigned char* first) override {
        ++counts_.looks;
        for (Index j = 0; j < cols_; ++j) {
            const double* row = rows_.data() + lanes * j + lane;
            const auto keeps = [&](const linalg::LaneRule& rule) {
                return std::abs(row[0] + (rule.step == 0 ? 0 : rule.step * row[1])) > rule.bound;
            };
            const auto kept = std::find_if(rules.begin(), rules.end(), keeps);
            const bool is_kept = left_out_[j] == 0 && keeps(rules.back());
            first[j] = is_kept ? static_cast<unsigned char>(kept - rules.begin()) : none;
        }
        spoil();
    }

  private:
    static constexpr Index lanes = linalg::lane_group;

    // What was found is there until the next call.
    void spoil() {
        std::fill(peaks_.begin(), peaks_.end(), -1e300);
        std::fill(rows_apart_.begin(), rows_apart_.end(), 1e300);
    }

    Index cols_;
    linalg::ColumnScales scales_;
    std::vector<double> norms_;
    std::vector<char> left_out_;
    std::vector<double> rows_, peaks_, rows_apart_;
    linalg::LaneBlock block_;
    std::vector<Index> apart_;
    TableCounts& counts_;
};

class DesignWithTables final : public CountingDesign {
  public:
    using CountingDesign::CountingDesign;

    const TableCounts& counts() const { return counts_; }
    std::unique_ptr<linalg::LaneTable> make_table(
        const linalg::TableColumns& columns) const override {
        return std::make_unique<HostTable>(cols(), columns, counts_);
    }
    void tabulate(const linalg::Panel& Q, const linalg::Execution& execution,
                  std::span<linalg::LaneTable* const> tables) const override {
        correlate(Q, execution, [&](Index begin, Index count, const double* tile) {
            for (linalg::LaneTable* table : tables)
                for (Index c = 0; c < count; ++c)
                    static_cast<HostTable*>(table)->take(begin + c, tile + c * Q.stride());
        });
        for (linalg::LaneTable* table : tables) static_cast<HostTable*>(table)->finish();
    }

  private:
    mutable TableCounts counts_;
};

}  // namespace sven::test
