#pragma once
// The products of all columns with the lanes of a block of settings, kept where they were made, on
// a device. What a path asks of all of them at once is answered there, so that a few numbers come
// back instead of a row for each column. Columns are scaled, and their products corrected as by
// ScaledDesign.

#include <array>
#include <span>

#include "linalg/panel.hpp"
#include "linalg/systems.hpp"

namespace sven::linalg {

// The columns as a table sees them; kept by reference while it is made, the scales for longer.
struct TableColumns {
    ColumnScales scales;
    std::span<const double> norms;   // of the scaled columns
    std::span<const char> left_out;  // not 0: never looked at
};

// A block: which lanes of the panel it has, and what is to be told of their products.
struct LaneBlock {
    Index first = 0;  // of its lanes in the panel
    Index count = 0;
    std::array<double, lane_group> sums{};  // over the rows of each lane, as fill_lane gave them
    // Columns whose rows are wanted as they are, and which no peak counts; kept by reference.
    std::span<const Index> apart;
};

// Keeps columns with |product + step slope| > bound.
struct LaneRule {
    double step = 0;
    double bound = 0;
};

class LaneTable {
  public:
    virtual ~LaneTable() = default;

    // Before Design::tabulate, which makes the products.
    virtual void begin(const LaneBlock& block) = 0;

    // What tabulate() found, until the next call: columns of a tile, and for each tile the largest
    // |product| of every lane.
    virtual Index tile() const = 0;
    virtual std::span<const double> peaks() const = 0;
    // The rows of the columns apart, in their order.
    virtual std::span<const double> rows_apart() const = 0;

    // Row j goes to rows + 8 j: of some columns, or of all.
    virtual void fetch(std::span<const Index> columns, double* rows) = 0;
    virtual void fetch_all(double* rows) = 0;
    // One lane, by column.
    virtual void fetch_lane(Index lane, double* products) = 0;
    // How many columns have |product| + slope norm < limit, lane by lane; those left out do.
    virtual std::array<Index, lane_group> count_below(
        const std::array<double, lane_group>& slopes,
        const std::array<double, lane_group>& limits) = 0;
    // By column, the first of at most 255 rules that keeps it, or `none`: only columns that the
    // last rule keeps are, and none that is left out. The slopes are in the lane behind `lane`;
    // they are not read where all steps are zero.
    virtual void first_kept(Index lane, std::span<const LaneRule> rules, unsigned char none,
                            unsigned char* first) = 0;
};

}  // namespace sven::linalg
