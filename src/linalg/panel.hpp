#pragma once
// Right-hand sides side by side: row i holds entry i of every vector, padded with zeros to groups
// of eight lanes, so that one read of a matrix entry serves eight products.

#include <algorithm>
#include <span>

#include "linalg/buffer.hpp"

namespace sven::linalg {

inline constexpr Index lane_group = 8;

class Panel {
  public:
    // Sets all lanes to zero. Polls the cancel token, if any, since new memory is slow to touch.
    void resize(Index rows, Index lanes, const Execution& execution = {}) {
        rows_ = rows;
        lanes_ = lanes;
        stride_ = (lanes + lane_group - 1) / lane_group * lane_group;
        values_.reserve(rows_ * stride_);
        for (Index begin = 0; begin < rows_ * stride_; begin += poll_entries) {
            execution.check();
            std::fill_n(values_.data() + begin, std::min(poll_entries, rows_ * stride_ - begin),
                        0.0);
        }
    }
    Index rows() const { return rows_; }
    Index lanes() const { return lanes_; }
    Index stride() const { return stride_; }
    double* row(Index i) { return values_.data() + i * stride_; }
    const double* row(Index i) const { return values_.data() + i * stride_; }

    void set_lane(Index lane, std::span<const double> values) {
        for (Index i = 0; i < rows_; ++i) row(i)[lane] = values[i];
    }

  private:
    Buffer<double> values_;
    Index rows_ = 0;
    Index lanes_ = 0;
    Index stride_ = 0;
};

}  // namespace sven::linalg
