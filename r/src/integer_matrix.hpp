#pragma once
// R's matrices of integers, and of truth values, which are integers too: read where they lie.

#include <span>

#include "sven/custom_matrix.hpp"

namespace svenet {

class IntegerMatrix : public sven::CustomMatrix {
  public:
    IntegerMatrix(const int* data, sven::Index rows, sven::Index cols)
        : data_(data), rows_(rows), cols_(cols) {}

    [[nodiscard]] sven::Index rows() const override { return rows_; }
    [[nodiscard]] sven::Index cols() const override { return cols_; }

    void read(Rows rows, std::span<const sven::Index> columns, double* out,
              sven::Index stride) const override {
        for (std::size_t c = 0; c < columns.size(); ++c) {
            const int* column = data_ + columns[c] * rows_;
            double* to = out + static_cast<sven::Index>(c) * stride;
            for (sven::Index i = rows.begin; i < rows.end; ++i) to[i - rows.begin] = column[i];
        }
    }

  private:
    const int* data_;
    sven::Index rows_;
    sven::Index cols_;
};

}  // namespace svenet
