#pragma once
// The threads of the process. They are made when a team first asks for them, sleep between teams,
// and serve every caller. A team is an offer: the caller starts at once, idle threads join while
// there is work left, and nobody waits for a thread that has not joined. So a team on a busy
// machine costs little more than the caller's own work, a call from inside a team shares what is
// idle, and callers at the same time share the same threads.

#include <chrono>

#include "linalg/tuning.hpp"

namespace sven::linalg {

// Who may share some work: how many threads at most, and whether it is enough to wake those that
// sleep. A number of threads by itself wakes them.
struct Team {
    Team(int most, bool wakes_others = true) : threads(most), wakes(wakes_others) {}

    int threads;
    bool wakes;
};

// Who runs a task. The number is below the team's size and nobody else's in this team; the caller's
// is 0. A thread's place is the same in every team, so that it can come back to the same data.
struct TeamMember {
    int number = 0;
    int place = 0;
};

// What each thread of a team calls, by reference. It must not throw.
class TeamTask {
  public:
    template <class Body>
    explicit TeamTask(const Body& body)
        : body_(&body), call_([](const void* known, TeamMember member) {
              (*static_cast<const Body*>(known))(member);
          }) {}
    void operator()(TeamMember member) const { call_(body_, member); }

  private:
    const void* body_;
    void (*call_)(const void* body, TeamMember member);
};

// Calls the task on this thread and on up to `team.threads` - 1 others, each at most once, and
// returns when all calls have. Tasks share their work by themselves: a call may come when all is
// done, or not at all. In a forked process the pool begins anew; a team that was open at the fork
// has lost its threads, and run_team throws std::runtime_error there.
void run_team(Team team, const TeamTask& task);

// Threads that wait for a team, asleep or about to be.
int pool_workers();

// A busy wait that ends after a while, at once where the machine has no core to spare.
class Spin {
  public:
    using Clock = std::chrono::steady_clock;

    explicit Spin(Clock::duration longest = pool_spin);
    // Pauses for a moment; false when it is time to sleep.
    bool goes_on();

    Clock::duration time() const { return last_ - start_; }

  private:
    Clock::duration longest_;
    Clock::time_point start_;
    Clock::time_point last_;
    bool may_spin_;
};

}  // namespace sven::linalg
