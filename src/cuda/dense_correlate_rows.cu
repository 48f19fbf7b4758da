// X'Q with dense row-major X.

#include <algorithm>
#include <cstdint>

#include "cuda/dense_correlate.hpp"
#include "cuda/dense_loads.cuh"
#include "cuda/tuning.hpp"

namespace sven::cuda {
namespace {

// How entries of a row are loaded: 16 bytes at a time, one by one, or one by one from the columns
// of a list.
enum class RowLoads { wide, single, listed };

// Columns that a thread loads together; its products have one of them each.
template <class T, RowLoads loads>
constexpr int load_width = loads == RowLoads::wide ? vector_size<T> : 1;

// Where column n of a warp's product g lies among the warp's columns.
template <class T, RowLoads loads>
__device__ __forceinline__ int place_of(int g, int n) {
    constexpr int width = load_width<T, loads>;
    return g / width * width * columns_a_warp + n * width + g % width;
}

// Entries of a row for the products of a warp: `row` has the thread's first column, or column 0 of
// X where there is a list from the thread's first column on. Columns from `room` on are not there.
template <class T, RowLoads loads, int products>
__device__ __forceinline__ void load_row(T (&entry)[products], const T* row, const Index* list,
                                         Index room, bool is_there) {
    constexpr int width = load_width<T, loads>;
#pragma unroll
    for (int g = 0; g < products; g += width) {
        const int place = g * columns_a_warp;
        const bool is_loaded = is_there && place < room;
        if constexpr (loads == RowLoads::wide)
            unpack(entry + g, is_loaded ? __ldcs(reinterpret_cast<const Vector<T>*>(row + place))
                                        : Vector<T>{});
        else if constexpr (loads == RowLoads::single)
            entry[g] = is_loaded ? row[place] : T{0};
        else
            entry[g] = is_loaded ? row[list[place]] : T{0};
    }
}

// A warp has the same columns of all rows of a segment. Thread t has row t % 4 of every four, and
// of each product on the matrix units column t / 4, so that a warp reads four pieces of rows of 128
// bytes at once. Q comes from the first-level cache, which warps share. Rows are loaded several
// steps ahead: many bytes must be on their way to reach the bandwidth.
template <class T, bool has_shift, RowLoads loads, int products, int depth, int warps, int blocks>
__global__ void __launch_bounds__(warps* warp, blocks)
    correlate_rows_kernel(DenseData<T> X, ColumnSet columns, PanelData Q, Segments segments,
                          double* out) {
    const int lane = static_cast<int>(threadIdx.x) % warp;
    const int part = lane % 4;
    const Index first =
        (static_cast<Index>(blockIdx.x) * warps + threadIdx.x / warp) * (products * columns_a_warp);
    if (first >= columns.count) return;
    const Index own = first + lane / 4 * load_width<T, loads>;
    const Index room = columns.count - own;
    const Index* list = columns.list + own;
    double origin[products] = {};
    if constexpr (has_shift) {
#pragma unroll
        for (int g = 0; g < products; ++g) {
            const Index c = first + place_of<T, loads>(g, lane / 4);
            origin[g] = c < columns.count ? shift_at(columns, column_at(columns, c)) : 0.0;
        }
    }
    const Index from = static_cast<Index>(blockIdx.y) * segments.length;
    int left = static_cast<int>(min(X.rows - from, segments.length)) - part;
    int steps = (left + part + 4 * depth - 1) / (4 * depth);
    const T* row =
        X.data + (from + part) * X.row_step + (loads == RowLoads::listed ? 0 : columns.begin + own);
    const double* q = Q.values + (from + part) * Q.stride +
                      static_cast<Index>(blockIdx.z) * lane_group + lane / 4;
    T entry[depth][products];
    double a[depth];
    const auto load = [&](int d) {
        a[d] = left > 0 ? __ldg(q) : 0.0;
        load_row<T, loads>(entry[d], row, list, room, left > 0);
        left -= 4;
        row += 4 * X.row_step;
        q += 4 * Q.stride;
    };
#pragma unroll
    for (int d = 0; d < depth; ++d) load(d);
    double sum[products][2] = {};
    for (; steps > 0; --steps) {
#pragma unroll
        for (int d = 0; d < depth; ++d) {
#pragma unroll
            for (int g = 0; g < products; ++g) {
                const double b = static_cast<double>(entry[d][g]);
                multiply_add(sum[g], a[d], has_shift ? b - origin[g] : b);
            }
            load(d);
        }
    }
#pragma unroll
    for (int g = 0; g < products; ++g)
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            const Index c = first + place_of<T, loads>(g, 2 * part + h);
            if (c >= columns.count) continue;
            const Index at = (static_cast<Index>(blockIdx.y) * columns.count + c) * Q.stride;
            out[at + static_cast<Index>(blockIdx.z) * lane_group + lane / 4] = sum[g][h];
        }
}

template <class T, bool has_shift, RowLoads loads>
void launch_loads(const DenseData<T>& X, const ColumnSet& columns, const PanelData& Q,
                  const Segments& segments, double* out, cudaStream_t stream) {
    const auto kernel =
        correlate_rows_kernel<T, has_shift, loads, row_products,
                              row_bytes_ahead / row_products / static_cast<int>(sizeof(T)),
                              row_warps, row_blocks>;
    const dim3 grid(grid_size(columns.count, columns_a_block),
                    static_cast<unsigned>(segments.count),
                    static_cast<unsigned>(Q.stride / lane_group));
    kernel<<<grid, row_warps * warp, 0, stream>>>(X, columns, Q, segments, out);
    check_launch();
}

// 16 bytes at a time where all rows have whole pieces of them.
template <class T>
RowLoads loads_of(const DenseData<T>& X, const ColumnSet& columns) {
    if (columns.list != nullptr) return RowLoads::listed;
    const bool is_wide = columns.count % vector_size<T> == 0 && X.row_step % vector_size<T> == 0 &&
                         reinterpret_cast<std::uintptr_t>(X.data + columns.begin) % 16 == 0;
    return is_wide ? RowLoads::wide : RowLoads::single;
}

template <class T, bool has_shift>
void launch(const DenseData<T>& X, const ColumnSet& columns, const PanelData& Q,
            const Segments& segments, double* out, cudaStream_t stream) {
    switch (loads_of(X, columns)) {
        case RowLoads::wide:
            return launch_loads<T, has_shift, RowLoads::wide>(X, columns, Q, segments, out, stream);
        case RowLoads::single:
            return launch_loads<T, has_shift, RowLoads::single>(X, columns, Q, segments, out,
                                                                stream);
        case RowLoads::listed:
            return launch_loads<T, has_shift, RowLoads::listed>(X, columns, Q, segments, out,
                                                                stream);
    }
}

}  // namespace

// As many as fill the device once.
Segments row_segments(Index rows, Index columns) {
    const Index blocks = std::max<Index>(1, (columns + columns_a_block - 1) / columns_a_block);
    const Index wanted = row_blocks * multiprocessors / blocks;
    const Index count = std::max<Index>(1, std::min(wanted, rows / shortest_row_segment));
    Segments segments;
    segments.length = std::max<Index>(4, ((rows + count - 1) / count + 3) / 4 * 4);
    segments.count = std::max<Index>(1, (rows + segments.length - 1) / segments.length);
    return segments;
}

template <class T>
void correlate_rows(const DenseData<T>& X, const ColumnSet& columns, const PanelData& Q,
                    const Segments& segments, double* out, cudaStream_t stream) {
    const auto run = columns.shift != nullptr ? launch<T, true> : launch<T, false>;
    run(X, columns, Q, segments, out, stream);
}

#define SVEN_INSTANTIATE(T)                                                                  \
    template void correlate_rows<T>(const DenseData<T>&, const ColumnSet&, const PanelData&, \
                                    const Segments&, double*, cudaStream_t);
SVEN_INSTANTIATE(double)
SVEN_INSTANTIATE(float)

}  // namespace sven::cuda
