#pragma once
// The thresholds of this module, for an H200 beside 16 cores unless said otherwise. Each has a
// unit, a reason, and the measurement behind it where one was made (docs/gpu.md); the others say
// what they balance. Warps, the shapes of the matrix units and CUDA's own limits stay with the
// kernels.

#include <cstddef>
#include <cstdint>

#include "sven/index.hpp"

namespace sven::cuda {

// Multiprocessors of an H100 or H200. Grids are sized for them; other GPUs only lose some balance.
inline constexpr Index multiprocessors = 132;

// Host or device

// Bytes of X that a core reads in the time of the shortest call to the device, about 20 us. What
// touches less is computed by the host.
inline constexpr double host_bytes = 1 << 20;
// Bytes of a copy of X that the host may keep, dense and sparse. A path over the columns of a
// sparse X asks for products with parts of it all the time, so that a larger copy pays.
inline constexpr double largest_dense_copy = 128e6;
inline constexpr double largest_sparse_copy = 2e9;
// Bytes of an array of it that lies in pinned memory, of which some is kept for the next design.
inline constexpr std::size_t largest_pinned_copy = std::size_t{128} << 20U;
// Rows sampled for the centre of the Gram sums, as many as linalg's design samples.
inline constexpr Index sampled_rows = 256;

// Transfers

// Doubles of an input from which threads share the copy to pinned memory, and the multiples at
// which their shares begin: 4 KiB, a page.
inline constexpr Index shared_copy_doubles = 100000;
inline constexpr Index copied_doubles = 512;
// Chunks of X'Q: the host consumes one while the next ones arrive. Their sizes are multiples of
// this many tiles.
inline constexpr Index correlate_chunks = 6;
inline constexpr Index chunk_tiles = 32;
// Operations that consuming a product counts for: it comes from memory, which takes a few
// nanoseconds.
inline constexpr double consumed_operations = 50;
// Doubles gathered at a time: 32 MiB of pinned memory.
inline constexpr Index gathered_doubles = Index{4} << 20;
// Bytes of a pinned buffer for uploads, two of which alternate; and of the pieces that the threads
// share.
inline constexpr std::size_t upload_bytes = std::size_t{32} << 20U;
inline constexpr std::size_t upload_line = 65536;
// Bytes that the process keeps for the next design: allocation on the device, and above all locking
// pages of the host, is slow. Pinned blocks are multiples of pinned_unit, so that they are reused.
inline constexpr std::uint64_t kept_device_bytes = std::uint64_t{2} << 30U;
inline constexpr std::size_t kept_pinned_bytes = std::size_t{512} << 20U;
inline constexpr std::size_t pinned_unit = std::size_t{1} << 20U;

// A dense X larger than this share of the free memory is streamed: systems, sums and the Gram
// matrix need some, too. Two pieces of it are on the device at a time: large enough for full speed
// of the transfer, small enough that the first is soon there to be multiplied.
inline constexpr double matrix_share = 0.85;
inline constexpr double piece_share = 0.1;
inline constexpr double least_piece_bytes = 4e6;
inline constexpr double most_piece_bytes = 256e6;

// The Gram matrix

// Bytes of rows that are centred and weighted, or sent, at a time: large enough for full speed,
// small enough that the first block is soon there to be multiplied.
inline constexpr double prepared_bytes = 128e6;
inline constexpr double sent_bytes = 64e6;
// Columns of a square of products. cuBLAS is as fast on squares of 64 columns as on wider ones
// (bench/gpu), and narrow squares waste the least beyond the triangle. Squares of 128 and other
// depths were tried on 1000000 x 2000: 94 to 108 ms, none better (docs/gpu.md).
inline constexpr Index square_columns = 64;
// Columns from which one square and cublasDsyrk are the faster way: the products of 1000000 x 2000,
// without X'y and X'1, take 82 to 84 ms, by squares of 64 columns 94 to 97. With 1500 columns they
// are as fast, with fewer syrk is slower.
inline constexpr Index least_whole_columns = 1600;
// Rows of a block for it. With more of them 3000 columns take a tenth longer; 2000 columns take 2 %
// less with blocks of 65536 rows.
inline constexpr Index whole_depth = 8192;
// Columns of the sums: 256 bytes.
inline constexpr Index sums_unit = 32;
// Products of a batch: four waves.
inline constexpr Index wanted_products = 4 * multiprocessors;
// Rows of one product.
inline constexpr Index product_depth = 4096;
// Columns of a block of centred rows, by columns and by rows: cublasDsyrk is slow on an odd number
// of columns, and takes a fifth longer where the rows do not begin on 128 bytes.
inline constexpr Index columns_unit = 2;
inline constexpr Index rows_unit = 16;

// Systems

// The largest order: its factor takes a second.
inline constexpr Index most_members = 40000;
// The fraction of the free memory that may be taken: others use the GPU, too.
inline constexpr double usable_share = 0.7;
// Members to a multiple of which the stride of the Gram matrix is rounded: 256 bytes.
inline constexpr Index member_unit = 32;

// Tables of products

// Columns from which products are looked at on the device. A look costs a call to it, in whose time
// the host looks at so many.
inline constexpr Index least_table_columns = 8192;
// Bytes of a column in a table: eight products, three numbers and two marks.
inline constexpr double table_bytes_a_column = 8 * 11 + 2;

// Grids and blocks

// Threads of a block without reasons for another number.
inline constexpr int block_threads = 256;
// Blocks that a sum over segments is cut into, and the multiple to which the length of a segment is
// rounded.
inline constexpr Index segment_blocks = 8 * multiprocessors;
inline constexpr Index segment_unit = 128;
// The shortest segments: rows of X'Q by rows, rows of moments, columns of a combination. Shorter
// ones cost more to add up than they gain.
inline constexpr Index shortest_row_segment = 128;
inline constexpr Index shortest_moments_segment = 2048;
inline constexpr Index shortest_column_segment = 64;

// X'Q of column-major X, which reads at 94 % of a copy on 440 x 138672 (docs/gpu.md): warps of a
// block, and blocks that share a multiprocessor and its shared memory.
inline constexpr int most_warps = 8;
inline constexpr int blocks_per_multiprocessor = 3;
inline constexpr Index resident_blocks = multiprocessors * blocks_per_multiprocessor;
// Bytes of shared memory that the lanes of a multiprocessor take. More would leave so little of the
// first-level cache that columns on their way to it wait: 1001 x 50001 reads at 56 % of a copy
// instead of 78 %.
inline constexpr int most_lane_bytes = 164 << 10U;
// Fewer warps are taken if they reduce idle work below this fraction.
inline constexpr double better_share = 0.95;
// The shortest segment of rows of it.
inline constexpr Index shortest_lane_segment = 256;
// The most rows up to which our kernels and not cuBLAS multiply doubles by eight lanes: row-major
// X, and columns that do not begin on 16 bytes. They were the faster ones at 10000 x 5000 and at
// 3001 x 50001, and the slower ones at 400000 x 900 and at 463715 x 90.
inline constexpr Index most_own_rows = 10000;
inline constexpr Index most_own_unaligned_rows = 3000;
// X'Q of row-major X: products of eight columns that a warp makes of every four rows, bytes of X
// that a thread has on their way, warps of a block, and blocks that share a multiprocessor. Of the
// shapes tried on 440 x 138672 this one reads fastest (docs/gpu.md).
inline constexpr int row_products = 4;
inline constexpr int row_bytes_ahead = 128;
inline constexpr int row_warps = 2;
inline constexpr int row_blocks = 10;
inline constexpr Index columns_a_block = 8 * row_products * row_warps;
// X'Q of genotypes: warps of a block, which share the lanes of a chunk of rows (32 KiB), groups of
// eight columns a warp (with one the lanes are read twice as often: 1.22e12 genotypes a second
// instead of 1.43e12), blocks that are wanted, and the shortest segment of rows.
inline constexpr int genotype_warps = 8;
inline constexpr int groups_a_warp = 2;
inline constexpr int genotype_chunk_rows = 512;
inline constexpr Index genotype_blocks = 4 * multiprocessors;
inline constexpr Index shortest_genotype_segment = 2048;
// Threads that share the rows of a column in a pass for the moments.
inline constexpr int moment_groups = 8;
// Rows of a combination of sparse columns that a block owns: 8 KiB of shared memory.
inline constexpr int combined_rows = 1024;

}  // namespace sven::cuda
