// Kernels of tables.cpp. Eight neighbouring threads have the lanes of a column, so that rows are
// read and written in one piece.

#include "cuda/kernel_tools.cuh"
#include "cuda/table_kernels.hpp"
#include "cuda/tuning.hpp"

namespace sven::cuda {
namespace {

constexpr int block = block_threads;
constexpr int columns_at_once = block / lane_group;

// Of the threads of a block that have the same lane; the first eight get it.
template <class T, class Join>
__device__ T join_lanes(T value, T (&shared)[block], const Join& join) {
    const auto thread = static_cast<int>(threadIdx.x);
    shared[thread] = value;
    for (int half = block / 2; half >= lane_group; half /= 2) {
        __syncthreads();
        if (thread < half) shared[thread] = join(shared[thread], shared[thread + half]);
    }
    return shared[thread];
}

__global__ void __launch_bounds__(block) fill(TableData table, TableLanes lanes, double* peaks) {
    __shared__ double shared[block];
    const Index lane = threadIdx.x % lane_group;
    const Index begin = static_cast<Index>(blockIdx.x) * table_tile;
    const Index end = min(begin + table_tile, table.cols);
    double peak = 0;
    for (Index j = begin + threadIdx.x / lane_group; j < end; j += columns_at_once) {
        double value = 0;
        if (lane < lanes.count)
            value = (lanes.products[j * lanes.stride + lane] - table.offset[j] * lanes.sums[lane]) *
                    table.scale[j];
        table.rows[j * lane_group + lane] = value;
        if (table.apart[j] == 0) peak = fmax(fabs(value), peak);
    }
    peak = join_lanes(peak, shared, [](double a, double b) { return fmax(a, b); });
    if (threadIdx.x < lane_group) peaks[static_cast<Index>(blockIdx.x) * lane_group + lane] = peak;
}

__global__ void mark(const Index* list, Index count, unsigned char* apart) {
    const Index k = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (k < count) apart[list[k]] = 1;
}

__global__ void copy(TableData table, const Index* list, Index size, double* out) {
    const Index k = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (k < size) out[k] = table.rows[list[k / lane_group] * lane_group + k % lane_group];
}

__global__ void pick(TableData table, Index lane, double* out) {
    const Index j = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (j < table.cols) out[j] = table.rows[j * lane_group + lane];
}

__global__ void __launch_bounds__(block)
    count(TableData table, TableBounds bounds, unsigned long long* counts) {
    __shared__ unsigned long long shared[block];
    const Index lane = threadIdx.x % lane_group;
    const Index begin = static_cast<Index>(blockIdx.x) * table_tile;
    const Index end = min(begin + table_tile, table.cols);
    const double slope = bounds.slope[lane];
    const double limit = bounds.limit[lane];
    unsigned long long below = 0;
    for (Index j = begin + threadIdx.x / lane_group; j < end; j += columns_at_once) {
        const double size = fabs(table.rows[j * lane_group + lane]);
        below += table.left[j] != 0 || size + slope * table.norms[j] < limit ? 1 : 0;
    }
    below =
        join_lanes(below, shared, [](unsigned long long a, unsigned long long b) { return a + b; });
    if (threadIdx.x < lane_group) atomicAdd(counts + lane, below);
}

__global__ void __launch_bounds__(block)
    find(TableData table, TableRules rules, unsigned char* first) {
    const Index j = static_cast<Index>(blockIdx.x) * block + threadIdx.x;
    if (j >= table.cols) return;
    const double* row = table.rows + j * lane_group + rules.lane;
    const double product = row[0];
    const double slope = rules.has_steps ? row[1] : 0.0;
    const auto keeps = [&](int i) {
        return fabs(product + rules.step[i] * slope) > rules.bound[i];
    };
    unsigned char found = rules.none;
    if (table.left[j] == 0 && keeps(rules.count - 1))
        for (int i = rules.count - 1; i >= 0; --i)
            if (keeps(i)) found = static_cast<unsigned char>(i);
    first[j] = found;
}

}  // namespace

void fill_table(const TableData& table, const TableLanes& lanes, double* peaks,
                cudaStream_t stream) {
    fill<<<grid_size(table.cols, table_tile), block, 0, stream>>>(table, lanes, peaks);
    check_launch();
}

void set_apart(const TableData& table, const Index* list, Index count, cudaStream_t stream) {
    SVEN_CUDA(cudaMemcpyAsync(table.apart, table.left, static_cast<std::size_t>(table.cols),
                              cudaMemcpyDeviceToDevice, stream));
    if (count == 0) return;
    mark<<<grid_size(count, block), block, 0, stream>>>(list, count, table.apart);
    check_launch();
}

void copy_rows(const TableData& table, const Index* list, Index count, double* out,
               cudaStream_t stream) {
    if (count == 0) return;
    const Index size = count * lane_group;
    copy<<<grid_size(size, block), block, 0, stream>>>(table, list, size, out);
    check_launch();
}

void copy_lane(const TableData& table, Index lane, double* out, cudaStream_t stream) {
    pick<<<grid_size(table.cols, block), block, 0, stream>>>(table, lane, out);
    check_launch();
}

void count_below(const TableData& table, const TableBounds& bounds, unsigned long long* counts,
                 cudaStream_t stream) {
    count<<<grid_size(table.cols, table_tile), block, 0, stream>>>(table, bounds, counts);
    check_launch();
}

void find_first(const TableData& table, const TableRules& rules, unsigned char* first,
                cudaStream_t stream) {
    find<<<grid_size(table.cols, block), block, 0, stream>>>(table, rules, first);
    check_launch();
}

}  // namespace sven::cuda
