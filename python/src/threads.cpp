#include "threads.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>

#include "interpreter.hpp"
#include "sven/build.hpp"
#include "worker.hpp"

namespace svenet {
namespace {

std::atomic<int> running = 0;
std::atomic<bool> is_forked = false;
thread_local int limit = 0;  // 0: none

// The solves of the parent do not exist here.
void on_fork() {
    running = 0;
    is_forked = true;
    forget_other_threads();
    forget_workers();
}

}  // namespace

void watch_forks() {
    pthread_atfork(nullptr, nullptr, on_fork);
}

int allowed_threads() {
    const int allowed = std::min(sven::default_threads(), sven::usable_processors());
    return limit > 0 ? std::min(limit, allowed) : allowed;
}

void limit_threads(int threads) {
    limit = std::max(1, threads);
}

int available_threads() {
    if (is_forked) return 1;
    return std::max(1, allowed_threads() / (running + 1));
}

RunningSolve::RunningSolve() {
    ++running;
}

RunningSolve::~RunningSolve() {
    --running;
}

}  // namespace svenet

// By which threadpoolctl knows this module among others of its name.
extern "C" [[gnu::visibility("default")]] int svenet_allowed_threads() {
    return svenet::allowed_threads();
}
