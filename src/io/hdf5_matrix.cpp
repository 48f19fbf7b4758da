#include "io/hdf5_matrix.hpp"

#include <algorithm>

#include "io/tuning.hpp"

namespace sven::io {

Hdf5Matrix::Hdf5Matrix(std::shared_ptr<const Hdf5Array> array, bool is_transposed, Index most_bytes)
    : array_(std::move(array)),
      is_transposed_(is_transposed),
      rows_(array_->sizes()[is_transposed ? 1 : 0]),
      cols_(array_->sizes()[is_transposed ? 0 : 1]) {
    const Index column_bytes = rows_ * static_cast<Index>(sizeof(double));
    const std::vector<Index>& chunk = array_->chunk();
    // A chunk is unpacked as a whole: blocks are whole chunks wide, where that is not too much.
    const Index step =
        chunk.empty() ? (is_transposed ? 1 : hdf5_run) : chunk[is_transposed ? 0 : 1];
    const Index wanted = std::max(read_block_bytes / column_bytes, step) / step * step;
    block_ = std::clamp<Index>(wanted, 1, std::max<Index>(1, most_bytes / column_bytes));
    block_ = std::min(block_, cols_);
}

void Hdf5Matrix::read(Rows rows, std::span<const Index> columns, double* out, Index stride) const {
    const auto count = static_cast<Index>(columns.size());
    for (Index c = 0, run = 1; c < count; c += run) {
        for (run = 1; c + run < count && columns[c + run] == columns[c] + run;) ++run;
        if (is_transposed_)
            read_run(rows, columns[c], run, out + c * stride, stride);
        else
            turn_run(rows, columns[c], run, out + c * stride, stride);
    }
}

// Columns that are rows of the array.
void Hdf5Matrix::read_run(Rows rows, Index begin, Index count, double* out, Index stride) const {
    const Index length = rows.end - rows.begin;
    if (stride == length) return array_->read({begin, rows.begin}, {count, length}, out);
    for (Index c = 0; c < count; ++c)
        array_->read({begin + c, rows.begin}, {1, length}, out + c * stride);
}

// Columns of the array, some rows at a time.
void Hdf5Matrix::turn_run(Rows rows, Index begin, Index count, double* out, Index stride) const {
    const Index height = array_->chunk().empty() ? 1 : array_->chunk()[0];
    const Index step =
        std::max<Index>(1, hdf5_turned_numbers / count / height) * height;  // whole chunks
    std::vector<double> block(
        static_cast<std::size_t>(std::min(step, rows.end - rows.begin) * count));
    for (Index first = rows.begin; first < rows.end;) {
        const Index last = std::min(rows.end, (first / step + 1) * step);
        array_->read({first, begin}, {last - first, count}, block.data());
        for (Index c = 0; c < count; ++c)
            for (Index i = first; i < last; ++i)
                out[c * stride + (i - rows.begin)] = block[(i - first) * count + c];
        first = last;
    }
}

}  // namespace sven::io
