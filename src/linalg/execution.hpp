#pragma once
// How work runs: the number of threads and the cancel token.

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <exception>

#include "linalg/tuning.hpp"
#include "sven/matrix.hpp"

namespace sven::linalg {

// Unwinds a cancelled solve; never leaves the library.
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
    int threads_for(double operations) const { return operations < team_operations ? 1 : threads; }
};

inline int resolve_threads(int requested) {
    return requested > 0 ? requested : std::max(1, omp_get_max_threads());
}

// An exception thrown in a team. Leaving the parallel region would terminate the process, so the
// exception is stored, the other threads skip the work not yet started, and it is rethrown after
// the join.
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
    // To be called after the team has joined.
    void rethrow() const {
        if (thrown_) std::rethrow_exception(thrown_);
    }

  private:
    std::atomic<bool> has_failed_{false};
    std::exception_ptr thrown_;
};

// Calls body(index) for index in [0, count), in contiguous shares of `threads` threads. Polls the
// cancel token before each index; throws Cancelled, or the exception of a body, after the team has
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

// Counts operations in a serial loop and polls the cancel token now and then.
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
    double done_ = poll_operations;  // the first call polls
};

// Calls body(begin, end) once on each thread's share of [0, count); shares begin at multiples of
// `grain`. An exception of a body is rethrown after the team has joined.
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

// The same in pieces of about `piece_work` operations, of `work` in all. Polls the cancel token
// before each piece and throws Cancelled after the team has joined. Pieces also begin at multiples
// of `grain`.
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
