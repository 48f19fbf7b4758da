#pragma once
// The interface to the matrix X: everything that the solver asks of it. Each call does a large
// piece of work, so virtual dispatch costs nothing. Dense, sparse, memory-mapped and device
// matrices are kinds of Design. Values are promoted to double and summed in double.
//
// Columns may carry a shift. Every operation then applies to x_j - shift_j, subtracted entry by
// entry, so that columns with a mean far from zero keep their digits (maths.md, eq. 39).

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "linalg/execution.hpp"
#include "linalg/kernels.hpp"
#include "linalg/lane_table.hpp"
#include "linalg/panel.hpp"
#include "linalg/systems.hpp"
#include "sven/matrix.hpp"

namespace sven::linalg {

// Moments of the columns as stored, without shift; one entry per column.
struct ColumnMoments {
    std::vector<double> mean;         // weighted
    std::vector<double> centred_sum;  // sum w (x - mean): the rounding of the mean
    std::vector<double> squares;      // sum w (x - mean)^2
    std::vector<double> products;     // sum v (x - mean)
    std::vector<char> is_constant;    // over the rows of positive weight
};

inline ColumnMoments make_moments(Index cols) {
    const auto size = static_cast<std::size_t>(cols);
    return {std::vector<double>(size), std::vector<double>(size), std::vector<double>(size),
            std::vector<double>(size), std::vector<char>(size)};
}

struct GramSums;
class SelectedRows;

// What a coordinate does: told its place in a list of columns and the product x_j'q, it says how
// much of its column leaves q.
using CoordinateStep = std::function<double(Index c, double product)>;

// Row weights; empty: all one.
using RowWeights = std::span<const double>;

// What moments are taken with: `v` enters the products, and is rows() long.
struct MomentRequest {
    RowWeights weights;
    std::span<const double> v;
};

// The input of sum_gram.
struct GramRequest {
    std::span<const double> y;
    RowWeights weights;
    std::span<const std::int32_t>
        group_of_row;  // the sums that a row is added to, -1: none; or empty
};

// Rows of X: entry (i, j) at values[j * count + i].
struct RowSample {
    Index count = 0;
    std::vector<double> values;
};

class Design {
  public:
    // Takes the products of columns [begin, begin + count): row c of `tile` holds the panel's
    // lanes, `stride` apart. Called concurrently, once per tile.
    using TileConsumer = std::function<void(Index begin, Index count, double* tile)>;

    Design(Index rows, Index cols) : rows_(rows), cols_(cols) {}
    virtual ~Design() = default;
    Design(const Design&) = delete;
    Design& operator=(const Design&) = delete;

    Index rows() const { return rows_; }
    Index cols() const { return cols_; }
    // Stored entries: what one pass over X reads.
    virtual double entries() const {
        return static_cast<double>(rows_) * static_cast<double>(cols_);
    }
    virtual bool is_sparse() const { return false; }
    // Whether there are rows to compute with; where only their sums are left, no verb may be asked.
    virtual bool has_rows() const { return true; }
    // Whether a device does the work.
    virtual bool is_on_device() const { return false; }

    // Empty, or one number per column.
    void set_shift(std::vector<double> shift) {
        shift_ = std::move(shift);
        ++shift_version_;
    }
    std::span<const double> shift() const { return shift_; }

    // (X - shift)'Q, all columns.
    virtual void correlate(const Panel& Q, const Execution& execution,
                           const TileConsumer& consume) const = 0;
    // out[c] = (x_j - shift_j)'q for j = columns[c].
    virtual void correlate_some(std::span<const Index> columns, std::span<const double> q,
                                const Execution& execution, double* out) const = 0;
    // Row c of out (Q.stride() apart) = (x_j - shift_j)'Q for j = columns[c].
    virtual void correlate_list(std::span<const Index> columns, const Panel& Q,
                                const Execution& execution, double* out) const;
    // Column c of out (rows() x columns.size(), `stride` apart) = x_j - shift_j, j = columns[c].
    virtual void gather(std::span<const Index> columns, const Execution& execution, double* out,
                        Index stride) const = 0;
    // out = sum over c of values[c] (x_j - shift_j), j = columns[c].
    virtual void multiply(std::span<const Index> columns, std::span<const double> values,
                          const Execution& execution, double* out) const = 0;
    // The same by values that differ between groups of rows: out[i] = sum over c of values[c * g +
    // group[i]] (x_ij - shift_j), with g groups; 0 where group[i] is negative.
    void multiply_groups(std::span<const Index> columns, std::span<const double> values,
                         std::span<const Index> group, const Execution& execution,
                         double* out) const;
    // One coordinate after the other, in the order of the list: q -= step(c, x_j'q) w o x_j. On one
    // thread, since each sees what the one before it did. False, and nothing done, where the kind
    // has no such loop, or a column of the list a shift.
    virtual bool sweep(std::span<const Index> /*columns*/, RowWeights /*weights*/,
                       const CoordinateStep& /*step*/, double* /*q*/) const {
        return false;
    }
    // The stored entries of some columns by rows; null where the kind keeps none, or a column has a
    // shift.
    virtual std::unique_ptr<SelectedRows> select(std::span<const Index> columns) const;
    // Stored entries of some columns.
    virtual double entries_of(std::span<const Index> columns) const {
        return cols_ == 0
                   ? 0
                   : entries() / static_cast<double>(cols_) * static_cast<double>(columns.size());
    }
    // How many columns were read where so many were asked for one by one: a kind may keep some.
    virtual Index columns_read(Index asked) const { return asked; }
    // `v` enters the products; it is rows() long.
    virtual ColumnMoments moments(RowWeights weights, std::span<const double> v,
                                  const Execution& execution) const = 0;
    // Those of several weightings; returns the passes over X that they took. Kinds that go from
    // column to column need one for all.
    virtual Index moments_of(std::span<const MomentRequest> requests, const Execution& execution,
                             std::span<ColumnMoments> out) const {
        for (std::size_t k = 0; k < requests.size(); ++k)
            out[k] = moments(requests[k].weights, requests[k].v, execution);
        return static_cast<Index>(requests.size());
    }
    // Rows [begin, end) of X - centre, each row times its factor, packed for kernels().gram: panel
    // J holds columns 8J.. of every row, row-major; missing columns of the last panel are left
    // alone or zero.
    virtual void pack_rows(Index begin, Index end, std::span<const double> centre,
                           const double* row_factors, double* panels) const = 0;
    // The memory of rows [begin, end), to be prefetched before they are packed; empty if unknown.
    virtual Ahead rows_ahead(Index /*begin*/, Index /*end*/) const { return {}; }
    // G (lower, cols() x cols(), column-major, `stride` apart) += X' diag(weights) X without
    // shift, over the non-zeros; only where is_sparse() and not is_on_device().
    virtual void accumulate_sparse_gram(RowWeights weights, const Execution& execution, double* G,
                                        Index stride) const;
    // A sample of rows spread over the data, whose means are close enough to the true means to be
    // used as the centre.
    virtual RowSample sample_rows() const;
    // Whether sum_gram is faster without a centre.
    virtual bool prefers_no_centre() const { return false; }
    // The Gram sums of gram.hpp by the design itself, one for each group of rows, about the centre
    // that each holds; their values are reserved. False if the design leaves it to the pass over
    // packed rows.
    virtual bool sum_gram(const GramRequest& request, const Execution& execution,
                          std::span<GramSums> sums) const;
    // Multiplications that accumulate_sparse_gram takes.
    virtual double sparse_gram_cost() const { return 0; }
    // Systems over the scaled columns, at first none of them, or over a given Gram matrix (full,
    // size x size); null if the design leaves them to the host.
    virtual std::unique_ptr<Systems> make_systems(const ColumnScales& scales) const;
    virtual std::unique_ptr<Systems> make_systems(Index size, const double* gram) const;
    // A table for the products of a path, which answers for all of them; null if the design leaves
    // them to the host, tile by tile.
    virtual std::unique_ptr<LaneTable> make_table(const TableColumns& columns) const;
    // (X - shift)'Q, all columns, into tables of this design that have begun a block.
    virtual void tabulate(const Panel& Q, const Execution& execution,
                          std::span<LaneTable* const> tables) const;

  protected:
    // moments() of a kind that has its own moments_of().
    ColumnMoments only_moments(RowWeights weights, std::span<const double> v,
                               const Execution& execution) const {
        const MomentRequest request{weights, v};
        ColumnMoments found;
        (void)moments_of({&request, 1}, execution, {&found, 1});
        return found;
    }

    std::vector<double> shift_;
    Index shift_version_ = 0;  // for copies of it on a device

  private:
    Index rows_;
    Index cols_;
};

std::unique_ptr<Design> make_design(const MatrixView& X);
std::unique_ptr<Design> make_dense_design(const DenseView& X);
std::unique_ptr<Design> make_custom_design(SharedMatrix X);
std::unique_ptr<Design> make_genotype_design(const GenotypeView& X);

}  // namespace sven::linalg
