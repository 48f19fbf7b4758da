// Tables on the GPU against plain loops over the same products.

#include <gtest/gtest.h>

#include <cmath>

#include "support/back_end.hpp"
#include "support/host_table.hpp"
#include "support/problems.hpp"

namespace sven::test {
namespace {

constexpr Index lanes = linalg::lane_group;
constexpr unsigned char none = 255;

// What is told of the columns, and two blocks of lanes in one panel.
struct Asked {
    explicit Asked(Index n, Index p)
        : offset(random_vector(p, 61)),
          scale(random_vector(p, 62)),
          norms(random_vector(p, 63)),
          left_out(static_cast<std::size_t>(p), 0) {
        for (double& value : norms) value = std::abs(value);
        for (Index j = 0; j < p; j += 97) left_out[j] = 1;
        for (Index j = 5; j < p; j += 411) apart.push_back(j);
        panel.resize(n, lanes + 3);
        for (Index k = 0; k < panel.lanes(); ++k)
            panel.set_lane(k, random_vector(n, 70 + static_cast<unsigned>(k)));
        blocks[0].count = lanes;
        blocks[1].first = lanes;
        blocks[1].count = 3;
        for (linalg::LaneBlock& block : blocks) {
            block.apart = apart;
            for (std::size_t i = 0; i < block.sums.size(); ++i)
                block.sums[i] = 0.5 * static_cast<double>(i + 1);
        }
    }
    linalg::TableColumns columns() const { return {{offset, scale, {}}, norms, left_out}; }

    std::vector<double> offset, scale, norms;
    std::vector<char> left_out;
    std::vector<Index> apart;
    linalg::Panel panel;
    std::array<linalg::LaneBlock, 2> blocks;
};

void expect_near(std::span<const double> found, std::span<const double> expected) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t k = 0; k < found.size(); ++k)
        ASSERT_NEAR(found[k], expected[k], 1e-11 * (1 + std::abs(expected[k]))) << k;
}

std::vector<double> all_rows(linalg::LaneTable& table, Index p) {
    std::vector<double> rows(static_cast<std::size_t>(lanes * p));
    table.fetch_all(rows.data());
    return rows;
}

// The largest of each lane over the columns that are looked at, a tile after the other.
void expect_peaks(const linalg::LaneTable& table, const Asked& asked,
                  std::span<const double> rows) {
    const auto p = static_cast<Index>(asked.offset.size());
    std::vector<char> apart = asked.left_out;
    for (const Index j : asked.apart) apart[j] = 1;
    std::vector<double> peaks(table.peaks().size());
    ASSERT_EQ(static_cast<Index>(peaks.size()), lanes * ((p + table.tile() - 1) / table.tile()));
    for (Index j = 0; j < p; ++j)
        for (Index i = 0; i < lanes && apart[j] == 0; ++i) {
            double& peak = peaks[lanes * (j / table.tile()) + i];
            peak = std::max(peak, std::abs(rows[lanes * j + i]));
        }
    expect_near(table.peaks(), peaks);
}

void expect_answers(linalg::LaneTable& table, linalg::LaneTable& expected, const Asked& asked) {
    const auto p = static_cast<Index>(asked.offset.size());
    const std::vector<double> apart(expected.rows_apart().begin(), expected.rows_apart().end());
    expect_near(table.rows_apart(), apart);
    const std::vector<double> rows = all_rows(expected, p);
    expect_peaks(table, asked, rows);
    const std::vector<double> own = all_rows(table, p);
    expect_near(own, rows);

    std::vector<double> some(rows.size());
    table.fetch(asked.apart, some.data());
    for (const Index j : asked.apart)
        EXPECT_TRUE(std::equal(some.begin() + lanes * j, some.begin() + lanes * (j + 1),
                               own.begin() + lanes * j));
    std::vector<double> lane(static_cast<std::size_t>(p));
    table.fetch_lane(2, lane.data());
    for (Index j = 0; j < p; ++j) ASSERT_EQ(lane[j], own[lanes * j + 2]);

    const std::array<double, lanes> slopes{0, 1, 0.5, 0, 2, 0, 1, 0};
    const std::array<double, lanes> limits{3, 4, 5, 0, 1e300, 1, 2, 6};
    EXPECT_EQ(table.count_below(slopes, limits), expected.count_below(slopes, limits));
    const std::array<linalg::LaneRule, 3> rules{{{0.1, 8}, {0.2, 6}, {0.3, 4}}};
    const std::array<linalg::LaneRule, 1> flat{{{0, 5}}};
    for (const std::span<const linalg::LaneRule> asked_rules :
         {std::span<const linalg::LaneRule>(rules), std::span<const linalg::LaneRule>(flat)}) {
        std::vector<unsigned char> first(static_cast<std::size_t>(p));
        std::vector<unsigned char> wanted(first.size());
        table.first_kept(1, asked_rules, none, first.data());
        expected.first_kept(1, asked_rules, none, wanted.data());
        EXPECT_EQ(first, wanted);
        EXPECT_NE(std::count(first.begin(), first.end(), none), p);
    }
}

TEST(TablesOnADevice, SayWhatPlainLoopsDo) {
    constexpr Index n = 24;
    constexpr Index p = 9001;
    const std::vector<double> X = random_vector(n * p, 64);
    const Asked asked(n, p);
    for (TestedDesign& tested : tested_designs(column_major(X.data(), n, p))) {
        SCOPED_TRACE(tested.name);
        linalg::Design& design = *tested.design;
        DesignWithTables host(column_major(X.data(), n, p));
        for (const bool has_shift : {false, true}) {
            std::vector<double> shift;
            if (has_shift) shift = random_vector(p, 65);
            design.set_shift(shift);
            host.set_shift(shift);
            std::array<std::unique_ptr<linalg::LaneTable>, 2> tables, expected;
            std::vector<linalg::LaneTable*> asked_tables, expected_tables;
            for (std::size_t k = 0; k < tables.size(); ++k) {
                tables[k] = design.make_table(asked.columns());
                expected[k] = host.make_table(asked.columns());
                ASSERT_NE(tables[k], nullptr);
                tables[k]->begin(asked.blocks[k]);
                expected[k]->begin(asked.blocks[k]);
                asked_tables.push_back(tables[k].get());
                expected_tables.push_back(expected[k].get());
            }
            design.tabulate(asked.panel, {}, asked_tables);
            host.tabulate(asked.panel, {}, expected_tables);
            for (std::size_t k = 0; k < tables.size(); ++k)
                expect_answers(*tables[k], *expected[k], asked);
        }
    }
}

TEST(TablesOnADevice, AreNotMadeForFewColumns) {
    const std::vector<double> X = random_vector(24 * 100, 66);
    const Asked asked(24, 100);
    for (const TestedDesign& tested : tested_designs(column_major(X.data(), 24, 100)))
        EXPECT_EQ(tested.design->make_table(asked.columns()), nullptr);
}

}  // namespace
}  // namespace sven::test
