#pragma once
// How many threads a solve may use.

namespace svenet {

// Called once, when the module is loaded.
void watch_forks();

// Threads that the calling thread is allowed: as many as the library takes by default, or fewer
// where it has a limit.
int allowed_threads();
// Limits the solves of the calling thread; threadpoolctl does, as _threads.py tells it.
void limit_threads(int threads);

// Of those, what the running solves leave; one in a forked process, whose parent already uses all
// of them.
int available_threads();

// Counts a solve during its lifetime.
class RunningSolve {
  public:
    RunningSolve();
    ~RunningSolve();
    RunningSolve(const RunningSolve&) = delete;
    RunningSolve& operator=(const RunningSolve&) = delete;
};

}  // namespace svenet
