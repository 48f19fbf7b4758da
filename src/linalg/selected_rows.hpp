#pragma once
// Columns of a sparse X that are used over and over, kept by rows: a combination of them is then a
// sum for each row, which any number of threads can share, and their products with each other need
// only the entries that meet in a row.

#include <cstdint>
#include <limits>
#include <vector>

#include "linalg/buffer.hpp"
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
    // out[c] = sum over i of x_ic q[i], where q[i] = w_i (by.terms[i] + sum over c of values[c]
    // x_ic): both products in one visit of each row. Shares of the rows have sums of their own,
    // which are added in order.
    struct RowsBetween {
        std::span<const double> terms;
        RowWeights weights;
    };
    void multiply_twice(std::span<const double> values, const RowsBetween& by,
                        const Execution& execution, double* q, double* out);
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
    void lay_out_runs();
    void multiply_share(Index begin, Index end, std::span<const double> values,
                        const RowsBetween& by, double* q, double* out) const;
    Index rows() const { return static_cast<Index>(offsets_.size()) - 1; }

    Index columns_;
    std::vector<std::int32_t> row_;  // at each place: rows come by their lengths
    std::vector<Index> offsets_;     // by place
    std::vector<std::int32_t> place_;
    std::vector<double> value_;
    std::vector<Run> runs_;           // by groups of columns, places ascending within a group
    std::vector<Index> run_offsets_;  // of the groups
    Buffer<double> partial_;          // of multiply_twice
};

}  // namespace sven::linalg
