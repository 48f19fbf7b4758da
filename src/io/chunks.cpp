#include "io/chunks.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>

#include "io/tuning.hpp"
#include "linalg/execution.hpp"

namespace sven::io {

int thread_count(int asked, std::size_t chunks) {
    const int threads = linalg::resolve_threads(asked);
    return static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(threads), chunks));
}

std::size_t chunk_step(std::size_t size, Parallelism parallelism) {
    if (parallelism.chunk_size != 0) return parallelism.chunk_size;
    const auto threads = static_cast<std::size_t>(thread_count(parallelism.threads, most_threads));
    return std::clamp(size / (chunks_per_thread * threads), smallest_chunk, largest_chunk);
}

std::vector<Chunk> split_at_lines(const char* begin, const char* end, Parallelism parallelism) {
    const std::size_t step = chunk_step(static_cast<std::size_t>(end - begin), parallelism);
    std::vector<Chunk> chunks;
    for (const char* first = begin; first != end;) {
        const char* last = end;
        if (static_cast<std::size_t>(end - first) > step) last = next_line(first + step - 1, end);
        chunks.push_back({.begin = first, .end = last});
        first = last;
    }
    return chunks;
}

std::optional<Fault> for_each_chunk(std::size_t chunks, int threads, const ChunkTask& task) {
    std::vector<std::optional<Fault>> faults(chunks);
    std::atomic<std::size_t> first_fault{chunks};
    std::exception_ptr thrown;
    std::mutex mutex;
    const auto run = [&](std::size_t k) {
        if (k > first_fault.load(std::memory_order_relaxed)) return;
        try {
            faults[k] = task(k);
            if (!faults[k]) return;
            std::size_t seen = first_fault.load();
            while (k < seen && !first_fault.compare_exchange_weak(seen, k)) {
            }
        } catch (...) {  // an exception must not leave its thread
            const std::lock_guard<std::mutex> lock(mutex);
            if (!thrown) thrown = std::current_exception();
        }
    };
    std::atomic<std::size_t> next{0};  // in order: later chunks need not be read after a fault
    const auto work = [&](linalg::TeamMember) {
        for (std::size_t k = next++; k < chunks; k = next++) run(k);
    };
    linalg::run_team(thread_count(threads, chunks), linalg::TeamTask(work));
    if (thrown) std::rethrow_exception(thrown);
    const std::size_t first = first_fault.load();
    return first < chunks ? faults[first] : std::nullopt;
}

}  // namespace sven::io
