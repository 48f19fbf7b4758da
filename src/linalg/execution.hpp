#pragma once
// How work runs: the number of threads and the cancel token.

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <exception>
#include <type_traits>

#include "linalg/processors.hpp"
#include "linalg/thread_pool.hpp"
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
    Team team_for(double operations) const {
        return {operations < team_operations ? 1 : threads, true};
    }
    // For work in pieces that do not wait for each other.
    Team small_team_for(double operations) const {
        return {operations < small_team_operations ? 1 : threads, operations >= team_operations};
    }
};

inline int resolve_threads(int requested) {
    return requested > 0 ? requested : default_threads();
}

// An exception thrown in a team. It must not leave its thread, so it is stored, the other threads
// skip the work not yet started, and it is rethrown after all have ended.
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

// The numbers [0, count) in contiguous shares. A thread begins with the share at its place, the
// same in every team, and then helps with the others.
class Shares {
  public:
    Shares(Index count, int threads)
        : number_(std::clamp(threads, 1, most_team_shares)),
          step_(std::max<Index>(1, count / (number_ * takes_per_share))) {
        for (int k = 0; k < number_; ++k) {
            shares_[k].next.store(count * k / number_, std::memory_order_relaxed);
            shares_[k].end = count * (k + 1) / number_;
        }
    }

    template <class Body>
    void take_all(int place, const Body& body) {
        for (int k = 0; k < number_; ++k) {
            Share& share = shares_[(place + k) % number_];
            for (Index begin = share.take(step_); begin < share.end; begin = share.take(step_))
                for (Index at = begin; at < std::min(share.end, begin + step_); ++at) body(at);
        }
    }

  private:
    struct alignas(64) Share {
        std::atomic<Index> next{0};
        Index end = 0;

        Index take(Index step) { return next.fetch_add(step, std::memory_order_relaxed); }
    };
    int number_;
    Index step_;
    std::array<Share, most_team_shares> shares_;
};

// Which items of which phase are still to be taken. A phase without items has one that is nothing.
class PhaseClock {
  public:
    struct Ticket {
        std::uint32_t phase;
        std::uint32_t item;
    };

    Ticket now() const { return of(at_.load(std::memory_order_acquire)); }
    // Takes the item of the ticket; false if another thread did.
    bool take(Ticket ticket) {
        std::uint64_t known = word(ticket);
        return at_.compare_exchange_weak(known, known + 1, std::memory_order_acq_rel);
    }
    // After an item; the last one of the phase begins the next.
    void finish(Ticket ticket, std::uint32_t size) {
        if (done_.fetch_add(1, std::memory_order_acq_rel) + 1 < size) return;
        done_.store(0, std::memory_order_relaxed);
        at_.store(word({ticket.phase + 1, 0}), std::memory_order_release);
        phase_.store(ticket.phase + 1, std::memory_order_release);
        phase_.notify_all();
    }
    // Until the phase of the ticket is over.
    void wait(Ticket ticket) const {
        for (Spin spin; now().phase == ticket.phase && spin.goes_on();) {
        }
        while (now().phase == ticket.phase) phase_.wait(ticket.phase, std::memory_order_acquire);
    }

  private:
    static Ticket of(std::uint64_t word) {
        return {static_cast<std::uint32_t>(word >> 32), static_cast<std::uint32_t>(word)};
    }
    static std::uint64_t word(Ticket ticket) {
        return std::uint64_t{ticket.phase} << 32 | ticket.item;
    }

    std::atomic<std::uint64_t> at_{0};
    std::atomic<std::uint32_t> done_{0};
    std::atomic<std::uint32_t> phase_{0};  // to sleep on
};

// Calls body(index), or body(index, member) with a number below the team's that no other call has
// at the same time, for index in [0, count). Who runs which is left to the threads: a body's result
// must not depend on it. Polls the cancel token before each index; throws Cancelled, or the
// exception of a body, after all have ended.
template <class Body>
void parallel_for(const Execution& execution, Team team, Index count, const Body& body) {
    const auto call = [&body](Index index, [[maybe_unused]] int member) {
        if constexpr (std::is_invocable_v<const Body&, Index, int>)
            body(index, member);
        else
            body(index);
    };
    if (team.threads <= 1 || count <= 1) {
        for (Index index = 0; index < count; ++index) {
            execution.check();
            call(index, 0);
        }
        execution.check();  // a body that saw the token left its work undone
        return;
    }
    TeamFailure failure;
    team.threads = static_cast<int>(std::min<Index>(team.threads, count));
    Shares shares(count, team.threads);
    const auto work = [&](TeamMember member) {
        shares.take_all(member.place, [&](Index index) {
            if (!execution.is_cancelled()) failure.guard([&] { call(index, member.number); });
        });
    };
    run_team(team, TeamTask(work));
    failure.rethrow();
    execution.check();
}

// Phases that follow each other in one team: body(phase, item) for item in [0, items(phase)), once
// all of the phase before have returned. Throws like parallel_for.
template <class Items, class Body>
void parallel_phases(const Execution& execution, Team team, Index phases, const Items& items,
                     const Body& body) {
    if (team.threads <= 1) {
        for (Index phase = 0; phase < phases; ++phase)
            for (Index item = 0; item < items(phase); ++item) {
                execution.check();
                body(phase, item);
            }
        execution.check();
        return;
    }
    TeamFailure failure;
    PhaseClock clock;
    const auto work = [&](TeamMember) {
        for (PhaseClock::Ticket at = clock.now(); at.phase < phases; at = clock.now()) {
            const auto size = static_cast<std::uint32_t>(items(at.phase));
            if (at.item >= std::max(1U, size)) {
                clock.wait(at);
            } else if (clock.take(at)) {
                if (at.item < size && !execution.is_cancelled())
                    failure.guard([&] { body(Index{at.phase}, Index{at.item}); });
                clock.finish(at, size);
            }
        }
    };
    run_team(team, TeamTask(work));
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

// Calls body(begin, end) on shares of [0, count), which begin at multiples of `grain` and are as
// many as the threads: for copies, and for loops whose entries do not know of each other. An
// exception of a body is rethrown after all have ended.
template <class Body>
void parallel_ranges(Team team, Index count, Index grain, const Body& body) {
    const Index grains = (count + grain - 1) / grain;
    const Index shares = std::max<Index>(1, std::min<Index>(team.threads, grains));
    parallel_for({}, team, shares, [&](Index share) {
        body(std::min(count, grains * share / shares * grain),
             std::min(count, grains * (share + 1) / shares * grain));
    });
}

// Calls body(begin, end) for pieces of [0, count) that begin at multiples of `grain` and take about
// `piece_work` operations each, of `work` in all: the same pieces for any number of threads. Polls
// the cancel token before each piece; throws like parallel_for.
template <class Body>
void parallel_pieces(const Execution& execution, double work, Index count, Index grain,
                     const Body& body, double piece_work = piece_operations) {
    const Index grains = (count + grain - 1) / grain;
    const auto most = static_cast<double>(std::max<Index>(1, grains));
    const auto wanted = static_cast<Index>(std::clamp(work / piece_work, 1.0, most));
    const Index piece = std::max<Index>(1, (grains + wanted - 1) / wanted) * grain;
    parallel_for(execution, execution.small_team_for(work), (count + piece - 1) / piece,
                 [&](Index k) { body(k * piece, std::min(count, (k + 1) * piece)); });
}

}  // namespace sven::linalg
