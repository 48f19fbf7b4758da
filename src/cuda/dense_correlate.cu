// X'Q with dense X.

#include <algorithm>
#include <cstdint>
#include <mutex>

#include "cuda/kernel_tools.cuh"
#include "cuda/tuning.hpp"

namespace sven::cuda {
namespace {

// A thread loads 64 bytes of a column at a time, four rows out of every sixteen.
template <class T>
constexpr int sixteens = 16 / sizeof(T);
template <class T>
constexpr int rows_a_step = 16 * sixteens<T>;
constexpr int longest_step = rows_a_step<float>;
// The stride of the lanes of Q in shared memory, modulo 32: the simultaneous reads of a warp, four
// numbers each or one, are then spread over all banks.
template <bool is_aligned>
constexpr int pitch_excess = is_aligned ? 2 : 4;

// Thread t of a warp has four entries of every sixteen: with aligned columns those from 4 (t % 4)
// on, by wide loads; otherwise t % 4, t % 4 + 4 and so on, so that loads are coalesced.
template <bool is_aligned>
__device__ __forceinline__ int first_entry(int part) {
    return is_aligned ? 4 * part : part;
}

template <class T, bool is_aligned>
__device__ __forceinline__ void load_step(T (&entry)[sixteens<T>][4], const T* x, int first,
                                          int rows) {
#pragma unroll
    for (int s = 0; s < sixteens<T>; ++s) {
        const int i = first + 16 * s;
        if constexpr (!is_aligned) {
#pragma unroll
            for (int e = 0; e < 4; ++e)
                entry[s][e] = i + 4 * e < rows ? __ldcs(x + i + 4 * e) : T{0};
        } else if constexpr (sizeof(T) == 4) {
            const float4 none{0, 0, 0, 0};
            const float4 four = i < rows ? __ldcs(reinterpret_cast<const float4*>(x + i)) : none;
            entry[s][0] = four.x;
            entry[s][1] = four.y;
            entry[s][2] = four.z;
            entry[s][3] = four.w;
        } else {
            const double2 none{0, 0};
            const auto* at = reinterpret_cast<const double2*>(x + i);
            const double2 low = i < rows ? __ldcs(at) : none;
            const double2 high = i < rows ? __ldcs(at + 1) : none;
            entry[s][0] = low.x;
            entry[s][1] = low.y;
            entry[s][2] = high.x;
            entry[s][3] = high.y;
        }
    }
}

// The same for a lane of Q.
template <bool is_aligned>
__device__ __forceinline__ void load_four(double (&a)[4], const double* q) {
    if constexpr (is_aligned) {
        const double2 low = *reinterpret_cast<const double2*>(q);
        const double2 high = *reinterpret_cast<const double2*>(q + 2);
        a[0] = low.x;
        a[1] = low.y;
        a[2] = high.x;
        a[3] = high.y;
    } else {
#pragma unroll
        for (int e = 0; e < 4; ++e) a[e] = q[4 * e];
    }
}

// X'Q for column-major X. Eight lanes of a segment of Q stay in shared memory while the warps of a
// block go through the columns, eight at a time. Four entries of each column are one product on the
// matrix units, which also adds over the rows. The order of the rows does not matter, so that a
// thread may load four adjacent ones. Warps do not synchronise, and entries are loaded one step
// ahead.
template <class T, bool has_shift, bool is_aligned>
__global__ void __launch_bounds__(most_warps* warp, blocks_per_multiprocessor)
    correlate_columns(DenseData<T> X, ColumnSet columns, PanelData Q, Segments segments,
                      double* out) {
    extern __shared__ double q[];  // [lane_group][pitch], zero after the last row
    const Index from = static_cast<Index>(blockIdx.y) * segments.length;
    const int rows = static_cast<int>(min(X.rows - from, segments.length));
    const int padded = (rows + rows_a_step<T> - 1) / rows_a_step<T> * rows_a_step<T>;
    const int pitch = padded + pitch_excess<is_aligned>;
    const double* panel = Q.values + from * Q.stride + static_cast<Index>(blockIdx.z) * lane_group;
    for (int at = static_cast<int>(threadIdx.x); at < padded * lane_group;
         at += static_cast<int>(blockDim.x)) {
        const int k = at % lane_group;
        const int i = at / lane_group;
        q[k * pitch + i] = i < rows ? panel[i * Q.stride + k] : 0.0;
    }
    __syncthreads();

    const int lane = static_cast<int>(threadIdx.x) % warp;
    const int part = lane % 4;
    const int first = first_entry<is_aligned>(part);
    const double* own = q + lane / 4 * pitch + first;
    const Index groups = (columns.count + columns_a_warp - 1) / columns_a_warp;
    const Index stride = static_cast<Index>(gridDim.x) * (blockDim.x / warp);
    for (Index group = static_cast<Index>(blockIdx.x) * (blockDim.x / warp) + threadIdx.x / warp;
         group < groups; group += stride) {
        const Index j =
            column_at(columns, min(group * columns_a_warp + lane / 4, columns.count - 1));
        const T* x = X.data + j * X.column_step + from;
        const double origin = has_shift ? shift_at(columns, j) : 0.0;
        double sum[4][2] = {};
        T entry[sixteens<T>][4];
        load_step<T, is_aligned>(entry, x, first, rows);
        for (int begin = 0; begin < padded; begin += rows_a_step<T>) {
            T next[sixteens<T>][4];
            load_step<T, is_aligned>(next, x, begin + rows_a_step<T> + first, rows);
#pragma unroll
            for (int s = 0; s < sixteens<T>; ++s) {
                double a[4];
                load_four<is_aligned>(a, own + begin + 16 * s);
#pragma unroll
                for (int e = 0; e < 4; ++e) {
                    const double b = static_cast<double>(entry[s][e]);
                    multiply_add(sum[e], a[e], has_shift ? b - origin : b);
                }
            }
#pragma unroll
            for (int s = 0; s < sixteens<T>; ++s)
#pragma unroll
                for (int e = 0; e < 4; ++e) entry[s][e] = next[s][e];
        }
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            const Index c = group * columns_a_warp + 2 * part + h;
            if (c >= columns.count) continue;
            const Index row = static_cast<Index>(blockIdx.y) * columns.count + c;
            out[row * Q.stride + static_cast<Index>(blockIdx.z) * lane_group + lane / 4] =
                (sum[0][h] + sum[1][h]) + (sum[2][h] + sum[3][h]);
        }
    }
}

// The same for row-major X: a thread has a column, eight threads share its rows.
template <class T>
__global__ void __launch_bounds__(warp* row_groups)
    correlate_rows(DenseData<T> X, ColumnSet columns, PanelData Q, Segments segments, double* out) {
    constexpr int rows = shared_rows;
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

Segments row_segments(Index rows, Index columns) {
    return cut(rows, (columns + warp - 1) / warp, shortest_row_segment);
}

// Rows of Q that fit into the shared memory of a block, without the 1 KiB that CUDA reserves.
Index longest_segment() {
    static const Index longest = [] {
        int device = 0;
        int bytes = 0;
        SVEN_CUDA(cudaGetDevice(&device));
        SVEN_CUDA(
            cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device));
        const Index rows = (bytes / blocks_per_multiprocessor - 1024) /
                           static_cast<int>(sizeof(double)) / lane_group;
        return (rows - pitch_excess<false>) / longest_step * longest_step;
    }();
    return longest;
}

Index column_groups(Index columns) {
    return (columns + columns_a_warp - 1) / columns_a_warp;
}

// The number of warps of a block that leaves few idle in the last round.
Index good_warps(Index groups) {
    Index best = most_warps;
    double least = 1e300;
    for (Index warps = most_warps; warps >= most_warps / 2; --warps) {
        const Index rounds = (groups + warps - 1) / warps;
        const double share = static_cast<double>(rounds * warps) / static_cast<double>(groups);
        if (share < better_share * least) {
            least = share;
            best = warps;
        }
    }
    return best;
}

// Enough segments to occupy all multiprocessors, in whole waves.
Segments column_segments(Index rows, Index columns) {
    Index count = (rows + longest_segment() - 1) / longest_segment();
    if (count > resident_blocks / 2)
        count = (count + resident_blocks - 1) / resident_blocks * resident_blocks;
    const Index blocks = std::max<Index>(1, column_groups(columns) / most_warps);
    count = std::max(count, std::min(resident_blocks / std::min(resident_blocks, blocks),
                                     rows / shortest_lane_segment));
    count = std::max<Index>(1, count);
    Segments segments;
    segments.length = std::max<Index>(1, (rows + count - 1) / count);
    segments.length = (segments.length + 3) / 4 * 4;  // keeps the alignment of all segments
    segments.count = std::max<Index>(1, (rows + segments.length - 1) / segments.length);
    return segments;
}

// Lets the kernel have that much shared memory. The limit is the process's: it only grows, since
// others may be about to launch.
template <class T, bool has_shift, bool is_aligned>
void allow_shared_memory(int bytes) {
    static std::mutex mutex;
    static int allowed = 0;
    const std::lock_guard lock(mutex);
    if (bytes <= allowed) return;
    SVEN_CUDA(cudaFuncSetAttribute(correlate_columns<T, has_shift, is_aligned>,
                                   cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    allowed = bytes;
}

template <class T, bool has_shift, bool is_aligned>
void launch_columns(const DenseData<T>& X, const ColumnSet& columns, const PanelData& Q,
                    const Segments& segments, double* out, cudaStream_t stream) {
    const Index rows = std::min(X.rows, segments.length);
    const Index padded = (rows + rows_a_step<T> - 1) / rows_a_step<T> * rows_a_step<T>;
    const auto bytes =
        static_cast<int>((padded + pitch_excess<is_aligned>)*lane_group * sizeof(double));
    const auto kernel = correlate_columns<T, has_shift, is_aligned>;
    allow_shared_memory<T, has_shift, is_aligned>(bytes);
    const Index groups = column_groups(columns.count);
    const Index warps = good_warps(groups);
    const Index others = segments.count * (Q.stride / lane_group);
    const Index blocks =
        std::min(std::max<Index>(1, resident_blocks / others), (groups + warps - 1) / warps);
    const dim3 grid(static_cast<unsigned>(blocks), static_cast<unsigned>(segments.count),
                    static_cast<unsigned>(Q.stride / lane_group));
    kernel<<<grid, static_cast<unsigned>(warps * warp), bytes, stream>>>(X, columns, Q, segments,
                                                                         out);
}

// Whether four rows of a column can be loaded at once, without a remainder.
template <class T>
bool is_aligned(const DenseData<T>& X) {
    return X.rows % 4 == 0 && reinterpret_cast<std::uintptr_t>(X.data) % 16 == 0 &&
           X.column_step * static_cast<Index>(sizeof(T)) % 16 == 0;
}

}  // namespace

bool keeps_lanes(Index rows) {
    return rows <= longest_segment();
}

Index correlate_scratch(Index rows, Index columns, Index stride) {
    return std::max(row_segments(rows, columns).count, column_segments(rows, columns).count) *
           columns * stride;
}

template <class T>
void correlate(const DenseData<T>& X, const ColumnSet& columns, const PanelData& Q, double* out,
               double* partial, cudaStream_t stream) {
    const Segments segments = X.row_step != 1 ? row_segments(X.rows, columns.count)
                                              : column_segments(X.rows, columns.count);
    double* target = segments.count > 1 ? partial : out;
    if (X.row_step != 1) {
        const dim3 grid(grid_size(columns.count, warp), static_cast<unsigned>(segments.count),
                        static_cast<unsigned>(Q.stride / lane_group));
        correlate_rows<T>
            <<<grid, dim3(warp, row_groups), 0, stream>>>(X, columns, Q, segments, target);
    } else {
        const auto launch =
            columns.shift != nullptr
                ? (is_aligned(X) ? launch_columns<T, true, true> : launch_columns<T, true, false>)
                : (is_aligned(X) ? launch_columns<T, false, true>
                                 : launch_columns<T, false, false>);
        launch(X, columns, Q, segments, target, stream);
    }
    check_launch();
    if (segments.count > 1)
        add_parts(partial, segments.count, columns.count * Q.stride, out, stream);
}

template void correlate<double>(const DenseData<double>&, const ColumnSet&, const PanelData&,
                                double*, double*, cudaStream_t);
template void correlate<float>(const DenseData<float>&, const ColumnSet&, const PanelData&, double*,
                               double*, cudaStream_t);

}  // namespace sven::cuda
