#include "linalg/thread_pool.hpp"

#include <pthread.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <mutex>
#include <new>
#include <stdexcept>
#include <utility>

#include "linalg/processors.hpp"
#include "linalg/tuning.hpp"

namespace sven::linalg {
namespace {

using Clock = std::chrono::steady_clock;
using Word = std::uint32_t;

// The state of an offer in one word, so that joining is one step.
constexpr Word active_mask = 0xFFFF;      // threads that have joined and not left
constexpr Word one_room = Word{1} << 16;  // threads that may still join
constexpr Word room_mask = Word{0xFFF} << 16;
constexpr Word taken = Word{1} << 30;    // has an owner
constexpr Word is_open = Word{1} << 31;  // may be joined

static_assert(most_pool_threads <= (room_mask >> 16));

// Never freed: a late thread may look at an offer that has ended.
struct alignas(64) Offer {
    std::atomic<Word> state{0};
    std::atomic<int> size{0};
    std::atomic<bool> wakes{false};
    std::atomic<const TeamTask*> task{nullptr};
};

thread_local int own_place = 0;

// How long a thread may spin until the next team: as long as it has worked, up to a limit.
class Allowance {
  public:
    Clock::duration left() const { return std::max<Clock::duration>(left_, pool_spin); }
    void earn(Clock::duration time) {
        left_ = std::min<Clock::duration>(left_ + time, longest_pool_spin);
    }
    void spend(Clock::duration time) { left_ = std::max(Clock::duration{}, left_ - time); }

  private:
    Clock::duration left_{};
};

void pause_briefly() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

// Signals belong to the threads of the program.
class BlockedSignals {
  public:
    BlockedSignals() {
        sigset_t blocked;
        sigfillset(&blocked);
        // a thread's own faults reach the handler of the process, which knows of mapped files
        for (const int fault : {SIGBUS, SIGSEGV, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS})
            sigdelset(&blocked, fault);
        pthread_sigmask(SIG_SETMASK, &blocked, &before_);
    }
    ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    BlockedSignals(const BlockedSignals&) = delete;
    BlockedSignals& operator=(const BlockedSignals&) = delete;

  private:
    sigset_t before_{};
};

class Pool {
  public:
    void run(Team team, const TeamTask& task);
    int workers() const { return workers_.load(std::memory_order_relaxed); }

    bool may_spin(Clock::time_point now) const {
        return workers() < processors_.load(std::memory_order_relaxed) &&
               now.time_since_epoch().count() >= quiet_until_.load(std::memory_order_relaxed);
    }
    // A thread that spins was put aside: others need the core.
    void be_quiet(Clock::time_point now) {
        quiet_until_.store((now + pool_quiet).time_since_epoch().count(),
                           std::memory_order_relaxed);
    }

    // In a forked process, where none of the threads exist.
    void forget() {
        for (Offer& offer : offers_) offer.state = 0;
        workers_ = 0;
        idle_ = 0;
        asleep_ = 0;
        ++forks_;
        new (&growing_) std::mutex;
    }

    [[noreturn]] void work(int place);

  private:
    Offer* take_offer();
    void grow(int wanted);
    bool join_any(Allowance& allowance);
    void call_in(int room);

    std::array<Offer, pool_offers> offers_{};
    std::atomic<Word> news_{0};   // counts offers; sleeping threads wait for it
    std::atomic<int> idle_{0};    // threads that look for an offer
    std::atomic<int> asleep_{0};  // those of them that sleep
    std::atomic<int> workers_{0};
    std::atomic<int> most_{most_pool_threads};  // what the system grants
    std::atomic<int> processors_{1};
    std::atomic<Clock::rep> quiet_until_{0};
    std::atomic<unsigned> forks_{0};
    std::mutex growing_;
};

constinit Pool pool;

void* start_worker(void* place) {
    pool.work(static_cast<int>(reinterpret_cast<std::intptr_t>(place)));
}

// One thread, which is never joined: it sleeps until the process ends.
bool start_thread(int place) {
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return false;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_t thread{};
    const BlockedSignals blocked;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): a number, never followed
    auto* const argument = reinterpret_cast<void*>(static_cast<std::intptr_t>(place));
    const bool has_started = pthread_create(&thread, &attributes, start_worker, argument) == 0;
    pthread_attr_destroy(&attributes);
    return has_started;
}

Offer* Pool::take_offer() {
    for (Offer& offer : offers_) {
        Word free = 0;
        if (offer.state.load(std::memory_order_relaxed) == 0 &&
            offer.state.compare_exchange_strong(free, taken, std::memory_order_acq_rel))
            return &offer;
    }
    return nullptr;
}

void Pool::grow(int wanted) {
    if (workers() >= std::min(wanted, most_.load(std::memory_order_relaxed))) return;
    const std::lock_guard lock(growing_);
    static const bool watches_forks = pthread_atfork(nullptr, nullptr, [] { pool.forget(); }) == 0;
    if (!watches_forks) return;
    processors_ = usable_processors();
    while (workers() < std::min(wanted, most_.load())) {
        if (start_thread(workers() + 1))
            ++workers_;
        else
            most_ = workers();  // the system grants no more
    }
}

// Wakes as many as have room and are not about to look anyway, two at a time: those call others.
void Pool::call_in(int room) {
    const int sleeping = asleep_.load();
    const int awake = idle_.load() - sleeping;
    const int needed = std::min({room - awake, sleeping, 2});
    for (int k = 0; k < needed; ++k) news_.notify_one();
}

void Pool::run(Team team, const TeamTask& task) {
    const int threads = std::min(team.threads, most_pool_threads);
    if (threads > 1) grow(threads - 1);
    const int helpers = std::min(threads - 1, workers());
    Offer* const offer = helpers > 0 ? take_offer() : nullptr;
    if (offer == nullptr) {
        task({0, own_place});
        return;
    }
    const unsigned forks = forks_.load();
    offer->task.store(&task, std::memory_order_relaxed);
    offer->size.store(helpers, std::memory_order_relaxed);
    offer->wakes.store(team.wakes, std::memory_order_relaxed);
    offer->state.store(is_open | taken | static_cast<Word>(helpers) * one_room,
                       std::memory_order_release);
    news_.fetch_add(1);
    if (team.wakes) call_in(helpers);
    task({0, own_place});
    if (forks != forks_.load())
        throw std::runtime_error("the process was forked inside a team of threads");
    Word state = offer->state.fetch_and(taken | active_mask) & (taken | active_mask);
    for (Spin spin; state != taken && spin.goes_on();) state = offer->state.load();
    while (state != taken) {
        offer->state.wait(state);
        state = offer->state.load();
    }
    offer->state.store(0, std::memory_order_release);
}

// Runs the task of an offer that has room; false if there is none.
bool Pool::join_any(Allowance& allowance) {
    for (Offer& offer : offers_) {
        Word state = offer.state.load(std::memory_order_acquire);
        while ((state & is_open) != 0 && (state & room_mask) != 0) {
            const Word joined = state - one_room + 1;
            if (!offer.state.compare_exchange_weak(state, joined, std::memory_order_acq_rel))
                continue;
            idle_.fetch_sub(1);
            const int room = static_cast<int>((joined & room_mask) / one_room);
            if (room > 0 && offer.wakes.load(std::memory_order_relaxed)) call_in(room);
            const TeamTask& task = *offer.task.load(std::memory_order_relaxed);
            const Clock::time_point start = Clock::now();
            task({offer.size.load(std::memory_order_relaxed) - room, own_place});
            allowance.earn(Clock::now() - start);
            // the owner waits only after it has closed the offer
            const Word before = offer.state.fetch_sub(1);
            if ((before & (is_open | active_mask)) == 1) offer.state.notify_all();
            idle_.fetch_add(1);
            return true;
        }
    }
    return false;
}

void Pool::work(int place) {
    own_place = place;
    idle_.fetch_add(1);
    for (Allowance allowance;;) {
        const Word known = news_.load();
        if (join_any(allowance)) continue;
        Spin spin(allowance.left());
        while (news_.load() == known && spin.goes_on()) {
        }
        allowance.spend(spin.time());
        if (news_.load() != known) continue;
        asleep_.fetch_add(1);
        news_.wait(known);
        asleep_.fetch_sub(1);
    }
}

}  // namespace

void run_team(Team team, const TeamTask& task) {
    pool.run(team, task);
}

int pool_workers() {
    return pool.workers();
}

Spin::Spin(Clock::duration longest)
    : longest_(longest), start_(Clock::now()), last_(start_), may_spin_(pool.may_spin(start_)) {}

bool Spin::goes_on() {
    if (!may_spin_) return false;
    for (int k = 0; k < pool_pauses; ++k) pause_briefly();
    const Clock::time_point now = Clock::now();
    const Clock::duration gap = now - std::exchange(last_, now);
    if (gap > pool_interruption) pool.be_quiet(now);
    may_spin_ = gap <= pool_interruption && now - start_ < longest_;
    return may_spin_;
}

}  // namespace sven::linalg
