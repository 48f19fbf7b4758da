#pragma once
// The kernel K_ij = z_i'z_j of the samples that have been in the support: a square matrix that
// grows by rows. Memory is reserved once and touched only as needed. When it is full, samples that
// left the support are removed.

#include <vector>

#include "linalg/buffer.hpp"
#include "svm/rows.hpp"

namespace sven::svm {

class KernelCache {
  public:
    KernelCache(Rows& samples, Index capacity);

    Index capacity() const { return capacity_; }
    Index cached() const { return static_cast<Index>(cached_.size()); }
    // Rows of the selection that are not cached yet.
    Index missing(Selection selection) const;
    // Makes every row of the selection, which must fit, available.
    void ensure(Selection selection);
    // K(i, .) over the slots.
    const double* row(Index i) const { return K_.data() + slot_[i] * capacity_; }
    Index slot(Index i) const { return slot_[i]; }

  private:
    void keep_only(Selection selection);
    void append(Index first);

    Rows& samples_;
    Index capacity_;
    linalg::Buffer<double> K_;
    std::vector<Index> slot_;    // of each sample, -1: none
    std::vector<Index> cached_;  // sample of each slot
    std::vector<char> is_kept_;  // scratch
};

}  // namespace sven::svm
