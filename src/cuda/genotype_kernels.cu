// X'Q of genotypes, decoded in registers, and what missing ones are taken for.

#include <algorithm>

#include "cuda/kernel_tools.cuh"
#include "cuda/tuning.hpp"

namespace sven::cuda {
namespace {

// A thread loads 16 bytes of a column at a time: 64 rows, four threads 256.
constexpr int thread_rows = 64;
constexpr int step_rows = 4 * thread_rows;
constexpr int chunk_steps = genotype_chunk_rows / step_rows;
constexpr int block_columns = genotype_warps * groups_a_warp * columns_a_warp;
constexpr int code_bits = 2;
constexpr int word_codes = 16;  // of 32 bits
static_assert(genotype_chunk_rows % step_rows == 0);

// Where eight lanes of a row of a chunk are kept: at every product the 32 threads of a warp read 32
// numbers that lie together, lane t / 4 of a row of thread t % 4.
__device__ __forceinline__ int place_of(int row, int lane) {
    const int product = row / step_rows * thread_rows + row % thread_rows;
    return product * warp + 4 * lane + row % step_rows / thread_rows;
}

// The columns of a thread, one in each of its warp's groups.
struct ThreadColumns {
    Index number[groups_a_warp];
    const unsigned char* codes[groups_a_warp];
    double origin[groups_a_warp];
    double values[groups_a_warp][4];
    bool are_variants;  // all of the warp
};

__device__ __forceinline__ void find_columns(const GenotypeData& X, const ColumnSet& columns,
                                             Index first, int lane, ThreadColumns& own) {
    bool are_variants = true;
#pragma unroll
    for (int g = 0; g < groups_a_warp; ++g) {
        const Index c = first + g * columns_a_warp + lane / 4;
        const Index j = column_at(columns, min(c, columns.count - 1));
        const bool is_variant = j < X.variants;
        are_variants = are_variants && is_variant;
        own.number[g] = j;
        own.origin[g] = shift_at(columns, j);
        own.codes[g] = X.codes + (is_variant ? j * X.stride : 0) + lane % 4 * 16;
        if (is_variant) genotype_values(X, j, own.values[g]);
        for (double& value : own.values[g]) value = is_variant ? value - own.origin[g] : 0.0;
    }
    own.are_variants = __all_sync(all_lanes, are_variants);
}

// X'Q on the matrix units as in correlate_columns (dense_correlate.cu), with two groups of eight
// columns a warp, which share the lanes that they are multiplied with. Eight lanes of a chunk of
// rows are in shared memory; the sums of a column go on from chunk to chunk.
__global__ void __launch_bounds__(genotype_warps* warp)
    correlate_codes(GenotypeData X, ColumnSet columns, PanelData Q, Segments segments,
                    double* out) {
    __shared__ double q[genotype_chunk_rows * lane_group];
    const Index from = static_cast<Index>(blockIdx.y) * segments.length;
    const Index to = min(X.rows, from + segments.length);
    const double* panel = Q.values + static_cast<Index>(blockIdx.z) * lane_group;
    const int lane = static_cast<int>(threadIdx.x) % warp;
    const int part = lane % 4;
    const Index first =
        (static_cast<Index>(blockIdx.x) * genotype_warps + static_cast<Index>(threadIdx.x) / warp) *
        groups_a_warp * columns_a_warp;
    ThreadColumns own;
    find_columns(X, columns, first, lane, own);
    double sum[groups_a_warp][4][2] = {};
    for (Index begin = from; begin < to; begin += genotype_chunk_rows) {
        uint4 codes[groups_a_warp][chunk_steps];
#pragma unroll
        for (int g = 0; g < groups_a_warp; ++g)
#pragma unroll
            for (int s = 0; s < chunk_steps; ++s)
                codes[g][s] = __ldcs(reinterpret_cast<const uint4*>(
                    own.codes[g] + (begin + s * step_rows) / word_codes * 4));
        __syncthreads();
        for (int at = static_cast<int>(threadIdx.x); at < genotype_chunk_rows * lane_group;
             at += genotype_warps * warp) {
            const int k = at % lane_group;
            const int i = at / lane_group;
            q[place_of(i, k)] = begin + i < to ? panel[(begin + i) * Q.stride + k] : 0.0;
        }
        __syncthreads();
        if (own.are_variants) {
#pragma unroll
            for (int s = 0; s < chunk_steps; ++s)
#pragma unroll
                for (int w = 0; w < 4; ++w)
#pragma unroll
                    for (int e = 0; e < word_codes; ++e) {
                        const double a = q[(s * thread_rows + w * word_codes + e) * warp + lane];
#pragma unroll
                        for (int g = 0; g < groups_a_warp; ++g) {
                            const unsigned word = w == 0   ? codes[g][s].x
                                                  : w == 1 ? codes[g][s].y
                                                  : w == 2 ? codes[g][s].z
                                                           : codes[g][s].w;
                            multiply_add(sum[g][e % 4], a,
                                         genotype_of(word >> (code_bits * e), own.values[g]));
                        }
                    }
        } else {  // entry by entry, where a dense column is among them
            for (int row = 0; row < genotype_chunk_rows / 4; ++row) {
                const Index i =
                    begin + row / thread_rows * step_rows + part * thread_rows + row % thread_rows;
                const double a = q[row * warp + lane];
#pragma unroll
                for (int g = 0; g < groups_a_warp; ++g)
                    multiply_add(sum[g][0], a,
                                 i < X.rows ? entry_at(X, i, own.number[g]) - own.origin[g] : 0.0);
            }
        }
    }
#pragma unroll
    for (int g = 0; g < groups_a_warp; ++g)
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            const Index c = first + g * columns_a_warp + 2 * part + h;
            if (c >= columns.count) continue;
            const Index row = static_cast<Index>(blockIdx.y) * columns.count + c;
            out[row * Q.stride + static_cast<Index>(blockIdx.z) * lane_group + lane / 4] =
                (sum[g][0][h] + sum[g][1][h]) + (sum[g][2][h] + sum[g][3][h]);
        }
}

// A warp a variant.
__global__ void count_fill(GenotypeData X, double* fill) {
    constexpr unsigned low_bits = 0x55555555U;
    const Index j = (static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x) / warp;
    if (j >= X.variants || !isnan(fill[j])) return;
    const auto* words = reinterpret_cast<const unsigned*>(X.codes + j * X.stride);
    int missing = 0;
    int one = 0;
    int none = 0;  // of A1
    for (Index w = threadIdx.x % warp; w * word_codes < X.rows; w += warp) {
        const Index left = X.rows - w * word_codes;
        const unsigned word =
            left < word_codes ? words[w] & ((1U << (code_bits * left)) - 1) : words[w];
        const unsigned low = word & low_bits;
        const unsigned high = (word >> 1U) & low_bits;
        missing += __popc(low & ~high);
        one += __popc(high & ~low);
        none += __popc(low & high);
    }
    // counts are whole numbers: exact
    const double others = static_cast<double>(X.rows) - warp_sum(missing);
    const double with_one = warp_sum(one);
    const double with_none = warp_sum(none);
    if (threadIdx.x % warp != 0) return;
    const double with_two = X.counts_a1 ? others - with_one - with_none : with_none;
    fill[j] = others == 0 ? 0 : (with_one + 2 * with_two) / others;
}

// Enough segments of the rows to occupy all multiprocessors.
Segments genotype_segments(Index rows, Index columns) {
    const Index blocks = std::max<Index>(1, (columns + block_columns - 1) / block_columns);
    const Index wanted = (genotype_blocks + blocks - 1) / blocks;
    Segments segments;
    segments.count = std::clamp<Index>(wanted, 1, rows / shortest_genotype_segment + 1);
    segments.length = (rows + segments.count - 1) / segments.count;
    segments.length =
        std::max<Index>(1, (segments.length + genotype_chunk_rows - 1) / genotype_chunk_rows) *
        genotype_chunk_rows;
    segments.count = std::max<Index>(1, (rows + segments.length - 1) / segments.length);
    return segments;
}

}  // namespace

Index genotype_stride(Index rows) {
    return (rows + genotype_chunk_rows - 1) / genotype_chunk_rows * (genotype_chunk_rows / 4);
}

void find_fill(const GenotypeData& X, double* fill, cudaStream_t stream) {
    if (X.variants == 0) return;
    count_fill<<<grid_size(X.variants * warp, block_threads), block_threads, 0, stream>>>(X, fill);
    check_launch();
}

Index correlate_genotypes_scratch(Index rows, Index columns, Index stride) {
    return genotype_segments(rows, columns).count * columns * stride;
}

void correlate(const GenotypeData& X, const ColumnSet& columns, const PanelData& Q, double* out,
               double* partial, cudaStream_t stream) {
    const Segments segments = genotype_segments(X.rows, columns.count);
    const dim3 grid(grid_size(columns.count, block_columns), static_cast<unsigned>(segments.count),
                    static_cast<unsigned>(Q.stride / lane_group));
    correlate_codes<<<grid, genotype_warps * warp, 0, stream>>>(X, columns, Q, segments,
                                                                segments.count > 1 ? partial : out);
    check_launch();
    if (segments.count > 1)
        add_parts(partial, segments.count, columns.count * Q.stride, out, stream);
}

}  // namespace sven::cuda
