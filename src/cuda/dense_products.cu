// Products with columns of X, dense or of genotypes: x_j'q, gathered columns, combinations of
// columns.

#include <algorithm>

#include "cuda/kernel_tools.cuh"
#include "cuda/tuning.hpp"

namespace sven::cuda {
namespace {

// One warp per column.
template <class Data>
__global__ void dot_columns(Data X, ColumnSet columns, const double* q, double* out) {
    const Index c = (static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x) / warp;
    if (c >= columns.count) return;
    const Index j = column_at(columns, c);
    const double origin = shift_at(columns, j);
    double sum = 0;
    for (Index i = threadIdx.x % warp; i < X.rows; i += warp)
        sum += (entry_at(X, i, j) - origin) * q[i];
    sum = warp_sum(sum);
    if (threadIdx.x % warp == 0) out[c] = sum;
}

template <class Data>
__global__ void gather_columns(Data X, ColumnSet columns, double* out) {
    const Index i = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= X.rows) return;
    for (Index c = blockIdx.y; c < columns.count; c += gridDim.y) {
        const Index j = column_at(columns, c);
        out[c * X.rows + i] = entry_at(X, i, j) - shift_at(columns, j);
    }
}

// One thread per row, over a segment of the columns.
template <class Data>
__global__ void combine_columns(Data X, ColumnSet columns, const double* values, Segments segments,
                                double* out) {
    const Index i = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= X.rows) return;
    const Index from = static_cast<Index>(blockIdx.y) * segments.length;
    const Index to = min(columns.count, from + segments.length);
    double sum = 0;
    for (Index c = from; c < to; ++c) {
        const Index j = column_at(columns, c);
        sum += (entry_at(X, i, j) - shift_at(columns, j)) * values[c];
    }
    out[static_cast<Index>(blockIdx.y) * X.rows + i] = sum;
}

__global__ void add_parts_kernel(const double* parts, Index count, Index size, double* out) {
    const Index k = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (k >= size) return;
    double sum = 0;
    for (Index s = 0; s < count; ++s) sum += parts[s * size + k];
    out[k] = sum;
}

__global__ void shift_pointers_kernel(const double** pointers, Index count, Index offset) {
    const Index k = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (k < count) pointers[k] += offset;
}

Segments multiply_segments(Index rows, Index columns) {
    return cut(columns, (rows + block_threads - 1) / block_threads, shortest_column_segment);
}

}  // namespace

// Enough segments to give every multiprocessor several blocks.
Segments cut(Index length, Index blocks, Index shortest) {
    const Index most = std::max<Index>(1, length / shortest);
    Segments segments;
    segments.count = std::min(most, (segment_blocks + blocks - 1) / std::max<Index>(1, blocks));
    segments.count = std::max<Index>(1, segments.count);
    segments.length = (length + segments.count - 1) / segments.count;
    segments.length =
        std::max<Index>(1, (segments.length + segment_unit - 1) / segment_unit * segment_unit);
    segments.count = std::max<Index>(1, (length + segments.length - 1) / segments.length);
    return segments;
}

Index multiply_scratch(Index rows, Index columns) {
    return multiply_segments(rows, columns).count * rows;
}

void shift_pointers(const double** pointers, Index count, Index offset, cudaStream_t stream) {
    if (offset == 0) return;
    shift_pointers_kernel<<<grid_size(count, block_threads), block_threads, 0, stream>>>(
        pointers, count, offset);
    check_launch();
}

void add_parts(const double* parts, Index count, Index size, double* out, cudaStream_t stream) {
    add_parts_kernel<<<grid_size(size, block_threads), block_threads, 0, stream>>>(parts, count,
                                                                                   size, out);
    check_launch();
}

namespace {

template <class Data>
void launch_dot(const Data& X, const ColumnSet& columns, const double* q, double* out,
                cudaStream_t stream) {
    dot_columns<<<grid_size(columns.count * warp, block_threads), block_threads, 0, stream>>>(
        X, columns, q, out);
    check_launch();
}

template <class Data>
void launch_gather(const Data& X, const ColumnSet& columns, double* out, cudaStream_t stream) {
    const dim3 grid(grid_size(X.rows, block_threads),
                    static_cast<unsigned>(std::min(columns.count, most_grid_rows)));
    gather_columns<<<grid, block_threads, 0, stream>>>(X, columns, out);
    check_launch();
}

template <class Data>
void launch_multiply(const Data& X, const ColumnSet& columns, const double* values, double* out,
                     double* partial, cudaStream_t stream) {
    const Segments segments = multiply_segments(X.rows, columns.count);
    const dim3 grid(grid_size(X.rows, block_threads), static_cast<unsigned>(segments.count));
    combine_columns<<<grid, block_threads, 0, stream>>>(X, columns, values, segments,
                                                        segments.count > 1 ? partial : out);
    check_launch();
    if (segments.count > 1) add_parts(partial, segments.count, X.rows, out, stream);
}

}  // namespace

template <class T>
void dot(const DenseData<T>& X, const ColumnSet& columns, const double* q, double* out,
         cudaStream_t stream) {
    launch_dot(X, columns, q, out, stream);
}
void dot(const GenotypeData& X, const ColumnSet& columns, const double* q, double* out,
         cudaStream_t stream) {
    launch_dot(X, columns, q, out, stream);
}

template <class T>
void gather(const DenseData<T>& X, const ColumnSet& columns, double* out, cudaStream_t stream) {
    launch_gather(X, columns, out, stream);
}
void gather(const GenotypeData& X, const ColumnSet& columns, double* out, cudaStream_t stream) {
    launch_gather(X, columns, out, stream);
}

template <class T>
void multiply(const DenseData<T>& X, const ColumnSet& columns, const double* values, double* out,
              double* partial, cudaStream_t stream) {
    launch_multiply(X, columns, values, out, partial, stream);
}
void multiply(const GenotypeData& X, const ColumnSet& columns, const double* values, double* out,
              double* partial, cudaStream_t stream) {
    launch_multiply(X, columns, values, out, partial, stream);
}

#define SVEN_INSTANTIATE(T)                                                                  \
    template void dot<T>(const DenseData<T>&, const ColumnSet&, const double*, double*,      \
                         cudaStream_t);                                                      \
    template void gather<T>(const DenseData<T>&, const ColumnSet&, double*, cudaStream_t);   \
    template void multiply<T>(const DenseData<T>&, const ColumnSet&, const double*, double*, \
                              double*, cudaStream_t);
SVEN_INSTANTIATE(double)
SVEN_INSTANTIATE(float)

}  // namespace sven::cuda
