#pragma once
// The threads that solves run on. One is kept after a solve for the next: to make a thread, with
// memory of its own, takes longer than a small fit.

#include <chrono>
#include <functional>

namespace svenet {

// A call of `work`, which must not throw, on a thread of its own.
class Call {
  public:
    // Where the system grants no thread, `work` has run when this returns.
    explicit Call(const std::function<void()>& work);
    // Waits for it.
    ~Call();
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

    // Whether it has finished, waiting for at most that long.
    bool finishes_within(std::chrono::milliseconds time);

  private:
    struct Thread;

    static Thread* take_thread();
    static void keep(Thread* thread);
    static void serve(Thread& thread);

    const std::function<void()> work_;
    Thread* thread_;  // null: it has run on the caller's
};

// In a forked process: the threads of the parent do not exist.
void forget_workers();

}  // namespace svenet
