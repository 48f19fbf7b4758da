#pragma once
// A matrix in an HDF5 file that is read by blocks of columns and never whole.

#include <memory>

#include "io/hdf5_array.hpp"
#include "sven/blocked_matrix.hpp"

namespace sven::io {

class Hdf5Matrix final : public BlockedMatrix {
  public:
    // Features in the rows of the array where it is transposed: so R and MATLAB write a matrix. A
    // block takes `most_bytes` at most, unless a single column needs more.
    Hdf5Matrix(std::shared_ptr<const Hdf5Array> array, bool is_transposed, Index most_bytes);

    Index rows() const override { return rows_; }
    Index cols() const override { return cols_; }
    void read(Rows rows, std::span<const Index> columns, double* out, Index stride) const override;
    Index block_columns() const override { return block_; }

  private:
    void read_run(Rows rows, Index begin, Index count, double* out, Index stride) const;
    void turn_run(Rows rows, Index begin, Index count, double* out, Index stride) const;

    std::shared_ptr<const Hdf5Array> array_;
    bool is_transposed_;
    Index rows_;
    Index cols_;
    Index block_ = 1;
};

}  // namespace sven::io
