#pragma once
// The columns of a .npy matrix that is larger than the memory it may take: read by blocks, not
// mapped. The system then need not guess what is read next.

#include <string>

#include "sven/blocked_matrix.hpp"
#include "sven/matrix.hpp"

namespace sven::io {

class NpyColumns final : public BlockedMatrix {
  public:
    // `view` has the shape, column-major; its numbers begin at `offset` of the file. Two blocks and
    // the columns that are kept take `most_bytes` at most. Throws ParseError.
    NpyColumns(std::string path, std::size_t offset, const DenseView& view, Index most_bytes);
    ~NpyColumns() override;

    Index rows() const override { return view_.rows; }
    Index cols() const override { return view_.cols; }
    void read(Rows rows, std::span<const Index> columns, double* out, Index stride) const override;
    Index block_columns() const override { return block_; }
    Index kept_columns() const override { return kept_; }

  private:
    Index entry_bytes() const { return bytes_of(view_.scalar); }
    void read_numbers(Index first, Index count, double* out) const;
    template <class T>
    void read_converted(Index begin, Index count, double* out) const;
    void read_bytes(Index begin, Index count, char* out) const;

    std::string path_;
    Index offset_;
    DenseView view_;
    int file_;
    Index block_ = 1;
    Index kept_ = 0;
};

}  // namespace sven::io
