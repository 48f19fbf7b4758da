#pragma once
// Columns of a sparse X that are used over and over, kept by rows: a combination of them is then a
// sum for each row, which any number of threads can share, and their products with each other need
// only the entries that meet in a row.

#include <cstdint>
#include <limits>
#include <vector>

#include "linalg/design.hpp"

namespace sven::linalg {

class SelectedRows {
  public:
    // Rows are noted in 32 bits.
    static constexpr Index most_rows = std::numeric_limits<std::int32_t>::max();

    // Counts and then hands over the entries of the selection: both call note(row, column, x), with
    // columns by their place in the selection and ascending within a row.
    template <class ForEntries>
    SelectedRows(Index rows, Index columns, const ForEntries& for_entries) : columns_(columns) {
        std::vector<Index> next(static_cast<std::size_t>(rows), 0);
        for_entries([&](Index i, Index /*c*/, double /*x*/) { ++next[i]; });
        lay_out_by_length(next, row_, offsets_);
        place_.resize(static_cast<std::size_t>(offsets_.back()));
        value_.resize(place_.size());
        for_entries([&](Index i, Index c, double x) {
            place_[next[i]] = static_cast<std::int32_t>(c);
            value_[next[i]++] = x;
        });
        lay_out_runs();
    }

    Index columns() const { return columns_; }

    // out[i] = sum over c of values[c] x_ic.
    void multiply(std::span<const double> values, const Execution& execution, double* out) const;
    // out[c] = sum over i of x_ic v[i], in the order of the design's own products: the same bits.
    // The entries are laid out by columns at the first call, one behind the other, where X has them
    // scattered.
    void correlate(std::span<const double> v, const Execution& execution, double* out);
    // Multiplications of `products` with these columns and all of the selection.
    double products_cost(Index first) const;
    // G[a stride + b] = sum over i of w_i x_ia x_ib for b in [first, columns()) and a <= b.
    void products(Index first, RowWeights weights, const Execution& execution, double* G,
                  Index stride) const;

  private:
    // Room for lists of these lengths, one behind the other: which list comes at each place, and
    // where it begins. The lengths become where each list is to be filled.
    static void lay_out_by_length(std::vector<Index>& lengths, std::vector<std::int32_t>& list,
                                  std::vector<Index>& offsets);
    // Entries of a row whose columns are in one group of columns.
    struct Run {
        std::int32_t row;  // by its place
        std::int32_t count;
        Index begin;
    };
    void lay_out_columns();
    void lay_out_runs();
    Index rows() const { return static_cast<Index>(offsets_.size()) - 1; }

    Index columns_;
    std::vector<std::int32_t> row_;  // at each place: rows come by their lengths
    std::vector<Index> offsets_;     // by place
    std::vector<std::int32_t> place_;
    std::vector<double> value_;
    std::vector<Run> runs_;              // by groups of columns, places ascending within a group
    std::vector<Index> run_offsets_;     // of the groups
    std::vector<std::int32_t> column_;   // at each place, by columns; empty until it is asked for
    std::vector<Index> column_offsets_;  // by place
    std::vector<std::int32_t> column_row_;
    std::vector<double> column_value_;
};

}  // namespace sven::linalg
