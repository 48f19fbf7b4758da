#pragma once
// Text split into pieces at line ends, to be parsed in parallel.

#include <cstddef>
#include <cstring>
#include <functional>
#include <optional>
#include <vector>

#include "io/fault.hpp"
#include "sven/matrix.hpp"

namespace sven::io {

struct Chunk {
    const char* begin = nullptr;
    const char* end = nullptr;
    Index first_row = 0;  // rows and lines in the chunks before this one
    Index first_line = 0;
    Index rows = 0;
    Index lines = 0;
    bool has_quotes = false;
};

struct Parallelism {
    int threads = 0;             // 0: linalg::default_threads()
    std::size_t chunk_size = 0;  // bytes; 0: by the size of the text and the number of threads
};

// The threads to use for `chunks` pieces of work.
int thread_count(int asked, std::size_t chunks);

// The bytes of a chunk.
std::size_t chunk_step(std::size_t size, Parallelism parallelism);

std::vector<Chunk> split_at_lines(const char* begin, const char* end, Parallelism parallelism);

// Runs task(k) for every chunk k. A task reports the fault in its chunk; the fault of the first
// such chunk is returned, and later chunks may be skipped.
using ChunkTask = std::function<std::optional<Fault>(std::size_t chunk)>;
std::optional<Fault> for_each_chunk(std::size_t chunks, int threads, const ChunkTask& task);

// One past the end of the line that begins at `first`.
inline const char* next_line(const char* first, const char* last) {
    const void* const newline = std::memchr(first, '\n', static_cast<std::size_t>(last - first));
    return newline == nullptr ? last : static_cast<const char*>(newline) + 1;
}

// The start of the next line if this one is a comment, else nullptr. Comments begin with `mark`; 0:
// there are none.
inline const char* skip_comment(const char* first, const char* last, char mark) {
    return mark != 0 && first != last && *first == mark ? next_line(first, last) : nullptr;
}

// The start of the next line if this one is blank, else nullptr.
inline const char* skip_blank_line(const char* first, const char* last) {
    while (first != last && (*first == ' ' || *first == '\r')) ++first;
    if (first == last) return last;
    return *first == '\n' ? first + 1 : nullptr;
}

}  // namespace sven::io
