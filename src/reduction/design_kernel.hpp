#pragma once
// What the kernels over the columns of X share: the columns of the slots, products with them, and
// the growth of their Gram matrix.

#include "linalg/scaled_design.hpp"
#include "reduction/kernel.hpp"

namespace sven::reduction {

class DesignKernel : public Kernel {
  public:
    DesignKernel(linalg::ScaledDesign& X, const linalg::Execution& execution)
        : Kernel(X.cols()), X_(X), execution_(execution) {}

    bool has_columns() const override { return true; }
    Index rows() const override { return X_.rows(); }

  protected:
    // Columns of the first slots, one behind the other.
    struct Columns {
        linalg::Buffer<double> values;
        Index capacity = 0;  // columns that fit
        Index slots = 0;     // whose columns are there
    };
    // Room for the columns of all slots; where those that are missing belong.
    double* make_room(Columns& columns) const;
    void keep_columns(std::span<const Index> kept, Columns& columns) const;
    // How many of the kept slots are among the first `known`.
    static Index kept_of(std::span<const Index> kept, Index known);

    // out = Z x and out = Z'v of columns of as many slots.
    void combine_columns(const double* Z, std::span<const double> x, double* out) const;
    void project_columns(const double* Z, Index count, std::span<const double> v,
                         double* out) const;
    // out = X x, x by slot, over the entries of the columns with x != 0.
    void multiply_entries(std::span<const double> x, double* out);

    // Rows [first, slots()) of the Gram matrix: from the columns Z of all slots, or by products of
    // X with the new columns over the stored entries.
    void extend_gram(const double* Z, Index first);
    void extend_sparse_gram(Index first);
    // The columns that X is multiplied with there.
    virtual void gather_right_sides(std::span<const Index> features, double* out) {
        gather(features, out);
    }

    linalg::ScaledDesign& X_;
    linalg::Execution execution_;
    double slot_entries_ = 0;  // stored entries of the slots' columns
    Index gram_slots_ = 0;     // slots whose rows the Gram matrix has
    linalg::Buffer<double> gathered_, scratch_;
    std::vector<Index> support_;  // of a product with a sparse X
    std::vector<double> value_;

  private:
    void extend_gram_by_lanes(const double* Z, Index first);

    linalg::Panel fresh_;  // new columns as right-hand sides
};

}  // namespace sven::reduction
