#pragma once
// Views of a matrix: nothing is copied, the caller owns the memory and must keep it alive during
// every call that takes the view. Or a user-defined matrix.

#include <cstdint>
#include <memory>
#include <variant>

#include "sven/custom_matrix.hpp"
#include "sven/index.hpp"

namespace sven {

// Whole numbers of a byte, such as counts of alleles, are for dense X in the memory of the host.
enum class Scalar { float64, float32, int8 };
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

// The two alleles of a variant, in the order of a .bim file.
enum class Allele { a1, a2 };

// Genotypes as PLINK 1 packs them, variant after variant: two bits each, four people a byte, the
// first in the lowest bits; 0: two of allele A1, 1: missing, 2: one, 3: none. An entry is the
// number of counted alleles. A missing one takes means[j]; if that is not given, or is NaN, the
// mean of the column's other rows, or 0 where there are none. Dense columns may follow the
// variants: covariates.
struct GenotypeView {
    const void* data = nullptr;
    Index people = 0;  // of a variant
    Index variants = 0;
    Index stride = 0;  // of a variant, in bytes
    Allele counted = Allele::a1;
    const Index* selection = nullptr;  // the people that are rows, increasing; null: all
    Index selected = 0;                // how many
    const double* means = nullptr;     // by variant
    DenseView beside = {};             // column-major doubles, with as many rows; or no columns
};

using SharedMatrix = std::shared_ptr<const CustomMatrix>;
using MatrixView = std::variant<DenseView, SparseView, SharedMatrix, GenotypeView>;

inline Index rows(const GenotypeView& X) {
    return X.selection != nullptr ? X.selected : X.people;
}

inline Index rows(const MatrixView& X) {
    if (const auto* genotypes = std::get_if<GenotypeView>(&X)) return rows(*genotypes);
    if (const auto* custom = std::get_if<SharedMatrix>(&X)) return *custom ? (*custom)->rows() : 0;
    const auto* dense = std::get_if<DenseView>(&X);
    return dense != nullptr ? dense->rows : std::get<SparseView>(X).rows;
}

inline Index cols(const MatrixView& X) {
    if (const auto* genotypes = std::get_if<GenotypeView>(&X))
        return genotypes->variants + genotypes->beside.cols;
    if (const auto* custom = std::get_if<SharedMatrix>(&X)) return *custom ? (*custom)->cols() : 0;
    const auto* dense = std::get_if<DenseView>(&X);
    return dense != nullptr ? dense->cols : std::get<SparseView>(X).cols;
}

inline bool is_on_device(const MatrixView& X) {
    if (std::holds_alternative<SharedMatrix>(X) || std::holds_alternative<GenotypeView>(X))
        return false;
    const auto* dense = std::get_if<DenseView>(&X);
    return dense != nullptr ? dense->on_device : std::get<SparseView>(X).on_device;
}

inline Index bytes_of(Scalar scalar) {
    if (scalar == Scalar::int8) return 1;
    return scalar == Scalar::float64 ? 8 : 4;
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

inline DenseView column_major(const std::int8_t* data, Index rows, Index cols, Index stride = -1) {
    return {data, Scalar::int8, Layout::column_major, rows, cols, stride < 0 ? rows : stride};
}

inline DenseView row_major(const std::int8_t* data, Index rows, Index cols, Index stride = -1) {
    return {data, Scalar::int8, Layout::row_major, rows, cols, stride < 0 ? cols : stride};
}

}  // namespace sven
