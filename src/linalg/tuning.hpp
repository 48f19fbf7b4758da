#pragma once
// The thresholds of this module. Each has a unit, a reason, and the measurement behind it where one
// was made; the others say what they balance. Lane counts, cache lines and register tiles belong to
// the instruction set and stay with the kernels.

#include <chrono>
#include <cstddef>

#include "sven/index.hpp"

namespace sven::linalg {

// Threads and cancellation

// Operations from which sleeping threads are woken. To start a team takes about 5 us on an idle
// machine and far more on a busy one; a core does 1e6 operations in about 50 us.
inline constexpr double team_operations = 1e6;
// Operations below which work stays on one thread. Pieces of less than a team's work are offered to
// threads that are awake. Path of 440 x 138672 on 16 threads: 268 ms without these teams, 235 with;
// 1000 x 50000: 373 and 356; mice_bmi: 891 and 823. To wake threads for 3e6 operations only: 5 to
// 15 % slower.
inline constexpr double small_team_operations = 1e5;
// Operations of one piece of shared work: enough that taking one, some 50 ns, is nothing.
inline constexpr double piece_operations = small_team_operations / 2;
// Threads of the process at most, and teams that may be open at a time; a call beyond them works
// alone.
inline constexpr int most_pool_threads = 512;
inline constexpr int pool_offers = 32;
// How long a thread spins before it sleeps: a team follows the last one within some microseconds in
// a Newton step, and to be woken takes 5 us on an idle machine, 50 in a virtual one.
inline constexpr std::chrono::microseconds pool_spin{30};
// A thread that has worked spins for as long again, up to this: between two products with X lies
// the solution of a block, some hundred microseconds on one thread, and a processor of a virtual
// machine that went to sleep meanwhile is 150 us late. Path of 102 x 22283 (chowdary) on two
// threads of one, beside OpenMP's team, which spins without end: 1.33 times its time with 30 us,
// 1.16 with 300, 1.0 to 1.09 with 1000 and more.
inline constexpr std::chrono::microseconds longest_pool_spin{5000};
// Pauses between two looks, about half a microsecond.
inline constexpr int pool_pauses = 16;
// Between two looks a thread that has its core loses microseconds at most. One that lost this much
// was put aside for another, and for a while no thread spins.
inline constexpr std::chrono::microseconds pool_interruption{100};
inline constexpr std::chrono::milliseconds pool_quiet{20};
// Pieces of a team's work that one thread takes at a time: a share of what is its own. Many even
// out the speeds of the threads.
inline constexpr Index takes_per_share = 32;
// Shares of a team's work with a counter each, 4 KiB on the stack; of more threads, some begin with
// the same share.
inline constexpr int most_team_shares = 64;
// Operations between two polls of the cancel token: a millisecond or less, somewhat more where
// memory is slow, and far more work than the poll itself.
inline constexpr double poll_operations = 2e6;
// Doubles cleared or copied between two polls: 8 MiB. New memory is slow to touch.
inline constexpr Index poll_entries = Index{1} << 20;

// Sums over the rows

// Rows of a block of a sum over them, at least: 128 KiB of doubles. Blocks are at most
// most_row_blocks, whose sums fit on the stack. Both are fixed, so that any number of threads gives
// the same bits.
inline constexpr Index fewest_block_rows = 16384;
inline constexpr Index most_row_blocks = 64;
// Operations that a row counts for when a lane of a panel is filled: its stores are scattered.
inline constexpr double lane_operations = 8;

// Products with X

// Columns of a tile of Design::correlate: a multiple of every kernel's group of columns (12, 6 and
// 2), and wide enough that a tile is worth a call of its consumer.
inline constexpr Index tile_columns = 96;
// Columns that are fetched while the last ones of a tile are multiplied, a group of the widest
// kernel: the tile's first ones at its next block of rows, or those of the next tile. Once, by the
// last eight lanes; the tile's own are by the first eight (40 lanes: 0.97 of the time that every
// eight of them take with the same columns).
inline constexpr Index fetched_columns = 12;
// Bytes of an X from which they are, and of the columns in use, in combinations of them: chowdary
// (18 MB) takes 0.75 of the time, leukemia (4 MB), which the last cache holds, 1.04. Combinations
// of 1500 columns (22 MB) 0.87, of 600 (9 MB) 1.13.
inline constexpr Index fetched_design_bytes = Index{12} << 20;
// Bytes of half of a Gram matrix from which its next columns are, in products with one vector: a
// smaller one lies in the L2 cache, where fetching costs 2 % (wheat) and gains nothing.
inline constexpr Index fetched_gram_bytes = Index{1} << 21;
// Doubles of the right-hand sides, 256 KiB, that stay in the L2 cache while the columns pass by,
// and the fewest rows of such a block: with many right-hand sides the loop overhead would dominate.
inline constexpr Index panel_block_entries = 32768;
inline constexpr Index fewest_panel_rows = 512;
// Columns of one call of the dot kernel, and rows of them between two polls: 16 MB of doubles.
inline constexpr Index dot_columns = 16;
inline constexpr Index dot_rows = 131072;
// Rows of a combination of columns that are summed at a time: 8 KiB, which stay in the L1 cache.
inline constexpr Index combined_rows = 1024;
// Columns of one share of a pass for the moments of dense X: a balance of even shares against
// calls.
inline constexpr Index moment_columns = 32;
// Operations an entry takes in that pass. Scattered entries of sparse columns take more.
inline constexpr double moment_operations = 4;
inline constexpr double sparse_moment_operations = 6;
// Columns that Design::correlate_list gathers at a time: the widest kernel's group.
inline constexpr Index gathered_columns = 12;

// Row-major X: columns of a chunk, whose eight sums (16 KiB) stay in the L1 cache.
inline constexpr Index row_major_chunk = 256;
// Rows of a chunk between two polls: 8 MiB of doubles.
inline constexpr Index row_major_poll_rows = 4096;
// Columns of a share of products with a list of columns: 512 bytes of sums; and rows whose entries
// of a column are loaded side by side there.
inline constexpr Index row_major_columns = 64;
inline constexpr Index row_major_together = 4;
// Rows between the one that is added to the moments and the one that is fetched meanwhile.
inline constexpr Index row_major_ahead = 4;
// Operations that an entry counts for when single columns are read: each touches a cache line of
// its own, which holds eight doubles.
inline constexpr double strided_cost = 8;
// Rows to whose multiples the shares of threads are aligned, for X by rows, dense or sparse: no two
// threads write to the same cache line, and shares stay even.
inline constexpr Index row_share = 64;

// Sparse X by columns: columns of one share of a thread. Columns differ in length; many shares even
// that out.
inline constexpr Index sparse_columns = 64;
// Operations that a stored entry counts for in a product with one vector: the access is scattered.
// It decides when a team starts and how often it polls.
inline constexpr Index scattered_cost = 10;
// Entries of sparse rows that are looked at, for each thread, to cut the columns into ranges with
// as many entries each: within some percent.
inline constexpr Index sampled_entries = 1024;
// Means of sparse columns, in deviations, up to which their products are summed as they are stored
// and centred afterwards: a bit is lost at most.
inline constexpr double largest_cancelled_mean = 1;
// Columns kept by rows: rows of a share of their combination, 512 bytes of sums; the length up to
// which they are sorted (6166 rows of 11 entries each, in the mean, take 104 to 136 us in their own
// order on an Intel Xeon and 48 to 75 by their lengths; on an AMD EPYC 32 and 34); and columns
// whose products are summed together, in one visit of a row: 64 take 0.6 to 0.8 of the time of 16
// (w8a, blogfeedback), and the sums of 2000 columns with them fill a cache of the second level.
inline constexpr Index selected_share = 64;
// Entries from which threads share such sums: 66,000 take 50 us, again and again with little
// between them, and were slower with 16 threads than with one.
inline constexpr Index shared_entries = 150000;
inline constexpr Index sorted_length = 64;
// Entries of a share of both products in one visit of the rows, and shares at most: each has sums
// by columns, which are added up. Beside two lists of the entries, by rows and by columns, a visit
// takes 0.83 ms instead of 1.77 where these do not fit into the cache (767,000 entries of news20),
// 66 us instead of 62 where they do (66,000 of we8there).
inline constexpr Index twice_share = 65536;
inline constexpr Index most_twice_shares = 32;
inline constexpr Index selected_columns = 64;
// Rows of a share of a combination of sparse columns: 32 KiB of sums, which stay in the cache. Each
// share looks up its rows in every column.
inline constexpr Index sparse_rows = 4096;
// Rows transposed at a time for the Gram matrix of sparse columns. They bound the copy of the
// entries; each block costs one visit of every column.
inline constexpr Index transposed_rows = 4096;

// Bytes of columns of other ranks that are kept by those who ask for them: the working sets of most
// paths, and little beside what the kernel of the solver keeps of them.
inline constexpr Index replica_bytes = Index{1} << 30;

// Rows of a block that a user-defined matrix is asked for: with tile_columns columns 384 KiB, which
// stay in the L2 cache while they are multiplied.
inline constexpr Index custom_block_rows = 512;

// Genotypes of two bits: people of a block, whose codes are 256 bytes of a variant, four lines that
// are read at once; their planes, with the widest tile, take 256 KiB of the L2 cache.
inline constexpr Index genotype_block_people = 1024;
// Variants of a tile of Design::correlate, narrow or wide as there are few or many, and tiles that
// there should be, for the threads. Tables for 32 people take about 500 cycles, an entry of a tile
// some 15: they are an eighth of the time with 256 variants, 3 % with 1024.
inline constexpr Index fewest_tiled_variants = 128;
inline constexpr Index most_tiled_variants = 1024;
inline constexpr Index genotype_tiles = 32;
// Variants ahead of the one that is split whose codes are fetched: each lies elsewhere in memory,
// some hundred nanoseconds away, and takes about thirty to split.
inline constexpr Index genotype_prefetch = 6;
// Variants from which a list is multiplied by tables instead of being decoded, which takes about
// 50 cycles for 32 people of a variant.
inline constexpr Index fewest_tabled_variants = 16;
// Standard deviations of a mean from zero beyond which moments are summed entry by entry, after
// the rarer allele was chosen: nearly all people have one of each. Sums by allele would lose its
// square.
inline constexpr double far_genotypes = 4;

// The Gram pass

// Multiply-adds a second of one core, in a packed tile and in the pairs of a sparse row. Only their
// ratio decides (docs/performance.md, "Which route is taken").
inline constexpr double packed_gram_rate = 2e10;
inline constexpr double sparse_gram_rate = 4e8;
// Panels of rows that stay in the cache while the panels of columns pass by.
inline constexpr Index gram_panel_chunk = 12;
// Doubles of a block of packed rows, 512 KiB, which stay in the L2 cache; and the fewest and most
// rows of it. Fewer would reload the sums too often, more would not fit for narrow X.
inline constexpr Index gram_block_entries = 65536;
inline constexpr Index fewest_gram_rows = 64;
inline constexpr Index most_gram_rows = 512;
// The same for groups of rows: rows packed by one task, and doubles of a block of all groups
// (64 MiB). A larger block has more rows of each group for every load of its sums.
inline constexpr Index group_packed_rows = 128;
inline constexpr Index group_block_entries = Index{8} << 20;
// Operations that packing counts for, per entry: it is bound by memory.
inline constexpr double packing_cost = 8;
// Rows of a share of the pass, and shares at most. Each has sums of its own, which are cleared and
// added to others: 2 % of the time at 2048 rows.
inline constexpr Index fewest_share_rows = 2048;
inline constexpr Index most_gram_shares = 64;
// How many of its multiply-adds count as one of team_operations.
inline constexpr double gram_speed = 8;
// Rows that are sampled for the centre of the sums: groups of rows, within a column one or two
// cache lines each. 256 rows put the mean within a sixteenth of a deviation, typically.
inline constexpr Index sample_group_rows = 8;
inline constexpr Index sample_groups = 32;
// Standard deviations of a mean from zero beyond which columns are centred even where the design
// prefers not to. Subtracting the means afterwards loses a factor of the square of this distance.
inline constexpr double far_centre = 2;

// Dense products

// Depth of a packed block: long enough that the sums are seldom loaded, short enough that a panel
// of four columns (8 KiB) stays in the L1 cache.
inline constexpr Index depth_block = 256;
// Bytes of a packed block of rows, which stays in the L2 cache while all columns pass by, and is on
// the stack. Each block packs all columns again: with half of it, products of order 1024 and more
// lose a tenth (AVX2, 1 MiB of L2); processors have at least 512 KiB since 2017.
inline constexpr Index packed_bytes = 384 << 10;
// Columns that are packed at a time: the lines of a matrix by rows are read whole.
inline constexpr Index packed_columns = 16;
// Order of a triangle that is divided by substitution; the rest of a division is products.
inline constexpr Index divided_block = 64;
// Unknowns of one vector that are solved by substitution between two products: as many columns as
// the products take at a time.
inline constexpr Index solved_block = 8;

// Factors

// Columns up to which DenseKernels::cholesky factors all, on one thread; beyond, it factors
// diagonal blocks. For a few hundred columns it was more than twice as fast as LAPACK: 0.26 ms
// against 0.54 at order 322 (docs/performance.md).
inline constexpr Index kernel_cholesky_columns = 512;
// Columns of a diagonal block, which one thread factors. A wide block makes the update of the rest
// a faster product, a narrow one leaves less to a single thread.
inline constexpr Index cholesky_block = 128;
// Columns of a share of it. Every share packs the panel again, which takes as long as its product
// with some 60 columns: no fewer than the first, and shares for each thread, which are uneven; no
// more than the last, since 512 columns of 4096 rows take 10 ms between two looks at the cancel
// token.
inline constexpr Index fewest_cholesky_columns = 64;
inline constexpr Index cholesky_shares = 4;
inline constexpr Index most_cholesky_columns = 512;
// Columns of a factor that is lower triangular: 128 KiB of stack.
inline constexpr Index lower_cholesky_columns = 128;
// Rows of U per panel of DenseKernels::cholesky: 32 rows of 512 columns are 128 KiB, within L2.
inline constexpr Index cholesky_panel_rows = 32;

// Columns of a diagonal block of BlockTriangle that is inverted. Larger blocks need fewer phases
// but spend more operations on the inverse, which one thread applies.
inline constexpr Index triangle_block = 128;
// Columns, and rows, of a panel that a thread multiplies at a time.
inline constexpr Index triangle_column_share = 16;
inline constexpr Index triangle_row_share = 256;
// Right-hand sides of one share, and how many operations of these products in single precision
// count as one of team_operations.
inline constexpr Index triangle_sides = 32;
inline constexpr double triangle_speed = 4;

// Columns of a share of a symmetric outer product, and how many of its operations count as one of
// team_operations: a matrix product is that much faster than the loops which that is about.
inline constexpr Index outer_product_columns = 64;
inline constexpr double outer_product_speed = 8;

// Columns of a panel of reflections: LAPACK's usual block; and of a share of the trailing update.
inline constexpr Index qr_block = 32;
inline constexpr Index qr_share = 64;

// Checks of a tile

// Columns whose comparison with the limits, or whose marks, are tested at once: most tiles have no
// column above the limits, and screening marks few.
inline constexpr Index checked_columns = 8;

// Memory

// Bytes from which a buffer is placed on huge pages, two of 2 MiB: below it alignment would waste
// too much. Touching new memory is several times faster with them.
inline constexpr std::size_t huge_page_bytes = std::size_t{4} << 20;

// Where a GPU pays, with device `auto`

// Seconds, from what was measured on an H200 beside 16 cores (docs/gpu.md), whatever threads are at
// hand: they must not change what is computed. The model is within a factor of 3.5 of each time
// measured, and what it chooses takes 1.4 times as long as the better way at most
// (tests/linalg/test_device_costs.cpp).

// Of the driver, which a process waits for once.
inline constexpr double driver_start = 0.3;
// Bytes a second: of X on its way to the device, and of a pass over X on the host.
inline constexpr double sent_bytes = 4.5e10;
inline constexpr double host_bytes = 5e10;
// Passes that a call takes on the host, and those for the root of its settings: 14 for 40 of them,
// 21 for 100.
inline constexpr double fixed_passes = 3;
inline constexpr double setting_passes = 1.8;
// What a call takes on the device at least.
inline constexpr double device_call = 1e-3;
// Operations of a Gram matrix a second, n p^2 altogether.
inline constexpr double host_gram_rate = 5e11;
inline constexpr double device_gram_rate = 4.5e13;
// A setting over the Gram matrix of p columns: its steps on the host, for each p and p^3; on the
// device what it takes at least, and the same.
inline constexpr double host_gram_column = 1e-6;
inline constexpr double host_gram_cube = 2.5e-13;
inline constexpr double device_gram_setting = 1.5e-4;
inline constexpr double device_gram_column = 3e-7;
inline constexpr double device_gram_cube = 2e-13;
// A setting over the columns, whose support the smaller side m bounds: on the host what it takes at
// least, for m^3, of a sparse X for m times the root of its entries; on the device what it takes at
// least, for m, and for the p products that the host looks at.
inline constexpr double host_setting = 5e-5;
inline constexpr double host_cube = 2.5e-12;
inline constexpr double host_sparse = 4e-9;
inline constexpr double device_setting = 1e-4;
inline constexpr double device_support = 1e-6;
inline constexpr double device_column = 2e-9;
// Of one path, what each further one adds, a fold or a response: passes are shared, and folds of a
// device go side by side.
inline constexpr double host_further_path = 0.25;
inline constexpr double device_further_path = 0.15;
// Gaussian settings that one of another response takes: its outer steps.
inline constexpr double outcome_steps = 4;

// Numerics

// What merging the sums of two sets of rows adds to their rounding, relative: eight roundings of
// 1.2e-16, for the seven operations of an entry. Merges one after the other add up as a walk does.
inline constexpr double merge_rounding = 8 * 1.2e-16;
// Losses of rows: terms of the series of (1 + d) log(1 + d) - d.
inline constexpr int entropy_terms = 14;
// Roundings of an exponential and the quotients made of it, beside those of y - mean itself: 3.2
// were seen for y - mean and 5.2 for A'' (tests/linalg/test_losses.cpp).
inline constexpr double pass_roundings = 5;
// A column whose distance from a span is below this fraction of its length lies in the span.
// Twofold arithmetic rounds at 1e-32, and exactly dependent columns come out near that.
inline constexpr double twofold_dependent_distance = 1e-27;

}  // namespace sven::linalg
