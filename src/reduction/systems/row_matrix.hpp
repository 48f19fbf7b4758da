#pragma once
// W = l2 I + X diag(w) X' over some of the columns, of the order of the rows, and solves with it
// (maths.md, eq. 59). The sum over the columns does not depend on l2.

#include <functional>
#include <span>

#include "linalg/buffer.hpp"
#include "linalg/execution.hpp"

namespace sven::reduction {

class RowMatrix {
  public:
    // Columns of X behind each other.
    using Gather = std::function<void(std::span<const Index> features, double* out)>;

    explicit RowMatrix(const linalg::Execution& execution) : execution_(execution) {}

    // The sum over no columns.
    void begin(Index rows);
    // sum += sign X diag(w) X' over the features; `weights` by feature.
    void add(std::span<const Index> features, std::span<const double> weights, double sign,
             const Gather& gather);
    // sum += v v'
    void add_direction(std::span<const double> v);

    // False where W has no factor.
    bool factorise(double l2);
    // b := W^-1 b
    void solve(double* b) const;
    double largest_diagonal() const;

  private:
    linalg::Execution execution_;
    Index rows_ = 0;
    linalg::Buffer<double> sum_, U_, block_;  // upper triangles; some columns
};

}  // namespace sven::reduction
