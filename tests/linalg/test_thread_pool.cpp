// The pool of threads: who joins, what happens to exceptions, nested teams, callers at the same
// time, forks and phases.

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <functional>
#include <mutex>
#include <numeric>
#include <set>
#include <thread>
#include <vector>

#include "linalg/execution.hpp"
#include "linalg/thread_pool.hpp"

namespace sven::linalg {
namespace {

using Clock = std::chrono::steady_clock;

// Waits for it, but not for ever.
template <class Condition>
bool comes_true(const Condition& condition) {
    const auto deadline = Clock::now() + std::chrono::seconds(20);
    while (!condition())
        if (Clock::now() > deadline) return false;
    return true;
}

long sum_by_team(int threads, Index count) {
    std::vector<long> out(static_cast<std::size_t>(count));
    parallel_for({threads, nullptr}, threads, count, [&](Index k) { out[k] = k; });
    return std::accumulate(out.begin(), out.end(), 0L);
}

TEST(ThreadPool, AsManyThreadsJoinAsWereAskedFor) {
    for (const int threads : {2, 3, 5}) {
        std::atomic<int> arrived{0};
        std::mutex mutex;
        std::set<int> numbers;
        std::set<std::thread::id> ids;
        const auto meet = [&](TeamMember member) {
            {
                const std::lock_guard lock(mutex);
                numbers.insert(member.number);
                ids.insert(std::this_thread::get_id());
            }
            ++arrived;
            EXPECT_TRUE(comes_true([&] { return arrived == threads; }));
        };
        run_team(threads, TeamTask(meet));
        EXPECT_EQ(numbers.size(), static_cast<std::size_t>(threads));
        EXPECT_EQ(*numbers.begin(), 0);
        EXPECT_EQ(*numbers.rbegin(), threads - 1);
        EXPECT_EQ(ids.size(), static_cast<std::size_t>(threads));
    }
}

TEST(ThreadPool, ATeamOfOneIsTheCaller) {
    int calls = 0;
    const auto count = [&](TeamMember member) {
        ++calls;
        EXPECT_EQ(member.number, 0);
    };
    run_team(1, TeamTask(count));
    EXPECT_EQ(calls, 1);
}

TEST(ThreadPool, NumbersAreUniqueAtATime) {
    std::vector<std::atomic<int>> inside(4);
    parallel_for({4, nullptr}, 4, 2000, [&](Index, int member) {
        EXPECT_EQ(inside[static_cast<std::size_t>(member)]++, 0);
        inside[static_cast<std::size_t>(member)]--;
    });
}

TEST(ThreadPool, ManyShortTeams) {
    for (int k = 0; k < 20000; ++k) ASSERT_EQ(sum_by_team(2 + k % 4, 16), 120);
    EXPECT_LT(pool_workers(), 64);
}

// Threads that have gone to sleep come back.
TEST(ThreadPool, TeamsAfterAPause) {
    for (int k = 0; k < 5; ++k) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        std::atomic<int> arrived{0};
        const auto meet = [&](TeamMember) {
            ++arrived;
            EXPECT_TRUE(comes_true([&] { return arrived == 3; }));
        };
        run_team(3, TeamTask(meet));
    }
}

TEST(ThreadPool, ATeamInsideATeam) {
    std::atomic<long> sum{0};
    parallel_for({4, nullptr}, 4, 50, [&](Index) {
        parallel_for({4, nullptr}, 4, 10, [&](Index) { sum += sum_by_team(3, 20); });
    });
    EXPECT_EQ(sum.load(), 50 * 10 * 190);
}

TEST(ThreadPool, AnExceptionOfANestedTeam) {
    for (int k = 0; k < 100; ++k)
        EXPECT_THROW(parallel_for({4, nullptr}, 4, 8,
                                  [&](Index i) {
                                      parallel_for({4, nullptr}, 4, 8, [&](Index j) {
                                          if (i == 3 && j == 5) throw std::bad_alloc();
                                      });
                                  }),
                     std::bad_alloc);
    EXPECT_EQ(sum_by_team(4, 100), 4950);
}

// More callers than there are offers: those beyond work alone.
TEST(ThreadPool, CallersAtTheSameTime) {
    std::atomic<int> wrong{0};
    {
        std::vector<std::jthread> callers(40);
        for (std::jthread& caller : callers)
            caller = std::jthread([&] {
                for (int k = 0; k < 200; ++k) wrong += sum_by_team(4, 64) != 2016;
            });
    }
    EXPECT_EQ(wrong.load(), 0);
    EXPECT_LT(pool_workers(), 64);
}

TEST(ThreadPool, CancelReachesEveryTeam) {
    std::atomic<bool> cancel{false};
    std::atomic<int> begun{0};
    std::jthread other([&] {
        comes_true([&] { return begun > 2; });
        cancel = true;
    });
    EXPECT_THROW(parallel_for({4, &cancel}, 4, 4,
                              [&](Index) {
                                  for (;;) {
                                      ++begun;
                                      parallel_for({2, &cancel}, 2, 4, [](Index) {});
                                  }
                              }),
                 Cancelled);
}

int status_of_child(const std::function<bool()>& work) {
    const pid_t child = fork();
    if (child == 0) {
        alarm(20);
        _exit(work() ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status;
}

TEST(ThreadPool, AForkedProcessHasAPoolOfItsOwn) {
    ASSERT_EQ(sum_by_team(4, 1000), 499500);
    EXPECT_EQ(status_of_child([] {
                  if (pool_workers() != 0) return false;
                  const bool is_right = sum_by_team(4, 1000) == 499500;
                  return is_right && pool_workers() > 0;
              }),
              0);
    EXPECT_EQ(sum_by_team(4, 1000), 499500);
}

TEST(ThreadPool, AForkBesideARunningTeam) {
    std::atomic<bool> stop{false};
    std::atomic<int> wrong{0};
    std::jthread other([&] {
        while (!stop) wrong += sum_by_team(4, 100) != 4950;
    });
    for (int k = 0; k < 20; ++k)
        EXPECT_EQ(status_of_child([] { return sum_by_team(3, 1000) == 499500; }), 0);
    stop = true;
    other.join();
    EXPECT_EQ(wrong.load(), 0);
}

// What others of the team had taken is lost: the child must not take it for done.
TEST(ThreadPool, AForkInsideATeamThrows) {
    EXPECT_EQ(status_of_child([] {
                  bool has_thrown = false;
                  const pid_t parent = getpid();
                  const std::thread::id caller = std::this_thread::get_id();
                  std::atomic<bool> has_forked{false};
                  int status = 0;
                  try {
                      parallel_for({4, nullptr}, 4, 64, [&](Index) {
                          if (std::this_thread::get_id() != caller) {
                              comes_true([&] { return has_forked.load(); });
                              return;
                          }
                          if (has_forked.exchange(true)) return;
                          const pid_t child = fork();
                          if (child > 0) waitpid(child, &status, 0);
                      });
                  } catch (const std::runtime_error&) {
                      has_thrown = true;
                  }
                  if (getpid() != parent) _exit(has_thrown ? 7 : 1);
                  return !has_thrown && WEXITSTATUS(status) == 7;
              }),
              0);
}

// Where the system grants no more threads, those that are there do the work.
TEST(ThreadPool, WithoutMemoryForThreads) {
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "the sanitizer needs an address space without a limit";
#endif
    EXPECT_EQ(status_of_child([] {
                  rlimit none{};
                  getrlimit(RLIMIT_AS, &none);
                  none.rlim_cur = 1;  // no room for stacks but those of the parent's threads
                  setrlimit(RLIMIT_AS, &none);
                  std::array<long, 100> out{};
                  parallel_for({90, nullptr}, 90, 100, [&](Index k) { out[k] = k; });
                  return pool_workers() < 89 && std::accumulate(out.begin(), out.end(), 0L) == 4950;
              }),
              0);
}

TEST(ThreadPool, SignalsGoToTheThreadsOfTheProgram) {
    std::atomic<int> arrived{0};
    std::atomic<bool> is_blocked{true};
    const std::thread::id caller = std::this_thread::get_id();
    const auto look = [&](TeamMember) {
        ++arrived;
        comes_true([&] { return arrived == 3; });
        if (std::this_thread::get_id() == caller) return;
        sigset_t blocked;
        pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
        if (sigismember(&blocked, SIGINT) == 0) is_blocked = false;
    };
    run_team(3, TeamTask(look));
    EXPECT_TRUE(is_blocked);
}

TEST(ParallelPhases, ComeOneAfterTheOther) {
    for (const int threads : {1, 2, 5}) {
        constexpr Index phases = 300;
        const auto items = [](Index phase) { return phase % 7; };  // some are empty
        std::atomic<Index> finished{0};
        std::atomic<int> wrong{0};
        std::vector<Index> before(phases + 1, 0);
        for (Index k = 0; k < phases; ++k) before[k + 1] = before[k] + items(k);
        for (int repeat = 0; repeat < 20; ++repeat) {
            finished = 0;
            parallel_phases({threads, nullptr}, threads, phases, items, [&](Index phase, Index) {
                const Index seen = finished.load();
                if (seen < before[phase] || seen >= before[phase + 1]) ++wrong;
                ++finished;
            });
            EXPECT_EQ(finished.load(), before.back());
        }
        EXPECT_EQ(wrong.load(), 0);
    }
}

TEST(ParallelPhases, ThrowWhatABodyThrewAndStopAtTheToken) {
    for (const int threads : {1, 3}) {
        const auto items = [](Index) { return Index{5}; };
        EXPECT_THROW(parallel_phases({threads, nullptr}, threads, 10, items,
                                     [](Index phase, Index) {
                                         if (phase == 4) throw std::bad_alloc();
                                     }),
                     std::bad_alloc);
        std::atomic<bool> cancel{false};
        std::atomic<int> done{0};
        EXPECT_THROW(parallel_phases({threads, &cancel}, threads, 1000, items,
                                     [&](Index phase, Index) {
                                         ++done;
                                         if (phase == 4) cancel = true;
                                     }),
                     Cancelled);
        EXPECT_LT(done.load(), 40);
    }
}

}  // namespace
}  // namespace sven::linalg
