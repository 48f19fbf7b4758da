#pragma once
// User-defined matrices that are slow to reach, such as a file: a CustomMatrix that is read by
// blocks of whole columns. A pass reads the next block while the last one is multiplied;
// correlate() and multiply() are not called. Two blocks are in memory.

#include "sven/custom_matrix.hpp"

namespace sven {

class SVEN_API BlockedMatrix : public CustomMatrix {
  public:
    // How many adjacent columns are best read at a time.
    [[nodiscard]] virtual Index block_columns() const = 0;
};

}  // namespace sven
