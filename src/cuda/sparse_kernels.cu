// The operations on compressed columns, one warp per column. A shift is subtracted from the stored
// entries one by one. For the zeros it is summed over the gaps between them: a difference of two
// sums would not vanish if there are no zeros.

#include "cuda/kernel_tools.cuh"
#include "cuda/tuning.hpp"

namespace sven::cuda {
namespace {

constexpr int block_size = block_threads;

__device__ inline Index warp_index() {
    return (static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x) / warp;
}

// Calls body(i) for the rows that column j does not store; `part` of `parts` threads takes its
// share.
template <class T, class Body>
__device__ void for_each_gap(const SparseData<T>& X, Index j, int part, int parts,
                             const Body& body) {
    const Index begin = X.offsets[j];
    const Index end = X.offsets[j + 1];
    for (Index e = begin + part; e <= end; e += parts) {
        const Index from = e == begin ? 0 : static_cast<Index>(X.indices[e - 1]) + 1;
        const Index to = e == end ? X.rows : X.indices[e];
        for (Index i = from; i < to; ++i) body(i);
    }
}

// 32 entries are loaded at once and shuffled: four entries at a time, eight lanes of Q each.
template <class T>
__global__ void correlate_columns(SparseData<T> X, ColumnSet columns, PanelData Q, double* out) {
    const Index c = warp_index();
    if (c >= columns.count) return;
    const Index j = column_at(columns, c);
    const double origin = shift_at(columns, j);
    const int lane = static_cast<int>(threadIdx.x) % warp;
    const int k = lane % lane_group + static_cast<int>(blockIdx.y) * lane_group;
    const Index begin = X.offsets[j];
    const Index end = X.offsets[j + 1];
    double sum = 0;
    for (Index e = begin; e < end; e += warp) {
        const bool is_mine = e + lane < end;
        const double value = is_mine ? static_cast<double>(X.values[e + lane]) - origin : 0.0;
        const int row = is_mine ? X.indices[e + lane] : 0;
        const int count = static_cast<int>(min(static_cast<Index>(warp), end - e));
        for (int s = 0; s < count; s += warp / lane_group) {
            const int at = s + lane / lane_group;
            const double x = __shfl_sync(all_lanes, value, at);
            const int i = __shfl_sync(all_lanes, row, at);
            if (at >= count) continue;
            sum += x * Q.values[i * Q.stride + k];
        }
    }
    if (origin != 0)
        for_each_gap(X, j, lane / lane_group, warp / lane_group,
                     [&](Index i) { sum -= origin * Q.values[i * Q.stride + k]; });
    for (int half = warp / 2; half >= lane_group; half /= 2)
        sum += __shfl_xor_sync(all_lanes, sum, half);
    if (lane < lane_group) out[c * Q.stride + k] = sum;
}

template <class T>
__global__ void dot_columns(SparseData<T> X, ColumnSet columns, const double* q, double* out) {
    const Index c = warp_index();
    if (c >= columns.count) return;
    const Index j = column_at(columns, c);
    const double origin = shift_at(columns, j);
    const int lane = static_cast<int>(threadIdx.x) % warp;
    double sum = 0;
    for (Index e = X.offsets[j] + lane; e < X.offsets[j + 1]; e += warp)
        sum += (static_cast<double>(X.values[e]) - origin) * q[X.indices[e]];
    if (origin != 0) for_each_gap(X, j, lane, warp, [&](Index i) { sum -= origin * q[i]; });
    sum = warp_sum(sum);
    if (lane == 0) out[c] = sum;
}

template <class T>
__global__ void gather_columns(SparseData<T> X, ColumnSet columns, double* out) {
    const Index c = blockIdx.x;
    const Index j = column_at(columns, c);
    const double origin = shift_at(columns, j);
    double* column = out + c * X.rows;
    for (Index i = threadIdx.x; i < X.rows; i += blockDim.x) column[i] = -origin;
    __syncthreads();
    for (Index e = X.offsets[j] + threadIdx.x; e < X.offsets[j + 1]; e += blockDim.x)
        column[X.indices[e]] = static_cast<double>(X.values[e]) - origin;
}

// The first entry of a column at or after `row`.
template <class T>
__device__ Index lower_bound(const SparseData<T>& X, Index begin, Index end, Index row) {
    while (begin < end) {
        const Index middle = (begin + end) / 2;
        if (X.indices[middle] < row)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

// A block owns a range of rows and goes through the columns one by one: the rows of one column
// differ, so there are no races, and the order of the sum is fixed.
template <class T>
__global__ void combine_columns(SparseData<T> X, ColumnSet columns, const double* values,
                                double* out) {
    __shared__ double sum[combined_rows];
    const Index first = static_cast<Index>(blockIdx.x) * combined_rows;
    const Index last = min(X.rows, first + combined_rows);
    for (int i = static_cast<int>(threadIdx.x); i < combined_rows; i += blockDim.x) sum[i] = 0;
    __syncthreads();
    for (Index c = 0; c < columns.count; ++c) {
        const Index j = column_at(columns, c);
        const double origin = shift_at(columns, j);
        const double value = values[c];
        const Index begin = lower_bound(X, X.offsets[j], X.offsets[j + 1], first);
        const Index end = lower_bound(X, begin, X.offsets[j + 1], last);
        if (origin != 0) {
            // Entry by entry: correcting the sum afterwards would cancel digits.
            for (Index i = first + threadIdx.x; i < last; i += blockDim.x) {
                const Index e = lower_bound(X, begin, end, i);
                const double x =
                    e < end && X.indices[e] == i ? static_cast<double>(X.values[e]) : 0.0;
                sum[i - first] += (x - origin) * value;
            }
        } else {
            for (Index e = begin + threadIdx.x; e < end; e += blockDim.x)
                sum[X.indices[e] - first] += static_cast<double>(X.values[e]) * value;
        }
        __syncthreads();
    }
    for (Index i = first + threadIdx.x; i < last; i += blockDim.x) out[i] = sum[i - first];
}

// As finish_moments of linalg/sparse_design.hpp, including the zeros.
template <class T>
__global__ void sum_moments(SparseData<T> X, RowInputs rows, MomentsOut out) {
    const Index j = warp_index();
    if (j >= X.cols) return;
    const int lane = static_cast<int>(threadIdx.x) % warp;
    double weight = 0;
    double first = 0;
    double v = 0;
    double counted = 0;
    double low = INFINITY;
    double high = -INFINITY;
    for (Index e = X.offsets[j] + lane; e < X.offsets[j + 1]; e += warp) {
        const Index i = X.indices[e];
        const double x = static_cast<double>(X.values[e]);
        const double w = rows.weights == nullptr ? 1.0 : rows.weights[i];
        weight += w;
        first += w * x;
        v += rows.v[i];
        if (w == 0) continue;
        low = fmin(low, x);
        high = fmax(high, x);
        counted += 1;
    }
    weight = warp_sum(weight);
    first = warp_sum(first);
    v = warp_sum(v);
    counted = warp_sum(counted);
    for (int half = warp / 2; half > 0; half /= 2) {
        low = fmin(low, __shfl_xor_sync(all_lanes, low, half));
        high = fmax(high, __shfl_xor_sync(all_lanes, high, half));
    }
    if (counted < rows.counted) {
        low = fmin(low, 0.0);
        high = fmax(high, 0.0);
    }
    const bool is_constant = low == high;
    const double mean = is_constant ? low : first / rows.total_weight;
    double centred = 0;
    double squares = 0;
    double products = 0;
    for (Index e = X.offsets[j] + lane; e < X.offsets[j + 1]; e += warp) {
        const Index i = X.indices[e];
        const double d = static_cast<double>(X.values[e]) - mean;
        const double w = rows.weights == nullptr ? 1.0 : rows.weights[i];
        centred += w * d;
        squares += w * d * d;
        products += rows.v[i] * d;
    }
    centred = warp_sum(centred);
    squares = warp_sum(squares);
    products = warp_sum(products);
    if (lane > 0) return;
    // differences of sums in another order do not vanish exactly
    const double zeros = counted < rows.counted ? rows.total_weight - weight : 0.0;
    const bool is_full = X.offsets[j + 1] - X.offsets[j] == X.rows;
    out.mean[j] = mean;
    out.is_constant[j] = is_constant ? 1 : 0;
    out.centred_sum[j] = centred - zeros * mean;
    out.squares[j] = squares + zeros * mean * mean;
    out.products[j] = products - (is_full ? 0.0 : mean * (rows.total_v - v));
}

// Column-major, one block per column: first all rows as zeros, then the stored ones.
template <class T>
__global__ void fill_block(SparseData<T> X, RowBlock block, double* out) {
    const Index j = blockIdx.x;
    double* column = out + j * block.count;
    const bool is_of_X = j < X.cols;
    const double centre = is_of_X ? block.centre[j] : 0.0;
    for (Index i = threadIdx.x; i < block.count; i += blockDim.x) {
        if (i >= block.valid) {
            column[i] = 0;
            continue;
        }
        const Index row = block.list == nullptr ? block.begin + i : block.list[block.begin + i];
        const double factor = block.factors == nullptr ? 1.0 : block.factors[row];
        double value = -centre;
        if (!is_of_X) {
            value = 0;
            if (block.y != nullptr && j <= X.cols + 1) value = j == X.cols ? block.y[row] : 1.0;
        }
        column[i] = value * factor;
    }
    if (!is_of_X) return;
    __syncthreads();
    Index begin = X.offsets[j];
    Index end = X.offsets[j + 1];
    if (block.list == nullptr) {
        begin = lower_bound(X, begin, end, block.begin);
        end = lower_bound(X, begin, end, block.begin + block.valid);
    }
    for (Index e = begin + threadIdx.x; e < end; e += blockDim.x) {
        const Index row = X.indices[e];
        const Index i = (block.list == nullptr ? row : block.position[row]) - block.begin;
        if (i < 0 || i >= block.valid) continue;
        const double factor = block.factors == nullptr ? 1.0 : block.factors[row];
        column[i] = (static_cast<double>(X.values[e]) - centre) * factor;
    }
}

}  // namespace

template <class T>
void correlate(const SparseData<T>& X, const ColumnSet& columns, const PanelData& Q, double* out,
               double*, cudaStream_t stream) {
    const dim3 grid(grid_size(columns.count * warp, block_size),
                    static_cast<unsigned>(Q.stride / lane_group));
    correlate_columns<<<grid, block_size, 0, stream>>>(X, columns, Q, out);
    check_launch();
}

template <class T>
void dot(const SparseData<T>& X, const ColumnSet& columns, const double* q, double* out,
         cudaStream_t stream) {
    dot_columns<<<grid_size(columns.count * warp, block_size), block_size, 0, stream>>>(X, columns,
                                                                                        q, out);
    check_launch();
}

template <class T>
void gather(const SparseData<T>& X, const ColumnSet& columns, double* out, cudaStream_t stream) {
    gather_columns<<<static_cast<unsigned>(columns.count), block_size, 0, stream>>>(X, columns,
                                                                                    out);
    check_launch();
}

template <class T>
void multiply(const SparseData<T>& X, const ColumnSet& columns, const double* values, double* out,
              double*, cudaStream_t stream) {
    combine_columns<<<grid_size(X.rows, combined_rows), block_size, 0, stream>>>(X, columns, values,
                                                                                 out);
    check_launch();
}

template <class T>
void moments(const SparseData<T>& X, const RowInputs& rows, const MomentsOut& out, double*,
             cudaStream_t stream) {
    sum_moments<<<grid_size(X.cols * warp, block_size), block_size, 0, stream>>>(X, rows, out);
    check_launch();
}

template <class T>
void fill_rows(const SparseData<T>& X, const RowBlock& block, double* out, cudaStream_t stream) {
    fill_block<<<static_cast<unsigned>(block.width), block_size, 0, stream>>>(X, block, out);
    check_launch();
}

#define SVEN_INSTANTIATE(T)                                                                       \
    template void correlate<T>(const SparseData<T>&, const ColumnSet&, const PanelData&, double*, \
                               double*, cudaStream_t);                                            \
    template void dot<T>(const SparseData<T>&, const ColumnSet&, const double*, double*,          \
                         cudaStream_t);                                                           \
    template void gather<T>(const SparseData<T>&, const ColumnSet&, double*, cudaStream_t);       \
    template void multiply<T>(const SparseData<T>&, const ColumnSet&, const double*, double*,     \
                              double*, cudaStream_t);                                             \
    template void moments<T>(const SparseData<T>&, const RowInputs&, const MomentsOut&, double*,  \
                             cudaStream_t);                                                       \
    template void fill_rows<T>(const SparseData<T>&, const RowBlock&, double*, cudaStream_t);
SVEN_INSTANTIATE(double)
SVEN_INSTANTIATE(float)

}  // namespace sven::cuda
