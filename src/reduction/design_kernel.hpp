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

    // out = Z x and out = Z'v of columns of as many slots.
    void combine_columns(const double* Z, std::span<const double> x, double* out) const;
    void project_columns(const double* Z, Index count, std::span<const double> v,
                         double* out) const;
    // out = X x, x by slot, over the entries of the columns with x != 0.
    void multiply_entries(std::span<const double> x, double* out);

    // Rows [first, slots()) of the Gram matrix: from the columns Z of all slots, or over the stored
    // entries.
    void extend_gram(const double* Z, Index first);
    void extend_sparse_gram(Index first);
    // Multiplications of the latter, in units of an entry that a column of a panel is multiplied
    // with: as many as even columns would need or, once they are counted, as there are.
    double sparse_gram_work(Index first) const;
    // The columns that X is multiplied with there, and what products of entries that meet in a row
    // are weighted by.
    virtual void gather_right_sides(std::span<const Index> features, double* out) {
        gather(features, out);
    }
    virtual linalg::RowProducts row_products() const { return {}; }

    linalg::ScaledDesign& X_;
    linalg::Execution execution_;
    double slot_entries_ = 0;  // stored entries of the slots' columns
    Index gram_slots_ = 0;     // slots whose rows the Gram matrix has
    linalg::Buffer<double> gathered_, scratch_;
    std::unique_ptr<linalg::SelectedRows> selected_;  // of a sparse X, the first slots by rows
    std::vector<Index> support_;                      // of a product with a sparse X
    std::vector<double> value_;

  private:
    void extend_gram_by_lanes(const double* Z, Index first);
    bool extend_gram_by_rows(Index first);
    void extend_gram_by_panels(Index first);
    bool has_selected() const { return selected_ != nullptr && selected_->columns() == slots(); }
    // Pairs of entries of the slots and of the new ones that meet in a row.
    double meetings(Index first) const;

    linalg::Panel fresh_;  // new columns as right-hand sides
};

}  // namespace sven::reduction
