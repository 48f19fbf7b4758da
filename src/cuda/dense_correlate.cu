// X'Q with dense X.

#include <algorithm>
#include <cstdint>
#include <mutex>

#include "cuda/dense_correlate.hpp"
#include "cuda/dense_loads.cuh"
#include "cuda/tuning.hpp"

namespace sven::cuda {
namespace {

// X'Q for column-major X. Eight lanes of a segment of Q stay in shared memory while the warps of a
// block go through the columns, eight at a time. Four entries of each column are one product on the
// matrix units, which also adds over the rows. The order of the rows does not matter, so that a
// thread may load four adjacent ones. Warps do not synchronise, and entries are loaded one step
// ahead.
template <class T, bool has_shift, Loads loads>
__global__ void __launch_bounds__(most_warps* warp, blocks_per_multiprocessor)
    correlate_columns(DenseData<T> X, ColumnSet columns, PanelData Q, Segments segments,
                      double* out) {
    extern __shared__ double q[];  // [lane_group][pitch]
    const Index from = static_cast<Index>(blockIdx.y) * segments.length;
    const int rows = static_cast<int>(min(X.rows - from, segments.length));
    share_lanes<T, loads>(q, Q, from, rows);

    const int lane = static_cast<int>(threadIdx.x) % warp;
    const int part = lane % 4;
    const double* lanes = q + lane / 4 * lane_pitch<T, loads>(rows) + rows_before<loads>;
    const Index groups = column_groups<T, loads>(columns.count);
    const Index stride = static_cast<Index>(gridDim.x) * (blockDim.x / warp);
    for (Index group = static_cast<Index>(blockIdx.x) * (blockDim.x / warp) + threadIdx.x / warp;
         group < groups; group += stride) {
        const Index leader = first_column<T, loads>(group);
        if (leader >= columns.count) continue;
        const Index own = leader + lane / 4 * column_stride<T, loads>;
        const Index j = column_at(columns, own < columns.count ? own : leader);
        const T* x = X.data + j * X.column_step + from;
        const double origin = has_shift ? shift_at(columns, j) : 0.0;
        const int before = loads == Loads::from_before ? rows_to_boundary(x) : 0;
        const int first = first_entry<loads>(part) - before;
        const int padded = padded_rows<T, loads>(rows);
        double sum[4][2] = {};
        T entry[sixteens<T>][4];
        load_step<T, loads>(entry, x, first, rows);
#pragma unroll(unrolled_steps <T, has_shift, loads>)
        for (int begin = 0; begin < padded; begin += rows_a_step<T>) {
            T next[sixteens<T>][4];
            load_step<T, loads>(next, x, begin + rows_a_step<T> + first, rows);
#pragma unroll
            for (int s = 0; s < sixteens<T>; ++s) {
                double a[4];
                load_four<loads>(a, lanes + begin + first + 16 * s);
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
            const Index c = leader + (2 * part + h) * column_stride<T, loads>;
            if (c >= columns.count) continue;
            const Index row = static_cast<Index>(blockIdx.y) * columns.count + c;
            out[row * Q.stride + static_cast<Index>(blockIdx.z) * lane_group + lane / 4] =
                (sum[0][h] + sum[1][h]) + (sum[2][h] + sum[3][h]);
        }
    }
}

// Rows of Q that fit into the shared memory of a block, without the 1 KiB that CUDA reserves.
Index longest_segment() {
    static const Index longest = [] {
        int device = 0;
        int bytes = 0;
        SVEN_CUDA(cudaGetDevice(&device));
        SVEN_CUDA(
            cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device));
        const Index rows = (std::min(bytes, most_lane_bytes) / blocks_per_multiprocessor - 1024) /
                           static_cast<int>(sizeof(double)) / lane_group;
        constexpr int around = rows_before<Loads::from_before> + pitch_excess<Loads::single>;
        // room for the rows before a column
        return (rows - around) / longest_step * longest_step - rows_before<Loads::from_before>;
    }();
    return longest;
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
    const Index blocks = std::max<Index>(1, columns / (columns_a_warp * most_warps));
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
template <class T, bool has_shift, Loads loads>
void allow_shared_memory(int bytes) {
    static std::mutex mutex;
    static int allowed = 0;
    const std::lock_guard lock(mutex);
    if (bytes <= allowed) return;
    SVEN_CUDA(cudaFuncSetAttribute(correlate_columns<T, has_shift, loads>,
                                   cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    allowed = bytes;
}

template <class T, bool has_shift, Loads loads>
void launch_loads(const DenseData<T>& X, const ColumnSet& columns, const PanelData& Q,
                  const Segments& segments, double* out, cudaStream_t stream) {
    const int rows = static_cast<int>(std::min(X.rows, segments.length));
    const auto bytes = static_cast<int>(lane_pitch<T, loads>(rows) * lane_group * sizeof(double));
    const auto kernel = correlate_columns<T, has_shift, loads>;
    allow_shared_memory<T, has_shift, loads>(bytes);
    const Index groups = column_groups<T, loads>(columns.count);
    const Index warps = good_warps(groups);
    const Index others = segments.count * (Q.stride / lane_group);
    const Index blocks =
        std::min(std::max<Index>(1, resident_blocks / others), (groups + warps - 1) / warps);
    const dim3 grid(static_cast<unsigned>(blocks), static_cast<unsigned>(segments.count),
                    static_cast<unsigned>(Q.stride / lane_group));
    kernel<<<grid, static_cast<unsigned>(warps * warp), bytes, stream>>>(X, columns, Q, segments,
                                                                         out);
}

// Whether all columns begin on 16 bytes and have whole fours of rows.
template <class T>
bool is_aligned(const DenseData<T>& X) {
    return X.rows % 4 == 0 && reinterpret_cast<std::uintptr_t>(X.data) % 16 == 0 &&
           X.column_step * static_cast<Index>(sizeof(T)) % 16 == 0;
}

// Only columns one after the other lie alike between boundaries of 16 bytes at known distances;
// others are loaded one by one unless all begin on a boundary.
template <class T>
Loads loads_of(const DenseData<T>& X, const ColumnSet& columns) {
    if (is_aligned(X)) return Loads::aligned;
    return columns.list == nullptr ? Loads::from_before : Loads::single;
}

template <class T, bool has_shift>
void launch_columns(const DenseData<T>& X, const ColumnSet& columns, const PanelData& Q,
                    const Segments& segments, double* out, cudaStream_t stream) {
    switch (loads_of(X, columns)) {
        case Loads::aligned:
            return launch_loads<T, has_shift, Loads::aligned>(X, columns, Q, segments, out, stream);
        case Loads::from_before:
            return launch_loads<T, has_shift, Loads::from_before>(X, columns, Q, segments, out,
                                                                  stream);
        case Loads::single:
            return launch_loads<T, has_shift, Loads::single>(X, columns, Q, segments, out, stream);
    }
}

}  // namespace

bool reads_faster_than_blas(const DenseData<double>& X) {
    if (X.row_step != 1) return X.rows <= most_own_rows;
    return X.rows <= (is_aligned(X) ? longest_segment() : most_own_unaligned_rows);
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
        correlate_rows(X, columns, Q, segments, target, stream);
    } else {
        const auto launch =
            columns.shift != nullptr ? launch_columns<T, true> : launch_columns<T, false>;
        launch(X, columns, Q, segments, target, stream);
        check_launch();
    }
    if (segments.count > 1)
        add_parts(partial, segments.count, columns.count * Q.stride, out, stream);
}

template void correlate<double>(const DenseData<double>&, const ColumnSet&, const PanelData&,
                                double*, double*, cudaStream_t);
template void correlate<float>(const DenseData<float>&, const ColumnSet&, const PanelData&, double*,
                               double*, cudaStream_t);

}  // namespace sven::cuda
