#pragma once
// How many threads a solve may use.

namespace svenet {

// Called once, when the module is loaded.
void watch_forks();

// The threads that the calling thread may use: as OMP_NUM_THREADS or threadpoolctl allow, shared
// with the running solves; one in a forked process, whose parent already uses all of them.
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
