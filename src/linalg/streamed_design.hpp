#pragma once
// A user-defined X that comes in blocks of columns (sven/blocked_matrix.hpp).

#include "linalg/design.hpp"
#include "sven/blocked_matrix.hpp"

namespace sven::linalg {

// A design that keeps columns, and knows how many it read one by one.
class CountsColumns {
  public:
    virtual ~CountsColumns() = default;
    virtual Index columns_read() const = 0;
};

std::unique_ptr<Design> make_streamed_design(std::shared_ptr<const BlockedMatrix> X);

}  // namespace sven::linalg
