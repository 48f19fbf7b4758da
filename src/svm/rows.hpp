#pragma once
// The samples z_i = label_i x_i, one per row of X. The solver only uses their products. Each call
// does a large piece of work, so virtual dispatch costs nothing. Sums run in double, in an order
// that does not depend on the number of threads. Labels are -1 or 1, times a common power of two,
// the unit of X.

#include <memory>
#include <span>

#include "linalg/execution.hpp"
#include "sven/matrix.hpp"
#include "svm/careful_sums.hpp"

namespace sven::svm {

using Selection = std::span<const Index>;  // sample numbers

// Contains scratch memory: one solve at a time.
class Rows {
  public:
    Rows(Index samples, Index features, const linalg::Execution& execution)
        : samples_(samples), features_(features), execution_(execution) {}
    virtual ~Rows() = default;
    Rows(const Rows&) = delete;
    Rows& operator=(const Rows&) = delete;

    Index samples() const { return samples_; }
    Index features() const { return features_; }
    const linalg::Execution& execution() const { return execution_; }

    // Stored entries, read in a pass over all samples.
    virtual double entries() const = 0;
    // Multiplications in the outer products of all samples.
    virtual double outer_cost() const = 0;

    // out[k] = z_i'w, i = selection[k]
    virtual void times(Selection selection, const double* w, double* out) = 0;
    // out = sum_k v[k] z_i, i = selection[k]
    virtual void transposed_times(Selection selection, const double* v, double* out) = 0;
    // The same for a certificate: sums[k] -= z_i'w
    virtual void subtract_products(Selection selection, const double* w, CarefulSums sums) = 0;
    // sums[j] -= sum_k v[k] z_ij
    virtual void subtract_combination(Selection selection, const double* v, CarefulSums sums) = 0;
    // out[j * stride] = z_ij
    virtual void copy_sample(Index i, double* out, Index stride) = 0;
    // out[j] = sum_k v[k] z_ij^2, i = selection[k]
    virtual void transposed_squares_times(Selection selection, const double* v, double* out) = 0;
    // H += sign sum_k v[k] z_i z_i', i = selection[k]: the lower triangle, features() x
    // features(), column-major; v >= 0
    virtual void add_outer_products(Selection selection, const double* v, double sign,
                                    double* H) = 0;
    // K[l + k * stride] = z_i'z_j, i = selection[k], j = others[l]
    virtual void kernel(Selection selection, Selection others, double* K, Index stride) = 0;

  private:
    Index samples_;
    Index features_;
    linalg::Execution execution_;
};

// A view: X and the labels (empty: all one) must outlive it. Only compressed columns are copied,
// once, to compressed rows: all operations are by samples.
std::unique_ptr<Rows> make_rows(const MatrixView& X, std::span<const double> labels,
                                const linalg::Execution& execution);
std::unique_ptr<Rows> make_dense_rows(const DenseView& X, std::span<const double> labels,
                                      const linalg::Execution& execution);
std::unique_ptr<Rows> make_sparse_rows(const SparseView& X, std::span<const double> labels,
                                       const linalg::Execution& execution);

}  // namespace sven::svm
