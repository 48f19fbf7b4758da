#pragma once
// The columns as the solver sees them, never formed: x~_j = root_w (x_j - m_j) / sigma_j, with
// m_j = shift_j + offset_j. Centring is a rank-one correction of a product, scaling a diagonal one,
// weights a factor of each row (maths.md, eq. 36-39).

#include <span>
#include <vector>

#include "linalg/design.hpp"
#include "linalg/row_sums.hpp"
#include "linalg/selected_rows.hpp"

namespace sven::linalg {

// What weighs the products of two columns over the rows, what is taken from the columns, and the
// first column whose products are wanted.
struct RowProducts {
    RowWeights weights;          // empty: those of the design
    bool is_about_mean = false;  // the mean by these weights, instead of the offset
    Index first = 0;
};

class ScaledDesign {
  public:
    ScaledDesign(const Design& design, std::vector<double> offset,
                 std::vector<double> inverse_scale, std::vector<double> root_weights)
        : design_(&design),
          offset_(std::move(offset)),
          inverse_scale_(std::move(inverse_scale)),
          root_weights_(std::move(root_weights)),
          weighted_(static_cast<std::size_t>(design.rows())) {}

    Index rows() const { return design_->rows(); }
    Index cols() const { return design_->cols(); }
    bool is_sparse() const { return design_->is_sparse(); }
    // Stored entries of a column, on average.
    double column_entries() const {
        return design_->entries() / static_cast<double>(std::max<Index>(1, cols()));
    }

    // Lane := root_w o v. Returns the sum over the rows, for correct().
    double fill_lane(std::span<const double> v, Index lane, const Execution& execution,
                     Panel& Q) const {
        return sum_rows<1>(execution, rows(), lane_operations, [&](Index begin, Index length) {
            double sum = 0;
            for (Index i = begin; i < begin + length; ++i) {
                const double q = lane_value(v, i);
                Q.row(i)[lane] = q;
                sum += q;
            }
            return RowSums<1>{sum};
        })[0];
    }
    // The sum that fill_lane returns.
    double lane_sum(std::span<const double> v, const Execution& execution) const {
        return sum_of_rows(execution, v, root_weights_);
    }

    // Converts the product of a raw column with a lane to that of the scaled column.
    double correct(Index j, double product, double lane_sum) const {
        return (product - offset_[j] * lane_sum) * inverse_scale_[j];
    }

    // out[c] = x~_j'v for j = columns[c].
    void correlate_some(std::span<const Index> columns, std::span<const double> v,
                        const Execution& execution, double* out) {
        if (columns.empty()) return;
        std::span<const double> q = v;
        if (!root_weights_.empty()) {
            for (Index i = 0; i < rows(); ++i) weighted_[i] = lane_value(v, i);
            q = weighted_;
        }
        const double sum = sum_of_rows(execution, q);
        design_->correlate_some(columns, q, execution, out);
        for (std::size_t c = 0; c < columns.size(); ++c) out[c] = correct(columns[c], out[c], sum);
    }

    // Row c of out (the panel's stride apart) = x~_j'Q for j = columns[c], for every lane of the
    // panel. `Q` must have been filled by fill_lane, which gave `sums`.
    void correlate_list(std::span<const Index> columns, const Panel& Q,
                        std::span<const double> sums, const Execution& execution,
                        double* out) const {
        design_->correlate_list(columns, Q, execution, out);
        for (std::size_t c = 0; c < columns.size(); ++c)
            for (Index k = 0; k < Q.lanes(); ++k) {
                double& product = out[static_cast<Index>(c) * Q.stride() + k];
                product = correct(columns[c], product, sums[k]);
            }
    }

    // out = sum over c of values[c] x~_j, j = columns[c].
    void multiply(std::span<const Index> columns, std::span<const double> values,
                  const Execution& execution, double* out) {
        const double offset = scale(columns, values);
        design_->multiply(columns, {scaled_.data(), values.size()}, execution, out);
        centre_rows(offset, out);
    }

    // The same where the first of the columns are at hand by rows.
    void multiply(const SelectedRows& selected, std::span<const Index> columns,
                  std::span<const double> values, const Execution& execution, double* out);
    // out[c] = x~_j'(sum of values[k] x~_k), j = columns[c], over these columns.
    void multiply_gram(SelectedRows& selected, std::span<const Index> columns,
                       std::span<const double> values, const Execution& execution, double* out);
    // Rows and columns of the Gram matrix of the selected columns: G[a stride + b] = x~_a'x~_b for
    // b >= by.first and a <= b, by their place in `columns`. False, and G untouched, where products
    // without a mean would cancel.
    bool gram_of_selected(const SelectedRows& selected, std::span<const Index> columns,
                          const RowProducts& by, const Execution& execution, double* G,
                          Index stride);
    std::unique_ptr<SelectedRows> select(std::span<const Index> columns) const {
        return design_->select(columns);
    }

    // Design::sweep over the scaled columns, `rounds` times: r -= step(c, x~_j'r) x~_j.
    bool sweep(std::span<const Index> columns, int rounds, const CoordinateStep& step,
               std::span<double> r);
    double entries_of(std::span<const Index> columns) const { return design_->entries_of(columns); }

    void gather(std::span<const Index> columns, const Execution& execution, double* out,
                Index stride) const {
        design_->gather(columns, execution, out, stride);
        const auto count = static_cast<Index>(columns.size());
        const double work = 2.0 * static_cast<double>(count) * static_cast<double>(rows());
        parallel_pieces(execution, work, count, 1, [&](Index begin, Index end) {
            for (Index c = begin; c < end; ++c) {
                double* column = out + c * stride;
                const double offset = offset_[columns[c]];
                const double scale = inverse_scale_[columns[c]];
                if (root_weights_.empty())
                    for (Index i = 0; i < rows(); ++i) column[i] = (column[i] - offset) * scale;
                else
                    for (Index i = 0; i < rows(); ++i)
                        column[i] = (column[i] - offset) * scale * root_weights_[i];
            }
        });
    }

    ColumnScales scales() const { return {offset_, inverse_scale_, root_weights_}; }
    std::unique_ptr<Systems> make_systems() const { return design_->make_systems(scales()); }

  private:
    // scaled_ := values / sigma; returns what they take off every row by the means.
    double scale(std::span<const Index> columns, std::span<const double> values);
    void centre_rows(double offset, double* out) const {
        for (Index i = 0; i < rows(); ++i)
            out[i] = (out[i] - offset) * (root_weights_.empty() ? 1 : root_weights_[i]);
    }
    // The squares of the root weights; empty: all one.
    RowWeights weights();
    double lane_value(std::span<const double> v, Index i) const {
        return root_weights_.empty() ? v[i] : root_weights_[i] * v[i];
    }

    const Design* design_;
    std::vector<double> offset_;
    std::vector<double> inverse_scale_;
    std::vector<double> root_weights_;  // empty: all one
    std::vector<double> weighted_;      // scratch
    std::vector<double> weights_;       // of the rows; made when they are first asked for
    std::vector<double> scaled_;        // scratch
    std::vector<double> between_;       // the same, of multiply_gram
};

}  // namespace sven::linalg
