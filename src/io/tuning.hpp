#pragma once
// The thresholds of this module. Each has a unit, a reason, and the measurement behind it where one
// was made; the others say what they balance. Limits of the formats stay with their readers.

#include <cstddef>

#include "sven/index.hpp"

namespace sven::io {

// Chunks of text per thread: several even out the speeds of the threads. Below 256 KiB a chunk is
// not worth handing over, and above 8 MiB threads would wait for the last ones.
inline constexpr std::size_t chunks_per_thread = 4;
inline constexpr std::size_t smallest_chunk = 256 << 10;
inline constexpr std::size_t largest_chunk = 8 << 20;
// Threads are limited to this number when chunks are planned; no machine has more.
inline constexpr std::size_t most_threads = 1 << 16;

// Bytes that a pipe is read by.
inline constexpr std::size_t pipe_step = std::size_t{1} << 20;
// Bytes by which the output of zlib grows: this many times the input that is left, within bounds.
// Small files should not take megabytes; large ones should not grow in small steps.
inline constexpr std::size_t expected_ratio = 4;
inline constexpr std::size_t smallest_inflation = std::size_t{64} << 10;
inline constexpr std::size_t largest_inflation = std::size_t{4} << 20;

// Rows or columns that a header may claim without any numbers for them. Above it, at most as many
// as the file has bytes, so that memory stays in proportion to the input.
inline constexpr Index always_allowed_lines = Index{1} << 24;
// Levels of a column of texts. A name or an address would make as many features as there are rows,
// all of them useless.
inline constexpr std::size_t most_levels = 1000;

// Names that a message lists, and characters that it quotes of a text: a line on a terminal.
inline constexpr std::size_t listed_names = 12;
inline constexpr std::size_t quoted_characters = 40;

// Files that are read by blocks of columns: bytes of a block, two of which are in memory. Reads of
// this size are as fast as any.
inline constexpr Index read_block_bytes = Index{8} << 20;
// Blocks at least that the memory for such a file should hold; all but two are for columns that are
// kept.
inline constexpr Index fewest_blocks = 8;
// Of the memory that a run may take, the part for blocks and columns of such a file; what is solved
// needs the rest.
inline constexpr Index load_limits_of_a_run = 4;

// HDF5: bytes, as they are in memory, up to which a matrix is loaded whole that cannot be mapped.
// Larger ones are read anew in every pass, some ten times for a path.
inline constexpr Index default_load_limit = Index{1} << 30;
// Columns that are read together of an array by rows in one piece: runs of a page each.
inline constexpr Index hdf5_run = 512;
// Numbers that are turned from rows to columns at a time: 1 MiB, which stays in the L2 cache.
inline constexpr Index hdf5_turned_numbers = Index{1} << 17;
// Unpacked chunks that libhdf5 keeps for columns that are read one by one, and places for them,
// which the library wants to be a prime number of about a hundred times as many.
inline constexpr std::size_t least_hdf5_cache = std::size_t{1} << 20;
inline constexpr std::size_t most_hdf5_cache = std::size_t{32} << 20;
inline constexpr std::size_t hdf5_chunk_slots = 100003;

}  // namespace sven::io
