#pragma once
// The launchers of the kernels, one for each operation and kind of storage. All pointers are to
// device memory; all calls are asynchronous.

#include <cuda_runtime_api.h>

#include <cstdint>

#include "sven/matrix.hpp"

namespace sven::cuda {

// Entry (i, j) is data[i * row_step + j * column_step]; one of the steps is one.
template <class T>
struct DenseData {
    const T* data = nullptr;
    Index row_step = 1;
    Index column_step = 0;
    Index rows = 0;
    Index cols = 0;
};

// A single column with unit row stride is column-major, too.
template <class T>
DenseData<T> dense_data(const T* data, const DenseView& X, Index stride) {
    const bool by_columns = X.layout == Layout::column_major || (X.cols == 1 && stride == 1);
    if (X.layout == Layout::row_major && by_columns) stride = X.rows;
    return {data, by_columns ? 1 : stride, by_columns ? stride : 1, X.rows, X.cols};
}

// Compressed columns: what cuSPARSE calls the CSR format of X'.
template <class T>
struct SparseData {
    const T* values = nullptr;
    const std::int32_t* indices = nullptr;
    const Index* offsets = nullptr;
    Index rows = 0;
    Index cols = 0;
};

// Genotypes of two bits (sven::GenotypeView), of the rows alone, and the dense columns that follow
// them. Columns begin at multiples of `stride` bytes and have zeros behind the last row.
struct GenotypeData {
    const unsigned char* codes = nullptr;
    Index stride = 0;
    const double* fill = nullptr;  // by variant: what a missing one is taken for
    bool counts_a1 = true;
    Index variants = 0;
    DenseData<double> beside;  // column-major
    Index rows = 0;
    Index cols = 0;
};
// Bytes of a column of so many rows.
Index genotype_stride(Index rows);
// Fills in what is NaN: the mean of the others, 0 where there are none.
void find_fill(const GenotypeData& X, double* fill, cudaStream_t stream);

// Columns list[0 .. count), or begin .. begin + count without a list; shift is by column of X, or
// null.
struct ColumnSet {
    const Index* list = nullptr;
    Index begin = 0;
    Index count = 0;
    const double* shift = nullptr;
};

// Right-hand sides as in linalg::Panel.
struct PanelData {
    const double* values = nullptr;
    Index stride = 0;
};

// Sums over many rows are cut into segments, which are added in order afterwards.
struct Segments {
    Index count = 1;
    Index length = 0;
};
Segments cut(Index length, Index blocks, Index shortest);

// Row c of out (Q.stride apart) = (x_j - shift_j)'Q. `partial` has room for
// correlate_scratch() doubles.
template <class T>
void correlate(const DenseData<T>& X, const ColumnSet& columns, const PanelData& Q, double* out,
               double* partial, cudaStream_t stream);
template <class T>
void correlate(const SparseData<T>& X, const ColumnSet& columns, const PanelData& Q, double* out,
               double* partial, cudaStream_t stream);
void correlate(const GenotypeData& X, const ColumnSet& columns, const PanelData& Q, double* out,
               double* partial, cudaStream_t stream);
// Whether that reads X faster than cuBLAS does, for eight lanes without a list or a shift.
bool reads_faster_than_blas(const DenseData<double>& X);
Index correlate_scratch(Index rows, Index columns, Index stride);
Index correlate_genotypes_scratch(Index rows, Index columns, Index stride);

// out[c] = (x_j - shift_j)'q.
template <class T>
void dot(const DenseData<T>& X, const ColumnSet& columns, const double* q, double* out,
         cudaStream_t stream);
template <class T>
void dot(const SparseData<T>& X, const ColumnSet& columns, const double* q, double* out,
         cudaStream_t stream);
void dot(const GenotypeData& X, const ColumnSet& columns, const double* q, double* out,
         cudaStream_t stream);

// Column c of out (rows apart) = x_j - shift_j.
template <class T>
void gather(const DenseData<T>& X, const ColumnSet& columns, double* out, cudaStream_t stream);
template <class T>
void gather(const SparseData<T>& X, const ColumnSet& columns, double* out, cudaStream_t stream);
void gather(const GenotypeData& X, const ColumnSet& columns, double* out, cudaStream_t stream);

// out = sum of values[c] (x_j - shift_j). `partial` has room for multiply_scratch() doubles.
template <class T>
void multiply(const DenseData<T>& X, const ColumnSet& columns, const double* values, double* out,
              double* partial, cudaStream_t stream);
template <class T>
void multiply(const SparseData<T>& X, const ColumnSet& columns, const double* values, double* out,
              double* partial, cudaStream_t stream);
void multiply(const GenotypeData& X, const ColumnSet& columns, const double* values, double* out,
              double* partial, cudaStream_t stream);
Index multiply_scratch(Index rows, Index columns);

// The moments of linalg::ColumnMoments, cols long each; is_constant as 0 or 1.
struct MomentsOut {
    double* mean = nullptr;
    double* centred_sum = nullptr;
    double* squares = nullptr;
    double* products = nullptr;
    double* is_constant = nullptr;
};
struct RowInputs {
    const double* weights = nullptr;  // or null
    const double* v = nullptr;
    double total_weight = 0;
    double total_v = 0;
    double counted = 0;  // rows of positive weight
};
template <class T>
void moments(const DenseData<T>& X, const RowInputs& rows, const MomentsOut& out, double* partial,
             cudaStream_t stream);
template <class T>
void moments(const SparseData<T>& X, const RowInputs& rows, const MomentsOut& out, double* partial,
             cudaStream_t stream);
void moments(const GenotypeData& X, const RowInputs& rows, const MomentsOut& out, double* partial,
             cudaStream_t stream);
Index moments_scratch(Index rows, Index cols);

// Rows for the Gram matrix: centred, times the root of the weight, followed by response, ones, and
// zeros up to `width` columns. In the layout of X: column-major with stride `count`, or row-major
// with stride `width`; sparse X as column-major.
struct RowBlock {
    const Index* list = nullptr;      // rows by number, or null: begin, begin + 1, ...
    const Index* position = nullptr;  // inverse of list, by row, offset by `begin`; sparse only
    Index begin = 0;
    Index count = 0;
    Index valid = 0;  // rows after these are zero
    Index width = 0;
    const double* centre = nullptr;
    const double* factors = nullptr;  // of the rows, by number; or null
    const double* y = nullptr;        // by number; null: neither response nor ones
};
template <class T>
void fill_rows(const DenseData<T>& X, const RowBlock& block, double* out, cudaStream_t stream);
template <class T>
void fill_rows(const SparseData<T>& X, const RowBlock& block, double* out, cudaStream_t stream);
void fill_rows(const GenotypeData& X, const RowBlock& block, double* out, cudaStream_t stream);

// Row i of out, with stride eight, = y_i, 1, and zeros.
void fill_sides(const double* y, Index rows, double* out, cudaStream_t stream);

// pointers[k] += offset.
void shift_pointers(const double** pointers, Index count, Index offset, cudaStream_t stream);

// out[k] = sum over s of parts[s * size + k], s in order.
void add_parts(const double* parts, Index count, Index size, double* out, cudaStream_t stream);

}  // namespace sven::cuda
