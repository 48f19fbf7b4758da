#pragma once
// Views of a matrix: nothing is copied, the caller owns the memory and must keep it alive during
// every call that takes the view. Or a user-defined matrix.

#include <memory>
#include <variant>

#include "sven/custom_matrix.hpp"
#include "sven/index.hpp"

namespace sven {

enum class Scalar { float64, float32 };
enum class Layout { column_major, row_major };

// Entry (i, j) is data[i + j * stride] (column-major) or data[i * stride + j] (row-major).
struct DenseView {
    const void* data = nullptr;
    Scalar scalar = Scalar::float64;
    Layout layout = Layout::column_major;
    Index rows = 0;
    Index cols = 0;
    Index stride = 0;        // of one column (column-major) or row (row-major), in entries
    bool on_device = false;  // data points into the memory of the device (device.hpp)
};

enum class Compression { columns, rows };  // CSC, CSR
enum class IndexWidth { int32, int64 };

// Compressed columns (CSC) or rows (CSR): the entries of line k are
// values[offsets[k] .. offsets[k + 1]), at positions indices[...], sorted, none repeated.
struct SparseView {
    const void* values = nullptr;
    const void* indices = nullptr;
    const void* offsets = nullptr;
    Scalar scalar = Scalar::float64;
    IndexWidth index_width = IndexWidth::int32;   // of indices
    IndexWidth offset_width = IndexWidth::int32;  // of offsets
    Compression compression = Compression::columns;
    Index rows = 0;
    Index cols = 0;
    bool on_device = false;  // all three point into the memory of the device
};

using SharedMatrix = std::shared_ptr<const CustomMatrix>;
using MatrixView = std::variant<DenseView, SparseView, SharedMatrix>;

inline Index rows(const MatrixView& X) {
    if (const auto* custom = std::get_if<SharedMatrix>(&X)) return *custom ? (*custom)->rows() : 0;
    const auto* dense = std::get_if<DenseView>(&X);
    return dense != nullptr ? dense->rows : std::get<SparseView>(X).rows;
}

inline Index cols(const MatrixView& X) {
    if (const auto* custom = std::get_if<SharedMatrix>(&X)) return *custom ? (*custom)->cols() : 0;
    const auto* dense = std::get_if<DenseView>(&X);
    return dense != nullptr ? dense->cols : std::get<SparseView>(X).cols;
}

inline bool is_on_device(const MatrixView& X) {
    if (std::holds_alternative<SharedMatrix>(X)) return false;
    const auto* dense = std::get_if<DenseView>(&X);
    return dense != nullptr ? dense->on_device : std::get<SparseView>(X).on_device;
}

inline DenseView column_major(const double* data, Index rows, Index cols, Index stride = -1) {
    return {data, Scalar::float64, Layout::column_major, rows, cols, stride < 0 ? rows : stride};
}

inline DenseView column_major(const float* data, Index rows, Index cols, Index stride = -1) {
    return {data, Scalar::float32, Layout::column_major, rows, cols, stride < 0 ? rows : stride};
}

inline DenseView row_major(const double* data, Index rows, Index cols, Index stride = -1) {
    return {data, Scalar::float64, Layout::row_major, rows, cols, stride < 0 ? cols : stride};
}

inline DenseView row_major(const float* data, Index rows, Index cols, Index stride = -1) {
    return {data, Scalar::float32, Layout::row_major, rows, cols, stride < 0 ? cols : stride};
}

}  // namespace sven
