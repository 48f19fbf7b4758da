#pragma once
// Any matrix, one line at a time.

#include <vector>

#include "sven/matrix.hpp"

namespace sven::cli {

struct Entry {
    Index position = 0;
    double value = 0;
};

// The non-zero entries of the rows (or columns) of a matrix. A sparse matrix that is compressed the
// other way is transposed once.
class Lines {
  public:
    Lines(const MatrixView& X, Compression along);

    Index count() const { return count_; }
    Index length() const { return length_; }
    // The entries of line k, by position.
    void read(Index k, std::vector<Entry>& entries) const;
    Index stored() const;  // non-zero entries in total

  private:
    void turn(const SparseView& X);

    MatrixView X_;
    bool is_along_ = false;  // sparse, and compressed as wanted
    Compression along_;
    Index count_ = 0;
    Index length_ = 0;
    std::vector<Index> offsets_;  // of a transposed matrix
    std::vector<Entry> entries_;
};

}  // namespace sven::cli
