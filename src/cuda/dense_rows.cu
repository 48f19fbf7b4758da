// Passes over the rows of X, dense or of genotypes: moments, and blocks for the Gram matrix.

#include "cuda/kernel_tools.cuh"
#include "cuda/tuning.hpp"

namespace sven::cuda {
namespace {

constexpr int groups = moment_groups;

// The two passes of the moments: the first computes the weighted sum and the range, the second the
// sums about the mean.
struct FirstPass {
    __device__ static void start(double* s) {
        s[0] = 0;
        s[1] = INFINITY;
        s[2] = -INFINITY;
    }
    __device__ static void add(double* s, double x, double w, double, double) {
        s[0] += w * x;
        if (w == 0) return;
        s[1] = fmin(s[1], x);
        s[2] = fmax(s[2], x);
    }
    __device__ static void merge(double* s, const double* other) {
        s[0] += other[0];
        s[1] = fmin(s[1], other[1]);
        s[2] = fmax(s[2], other[2]);
    }
};

struct SecondPass {
    __device__ static void start(double* s) { s[0] = s[1] = s[2] = 0; }
    __device__ static void add(double* s, double x, double w, double v, double mean) {
        const double d = x - mean;
        s[0] += w * d;
        s[1] += w * d * d;
        s[2] += v * d;
    }
    __device__ static void merge(double* s, const double* other) {
        for (int k = 0; k < 3; ++k) s[k] += other[k];
    }
};

// A block takes one column (column-major X) or 32 adjacent columns (row-major X). partial: segments
// x cols x 3.
template <class Data, class Pass, bool by_columns>
__global__ void __launch_bounds__(warp* groups)
    sum_moments(Data X, RowInputs rows, const double* mean, Segments segments, double* partial) {
    __shared__ double shared[warp * groups][3];
    const int tid = static_cast<int>(threadIdx.y) * warp + static_cast<int>(threadIdx.x);
    const Index column =
        by_columns ? blockIdx.x : static_cast<Index>(blockIdx.x) * warp + threadIdx.x;
    const Index j = min(column, X.cols - 1);
    const Index from = static_cast<Index>(blockIdx.y) * segments.length;
    const Index to = min(X.rows, from + segments.length);
    const double centre = mean == nullptr ? 0.0 : mean[j];
    double s[3];
    Pass::start(s);
    const Index step = by_columns ? warp * groups : groups;
    for (Index i = from + (by_columns ? tid : static_cast<int>(threadIdx.y)); i < to; i += step)
        Pass::add(s, entry_at(X, i, j), rows.weights == nullptr ? 1.0 : rows.weights[i], rows.v[i],
                  centre);
    for (int k = 0; k < 3; ++k) shared[tid][k] = s[k];
    for (int half = warp * groups / 2; half >= (by_columns ? 1 : warp); half /= 2) {
        __syncthreads();
        if (tid < half) Pass::merge(shared[tid], shared[tid + half]);
    }
    if (by_columns ? tid > 0 : (tid >= warp || column >= X.cols)) return;
    for (int k = 0; k < 3; ++k)
        partial[(static_cast<Index>(blockIdx.y) * X.cols + j) * 3 + k] = shared[tid][k];
}

__global__ void finish_first(const double* partial, Index segments, Index cols, double total,
                             MomentsOut out) {
    const Index j = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (j >= cols) return;
    double s[3];
    FirstPass::start(s);
    for (Index k = 0; k < segments; ++k) FirstPass::merge(s, partial + (k * cols + j) * 3);
    const bool is_constant = s[1] == s[2];
    out.is_constant[j] = is_constant ? 1 : 0;
    out.mean[j] = is_constant ? s[1] : s[0] / total;
}

__global__ void finish_second(const double* partial, Index segments, Index cols, MomentsOut out) {
    const Index j = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (j >= cols) return;
    double s[3];
    SecondPass::start(s);
    for (Index k = 0; k < segments; ++k) SecondPass::merge(s, partial + (k * cols + j) * 3);
    out.centred_sum[j] = s[0];
    out.squares[j] = s[1];
    out.products[j] = s[2];
}

// Response, ones and padding after the columns of X.
__device__ double behind(const RowBlock& block, Index j, Index cols, Index row, double factor) {
    if (block.y == nullptr || j > cols + 1) return 0.0;
    return (j == cols ? block.y[row] : 1.0) * factor;
}

__global__ void fill_sides_kernel(const double* y, Index size, double* out) {
    const Index k = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (k < size) out[k] = k % lane_group == 0 ? y[k / lane_group] : (k % lane_group == 1 ? 1 : 0);
}

// x runs along the contiguous dimension.
template <class Data, bool by_columns>
__global__ void fill_block(Data X, RowBlock block, double* out) {
    const Index x = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
    const Index length = by_columns ? block.count : block.width;
    const Index lines = by_columns ? block.width : block.count;
    if (x >= length) return;
    for (Index line = blockIdx.y; line < lines; line += gridDim.y) {
        const Index i = by_columns ? x : line;
        const Index j = by_columns ? line : x;
        double* target = out + line * length + x;
        if (i >= block.valid) {
            *target = 0;
            continue;
        }
        const Index row = block.list == nullptr ? block.begin + i : block.list[block.begin + i];
        const double factor = block.factors == nullptr ? 1.0 : block.factors[row];
        double value = 0;
        if (j < X.cols)
            value = (entry_at(X, row, j) - block.centre[j]) * factor;
        else
            value = behind(block, j, X.cols, row, factor);
        *target = value;
    }
}

template <class Data, class Pass>
void run_pass(const Data& X, const RowInputs& rows, const double* mean, const Segments& segments,
              double* partial, cudaStream_t stream) {
    const dim3 block(warp, groups);
    const auto parts = static_cast<unsigned>(segments.count);
    if (is_by_columns(X))
        sum_moments<Data, Pass, true>
            <<<dim3(static_cast<unsigned>(X.cols), parts), block, 0, stream>>>(X, rows, mean,
                                                                               segments, partial);
    else
        sum_moments<Data, Pass, false><<<dim3(grid_size(X.cols, warp), parts), block, 0, stream>>>(
            X, rows, mean, segments, partial);
    check_launch();
}

Segments moments_segments(Index rows, Index cols) {
    return cut(rows, (cols + warp - 1) / warp, shortest_moments_segment);
}

}  // namespace

Index moments_scratch(Index rows, Index cols) {
    return moments_segments(rows, cols).count * cols * 3;
}

namespace {

template <class Data>
void launch_moments(const Data& X, const RowInputs& rows, const MomentsOut& out, double* partial,
                    cudaStream_t stream) {
    const Segments segments = moments_segments(X.rows, X.cols);
    const unsigned blocks = grid_size(X.cols, block_threads);
    run_pass<Data, FirstPass>(X, rows, nullptr, segments, partial, stream);
    finish_first<<<blocks, block_threads, 0, stream>>>(partial, segments.count, X.cols,
                                                       rows.total_weight, out);
    check_launch();
    run_pass<Data, SecondPass>(X, rows, out.mean, segments, partial, stream);
    finish_second<<<blocks, block_threads, 0, stream>>>(partial, segments.count, X.cols, out);
    check_launch();
}

template <class Data>
void launch_fill(const Data& X, const RowBlock& block, double* out, cudaStream_t stream) {
    const bool by_columns = is_by_columns(X);
    const Index length = by_columns ? block.count : block.width;
    const Index lines = by_columns ? block.width : block.count;
    const dim3 grid(grid_size(length, block_threads),
                    static_cast<unsigned>(std::min(lines, most_grid_rows)));
    if (by_columns)
        fill_block<Data, true><<<grid, block_threads, 0, stream>>>(X, block, out);
    else
        fill_block<Data, false><<<grid, block_threads, 0, stream>>>(X, block, out);
    check_launch();
}

}  // namespace

template <class T>
void moments(const DenseData<T>& X, const RowInputs& rows, const MomentsOut& out, double* partial,
             cudaStream_t stream) {
    launch_moments(X, rows, out, partial, stream);
}
void moments(const GenotypeData& X, const RowInputs& rows, const MomentsOut& out, double* partial,
             cudaStream_t stream) {
    launch_moments(X, rows, out, partial, stream);
}

template <class T>
void fill_rows(const DenseData<T>& X, const RowBlock& block, double* out, cudaStream_t stream) {
    launch_fill(X, block, out, stream);
}
void fill_rows(const GenotypeData& X, const RowBlock& block, double* out, cudaStream_t stream) {
    launch_fill(X, block, out, stream);
}

void fill_sides(const double* y, Index rows, double* out, cudaStream_t stream) {
    const Index size = rows * lane_group;
    fill_sides_kernel<<<grid_size(size, block_threads), block_threads, 0, stream>>>(y, size, out);
    check_launch();
}

#define SVEN_INSTANTIATE(T)                                                                     \
    template void moments<T>(const DenseData<T>&, const RowInputs&, const MomentsOut&, double*, \
                             cudaStream_t);                                                     \
    template void fill_rows<T>(const DenseData<T>&, const RowBlock&, double*, cudaStream_t);
SVEN_INSTANTIATE(double)
SVEN_INSTANTIATE(float)

}  // namespace sven::cuda
