#pragma once
// Sums of products A'A over blocks of rows, on the device. Only the lower triangle is computed, by
// squares of columns, and the rows of a block are split so that these products fill the device: one
// batched call per block. Where the columns are so many that cublasDsyrk fills the device with
// them, they are one square, and it is called.

#include "cuda/blas.hpp"
#include "cuda/runtime.hpp"
#include "cuda/tuning.hpp"

namespace sven::cuda {

// The columns of a block of rows: column j at data + j * lead if column-major, or at data + j with
// rows `lead` apart if row-major.
struct RowsOfColumns {
    const double* data = nullptr;
    Index lead = 0;
    bool by_columns = true;
    Index rows = 0;
};

// Pointers to the operands of a batch, reused between blocks.
struct SquarePointers {
    DeviceBuffer<const double*> there;
    PinnedMemory pinned;
    RowsOfColumns of;  // the block that they point to
};

class SquareProducts {
  public:
    explicit SquareProducts(Index columns);

    Index width() const { return width_; }
    // Rows of a block whose products fill the device at full depth.
    Index good_block() const { return is_whole_ ? whole_depth : cuts_ * product_depth; }
    Index cuts() const { return cuts_; }

    void clear(const Stream& stream);
    // Adds A'A of the block. Any number of rows; fastest if cuts() divides it.
    void add(const RowsOfColumns& block, SquarePointers& pointers, const Stream& stream);
    // The sums, width() x width(); column j is at place(j).
    const double* total(const Stream& stream);
    Index place(Index column) const {
        const Index last = (squares_ - 1) * square_;
        return column < last ? column : column + squares_ * square_ - columns_;
    }

  private:
    // The last square ends with the last column and overlaps the previous one.
    Index first_column(Index which) const {
        return which + 1 == squares_ ? columns_ - square_ : which * square_;
    }
    void point(const RowsOfColumns& block, Index depth, SquarePointers& pointers,
               const Stream& stream);
    void multiply(const RowsOfColumns& block, Index depth, Index cuts,
                  const SquarePointers& pointers, const Stream& stream) const;

    Index columns_;
    bool is_whole_;  // one square, which cublasDsyrk takes
    Index square_;   // columns of one
    Index squares_;  // along the matrix
    Index width_;
    Index pairs_;  // squares in the lower triangle
    Index cuts_;   // of the rows of a block
    DeviceBuffer<double> parts_;
    DeviceBuffer<double> sum_;
};

}  // namespace sven::cuda
