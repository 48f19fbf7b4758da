// Products with dense X: X'Q, x_j'q, gathered columns, combinations of columns.

#include "cuda/kernel_tools.cuh"

namespace sven::cuda {
namespace {

constexpr int columns_a_warp = 4;
constexpr int warps = 8;
constexpr int tile_rows = 128;

// Each step halves the values that a thread holds and doubles the threads that were added: in the
// end thread v has the whole of sum v. A template, so that every index is known.
template <int half>
__device__ __forceinline__ void fold(double (&sum)[warp], int lane) {
    const bool is_upper = (lane & half) != 0;
#pragma unroll
    for (int k = 0; k < half; ++k) {
        const double given = is_upper ? sum[k] : sum[k + half];
        const double kept = is_upper ? sum[k + half] : sum[k];
        sum[k] = kept + __shfl_xor_sync(all_lanes, given, half);
    }
    if constexpr (half > 1) fold<half / 2>(sum, lane);
}

// X'Q for columns that lie together. A warp takes four columns, so that what it reads of Q serves
// four entries of X; eight lanes of Q lie in shared memory, lane by lane, so that its threads read
// neighbours. The loads of X are issued before the barrier: they are what takes time.
template <class T, bool has_shift>
__global__ void __launch_bounds__(warps* warp, 2)
    correlate_columns(DenseData<T> X, ColumnSet columns, PanelData Q, Segments segments,
                      double* out) {
    constexpr int steps = tile_rows / warp;
    __shared__ double q[lane_group][tile_rows];
    const int lane = static_cast<int>(threadIdx.x) % warp;
    const Index first =
        (static_cast<Index>(blockIdx.x) * warps + threadIdx.x / warp) * columns_a_warp;
    const Index from = static_cast<Index>(blockIdx.y) * segments.length;
    const Index to = min(X.rows, from + segments.length);
    const double* panel = Q.values + static_cast<Index>(blockIdx.z) * lane_group;

    const T* x[columns_a_warp];
    double origin[columns_a_warp];
    for (int c = 0; c < columns_a_warp; ++c) {
        const Index j = column_at(columns, min(first + c, columns.count - 1));
        x[c] = X.data + j * X.column_step;
        origin[c] = has_shift ? shift_at(columns, j) : 0.0;
    }
    double sum[columns_a_warp * lane_group] = {};
    for (Index begin = from; begin < to; begin += tile_rows) {
        T entry[columns_a_warp][steps];
#pragma unroll
        for (int s = 0; s < steps; ++s) {
            const Index i = begin + s * warp + lane;
#pragma unroll
            for (int c = 0; c < columns_a_warp; ++c) entry[c][s] = i < to ? x[c][i] : T{0};
        }
        __syncthreads();
        for (int at = static_cast<int>(threadIdx.x); at < tile_rows * lane_group;
             at += warps * warp) {
            const int k = at % lane_group;
            const int i = at / lane_group;
            q[k][i] = begin + i < to ? panel[(begin + i) * Q.stride + k] : 0.0;
        }
        __syncthreads();
#pragma unroll
        for (int s = 0; s < steps; ++s)
#pragma unroll
            for (int k = 0; k < lane_group; ++k) {
                const double qk = q[k][s * warp + lane];
#pragma unroll
                for (int c = 0; c < columns_a_warp; ++c)
                    sum[c * lane_group + k] += (static_cast<double>(entry[c][s]) - origin[c]) * qk;
            }
    }
    fold<warp / 2>(sum, lane);
    const Index c = first + lane / lane_group;
    if (c >= columns.count) return;
    const Index row = static_cast<Index>(blockIdx.y) * columns.count + c;
    out[row * Q.stride + static_cast<Index>(blockIdx.z) * lane_group + lane % lane_group] = sum[0];
}

constexpr int row_groups = 8;

// The same for rows that lie together: a thread has a column, eight threads share its rows.
template <class T>
__global__ void __launch_bounds__(warp* row_groups)
    correlate_rows(DenseData<T> X, ColumnSet columns, PanelData Q, Segments segments, double* out) {
    constexpr int rows = 64;
    __shared__ double q[rows][lane_group];
    __shared__ double shared[row_groups][lane_group][warp];
    const int x = static_cast<int>(threadIdx.x);
    const int y = static_cast<int>(threadIdx.y);
    const Index c = static_cast<Index>(blockIdx.x) * warp + x;
    const Index j = column_at(columns, min(c, columns.count - 1));
    const double origin = shift_at(columns, j);
    const Index from = static_cast<Index>(blockIdx.y) * segments.length;
    const Index to = min(X.rows, from + segments.length);
    const double* panel = Q.values + static_cast<Index>(blockIdx.z) * lane_group;
    double sum[lane_group] = {};
    for (Index begin = from; begin < to; begin += rows) {
        __syncthreads();
        for (int at = y * warp + x; at < rows * lane_group; at += warp * row_groups) {
            const int i = at / lane_group;
            q[i][at % lane_group] =
                begin + i < to ? panel[(begin + i) * Q.stride + at % lane_group] : 0.0;
        }
        __syncthreads();
#pragma unroll
        for (int i = y; i < rows; i += row_groups) {
            if (begin + i >= to) break;
            const double entry = static_cast<double>(X.data[(begin + i) * X.row_step + j]) - origin;
#pragma unroll
            for (int k = 0; k < lane_group; ++k) sum[k] += entry * q[i][k];
        }
    }
    for (int k = 0; k < lane_group; ++k) shared[y][k][x] = sum[k];
    __syncthreads();
    if (c >= columns.count) return;
    double total = 0;
    for (int g = 0; g < row_groups; ++g) total += shared[g][y][x];
    const Index row = static_cast<Index>(blockIdx.y) * columns.count + c;
    out[row * Q.stride + static_cast<Index>(blockIdx.z) * lane_group + y] = total;
}

// One warp a column.
template <class T>
__global__ void dot_columns(DenseData<T> X, ColumnSet columns, const double* q, double* out) {
    const Index c = (static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x) / warp;
    if (c >= columns.count) return;
    const Index j = column_at(columns, c);
    const T* x = X.data + j * X.column_step;
    const double origin = shift_at(columns, j);
    double sum = 0;
    for (Index i = threadIdx.x % warp; i < X.rows; i += warp)
        sum += (static_cast<double>(x[i * X.row_step]) - origin) * q[i];
    sum = warp_sum(sum);
    if (threadIdx.x % warp == 0) out[c] = sum;
}

template <class T>
__global__ void gather_columns(DenseData<T> X, ColumnSet columns, double* out) {
    const Index i = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= X.rows) return;
    for (Index c = blockIdx.y; c < columns.count; c += gridDim.y) {
        const Index j = column_at(columns, c);
        out[c * X.rows + i] =
            static_cast<double>(X.data[i * X.row_step + j * X.column_step]) - shift_at(columns, j);
    }
}

// One thread a row, over a segment of the columns.
template <class T>
__global__ void combine_columns(DenseData<T> X, ColumnSet columns, const double* values,
                                Segments segments, double* out) {
    const Index i = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= X.rows) return;
    const Index from = static_cast<Index>(blockIdx.y) * segments.length;
    const Index to = min(columns.count, from + segments.length);
    double sum = 0;
    for (Index c = from; c < to; ++c) {
        const Index j = column_at(columns, c);
        sum += (static_cast<double>(X.data[i * X.row_step + j * X.column_step]) -
                shift_at(columns, j)) *
               values[c];
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

Segments correlate_segments(Index rows, Index columns) {
    return cut(rows, (columns + warp - 1) / warp, 1024);
}

Segments multiply_segments(Index rows, Index columns) {
    return cut(columns, (rows + 255) / 256, 64);
}

}  // namespace

// As many segments as it takes to give every multiprocessor several blocks.
Segments cut(Index length, Index blocks, Index shortest) {
    constexpr Index wanted = 1056;
    const Index most = std::max<Index>(1, length / shortest);
    Segments segments;
    segments.count = std::min(most, (wanted + blocks - 1) / std::max<Index>(1, blocks));
    segments.count = std::max<Index>(1, segments.count);
    segments.length = (length + segments.count - 1) / segments.count;
    segments.length = std::max<Index>(1, (segments.length + tile_rows - 1) / tile_rows * tile_rows);
    segments.count = std::max<Index>(1, (length + segments.length - 1) / segments.length);
    return segments;
}

Index correlate_scratch(Index rows, Index columns, Index stride) {
    return correlate_segments(rows, columns).count * columns * stride;
}

Index multiply_scratch(Index rows, Index columns) {
    return multiply_segments(rows, columns).count * rows;
}

void shift_pointers(const double** pointers, Index count, Index offset, cudaStream_t stream) {
    if (offset == 0) return;
    shift_pointers_kernel<<<grid_size(count, 256), 256, 0, stream>>>(pointers, count, offset);
    check_launch();
}

void add_parts(const double* parts, Index count, Index size, double* out, cudaStream_t stream) {
    add_parts_kernel<<<grid_size(size, 256), 256, 0, stream>>>(parts, count, size, out);
    check_launch();
}

template <class T>
void correlate(const DenseData<T>& X, const ColumnSet& columns, const PanelData& Q, double* out,
               double* partial, cudaStream_t stream) {
    const Segments segments = correlate_segments(X.rows, columns.count);
    double* target = segments.count > 1 ? partial : out;
    const auto groups = static_cast<unsigned>(Q.stride / lane_group);
    const dim3 grid(grid_size(columns.count, warp), static_cast<unsigned>(segments.count), groups);
    if (X.row_step != 1)
        correlate_rows<T>
            <<<grid, dim3(warp, row_groups), 0, stream>>>(X, columns, Q, segments, target);
    else if (columns.shift != nullptr)
        correlate_columns<T, true>
            <<<grid, warps * warp, 0, stream>>>(X, columns, Q, segments, target);
    else
        correlate_columns<T, false>
            <<<grid, warps * warp, 0, stream>>>(X, columns, Q, segments, target);
    check_launch();
    if (segments.count > 1)
        add_parts(partial, segments.count, columns.count * Q.stride, out, stream);
}

template <class T>
void dot(const DenseData<T>& X, const ColumnSet& columns, const double* q, double* out,
         cudaStream_t stream) {
    dot_columns<<<grid_size(columns.count * warp, 256), 256, 0, stream>>>(X, columns, q, out);
    check_launch();
}

template <class T>
void gather(const DenseData<T>& X, const ColumnSet& columns, double* out, cudaStream_t stream) {
    const dim3 grid(grid_size(X.rows, 256),
                    static_cast<unsigned>(std::min<Index>(columns.count, 65535)));
    gather_columns<<<grid, 256, 0, stream>>>(X, columns, out);
    check_launch();
}

template <class T>
void multiply(const DenseData<T>& X, const ColumnSet& columns, const double* values, double* out,
              double* partial, cudaStream_t stream) {
    const Segments segments = multiply_segments(X.rows, columns.count);
    const dim3 grid(grid_size(X.rows, 256), static_cast<unsigned>(segments.count));
    combine_columns<<<grid, 256, 0, stream>>>(X, columns, values, segments,
                                              segments.count > 1 ? partial : out);
    check_launch();
    if (segments.count > 1) add_parts(partial, segments.count, X.rows, out, stream);
}

#define SVEN_INSTANTIATE(T)                                                                      \
    template void correlate<T>(const DenseData<T>&, const ColumnSet&, const PanelData&, double*, \
                               double*, cudaStream_t);                                           \
    template void dot<T>(const DenseData<T>&, const ColumnSet&, const double*, double*,          \
                         cudaStream_t);                                                          \
    template void gather<T>(const DenseData<T>&, const ColumnSet&, double*, cudaStream_t);       \
    template void multiply<T>(const DenseData<T>&, const ColumnSet&, const double*, double*,     \
                              double*, cudaStream_t);
SVEN_INSTANTIATE(double)
SVEN_INSTANTIATE(float)

}  // namespace sven::cuda
