#pragma once
// User-defined matrices that are slow to reach, such as a file: a CustomMatrix that is read by
// blocks of whole columns. A pass reads the next block while the last one is multiplied;
// correlate() and multiply() are not called. Two blocks are in memory, and columns that were asked
// for by themselves.

#include "sven/custom_matrix.hpp"

namespace sven {

class SVEN_API BlockedMatrix : public CustomMatrix {
  public:
    // How many adjacent columns are best read at a time.
    [[nodiscard]] virtual Index block_columns() const = 0;
    // Columns that are read one by one, for the features that a solution looks at, are kept in
    // memory, up to so many.
    [[nodiscard]] virtual Index kept_columns() const { return 4 * block_columns(); }
    // The cost of a pass in entries of memory: what comes from a disk takes some ten times as long,
    // so that passes are shared by more settings.
    [[nodiscard]] double entries() const override {
        return 10 * static_cast<double>(rows()) * static_cast<double>(cols());
    }
};

}  // namespace sven
