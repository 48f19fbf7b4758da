#include "threads.hpp"

#include <omp.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>

#include "interpreter.hpp"

namespace svenet {
namespace {

std::atomic<int> running = 0;
std::atomic<bool> is_forked = false;

// The solves of the parent do not exist here.
void on_fork() {
    running = 0;
    is_forked = true;
    forget_other_threads();
}

}  // namespace

void watch_forks() {
    pthread_atfork(nullptr, nullptr, on_fork);
}

int available_threads() {
    if (is_forked) return 1;
    const int allowed = std::min(omp_get_max_threads(), omp_get_num_procs());
    return std::max(1, allowed / (running + 1));
}

RunningSolve::RunningSolve() {
    ++running;
}

RunningSolve::~RunningSolve() {
    --running;
}

}  // namespace svenet
