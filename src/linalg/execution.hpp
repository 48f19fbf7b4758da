#pragma once
// Where and how work runs: the number of threads, and the token that stops it.

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <exception>

#include "sven/matrix.hpp"

namespace sven::linalg {

// Unwinds a solve after the cancel token was seen; never leaves the library.
struct Cancelled : std::exception {
    const char* what() const noexcept override { return "cancelled"; }
};

struct Execution {
    int threads = 1;
    const std::atomic<bool>* cancel = nullptr;

    bool is_cancelled() const {
        return cancel != nullptr && cancel->load(std::memory_order_relaxed);
    }
    void check() const {
        if (is_cancelled()) throw Cancelled();
    }
    // Work of fewer operations than this stays on one thread: starting the team costs about
    // 5 us on an idle machine and far more on a busy one, and a core does 1e6 in some 50 us.
    int threads_for(double operations) const { return operations < 1e6 ? 1 : threads; }
};

inline int resolve_threads(int requested) {
    return requested > 0 ? requested : std::max(1, omp_get_max_threads());
}

// What a member of a team threw. An exception that left the team would end the process: it is
// kept, the others skip what they have not begun, and it is thrown again after they have joined.
class TeamFailure {
  public:
    template <class Body>
    void guard(const Body& body) noexcept {
        if (has_failed_.load(std::memory_order_relaxed)) return;
        try {
            body();
        } catch (...) {
            if (!has_failed_.exchange(true)) thrown_ = std::current_exception();
        }
    }
    // For the caller, once the team has joined.
    void rethrow() const {
        if (thrown_) std::rethrow_exception(thrown_);
    }

  private:
    std::atomic<bool> has_failed_{false};
    std::exception_ptr thrown_;
};

// Calls body(index) for index in [0, count), in contiguous shares of `threads` threads; polls the
// cancel token before each index and throws Cancelled, or what a body threw, after the team has
// joined.
template <class Body>
void parallel_for(const Execution& execution, int threads, Index count, const Body& body) {
    if (threads <= 1 || count <= 1) {
        for (Index index = 0; index < count; ++index) {
            execution.check();
            body(index);
        }
        execution.check();  // a body that saw the token left its work undone
        return;
    }
    TeamFailure failure;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (Index index = 0; index < count; ++index) {
        if (!execution.is_cancelled()) failure.guard([&] { body(index); });
    }
    failure.rethrow();
    execution.check();
}

// Operations between two looks at the cancel token: a millisecond or less, some more where the
// memory is slow, and far more work than the look.
inline constexpr double poll_operations = 2e6;
// The same for a triangular solve or a matrix product, some 30 ms: smaller pieces would read one
// side of the product over and over.
inline constexpr double poll_product = 1e9;

// Counts operations inside a loop of one thread and looks at the token now and then.
class Poll {
  public:
    explicit Poll(const Execution& execution) : execution_(execution) {}

    // Whether to stop, `operations` after the last call.
    bool stops_after(double operations) {
        done_ += operations;
        if (done_ < poll_operations) return false;
        done_ = 0;
        return execution_.is_cancelled();
    }

  private:
    const Execution& execution_;
    double done_ = poll_operations;  // the first look is at once
};

// Calls body(begin, end) once on each thread's share of [0, count); shares begin at multiples
// of `grain`. What a body throws is thrown after the team has joined.
template <class Body>
void parallel_ranges(int threads, Index count, Index grain, const Body& body) {
    if (threads <= 1) {
        body(Index{0}, count);
        return;
    }
    TeamFailure failure;
#pragma omp parallel num_threads(threads)
    {
        const Index grains = (count + grain - 1) / grain;
        const Index share = omp_get_thread_num();
        const Index shares = omp_get_num_threads();
        const Index begin = std::min(count, grains * share / shares * grain);
        const Index end = std::min(count, grains * (share + 1) / shares * grain);
        if (begin < end) failure.guard([&] { body(begin, end); });
    }
    failure.rethrow();
}

// The same in pieces of about `piece_work` out of `work` for all; polls the cancel token before
// each and throws Cancelled after the team has joined. Pieces begin at multiples of `grain` too.
template <class Body>
void parallel_pieces(const Execution& execution, double work, Index count, Index grain,
                     const Body& body, double piece_work = poll_operations) {
    const double grains = static_cast<double>(count) / static_cast<double>(grain);
    const double wanted = grains * piece_work / std::max(work, 1.0);
    const Index piece = grain * static_cast<Index>(std::clamp(wanted, 1.0, grains + 1));
    parallel_ranges(execution.threads_for(work), count, grain, [&](Index begin, Index end) {
        for (Index first = begin; first < end && !execution.is_cancelled(); first += piece)
            body(first, std::min(end, first + piece));
    });
    execution.check();
}

}  // namespace sven::linalg
