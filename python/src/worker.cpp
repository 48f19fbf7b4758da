#include "worker.hpp"

#include <pthread.h>

#include <array>
#include <condition_variable>
#include <csignal>
#include <memory>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

namespace svenet {

// Never freed: it may sleep here until the process has ended.
struct Call::Thread {
    std::mutex mutex;
    std::condition_variable changed;
    Call* call = nullptr;  // what it works on
    bool is_finished = false;
    bool must_end = false;
};

namespace {

// Threads that are kept: more at once are rare, and end after their call.
constexpr std::size_t most_idle = 4;

std::mutex idle_mutex;
std::array<void*, most_idle> idle{};
std::size_t idle_count = 0;

}  // namespace

void forget_workers() {
    new (&idle_mutex) std::mutex;
    idle_count = 0;
}

void Call::serve(Thread& thread) {
    std::unique_lock lock(thread.mutex);
    for (;;) {
        thread.changed.wait(lock, [&] { return thread.must_end || thread.call != nullptr; });
        if (thread.must_end) return;
        Call& call = *thread.call;
        lock.unlock();
        call.work_();
        lock.lock();
        thread.call = nullptr;
        thread.is_finished = true;
        thread.changed.notify_all();
    }
}

// Null where the system grants none. Signals are left to Python's own threads.
Call::Thread* Call::take_thread() {
    {
        const std::lock_guard lock(idle_mutex);
        if (idle_count > 0) return static_cast<Thread*>(idle[--idle_count]);
    }
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    std::unique_ptr<Thread> made;
    try {
        made = std::make_unique<Thread>();
        std::thread([thread = made.get()] {
            serve(*thread);
            delete thread;  // it was told to end
        }).detach();
    } catch (const std::system_error&) {
        made.reset();
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return made.release();
}

void Call::keep(Thread* thread) {
    {
        const std::lock_guard lock(idle_mutex);
        if (idle_count < most_idle) {
            idle[idle_count++] = thread;
            return;
        }
    }
    const std::lock_guard lock(thread->mutex);
    thread->must_end = true;
    thread->changed.notify_all();
}

Call::Call(const std::function<void()>& work) : work_(work), thread_(take_thread()) {
    if (thread_ == nullptr) {
        work_();
        return;
    }
    const std::lock_guard lock(thread_->mutex);
    thread_->is_finished = false;
    thread_->call = this;
    thread_->changed.notify_all();
}

Call::~Call() {
    if (thread_ == nullptr) return;
    while (!finishes_within(std::chrono::milliseconds(1000))) {
    }
    keep(thread_);
}

bool Call::finishes_within(std::chrono::milliseconds time) {
    if (thread_ == nullptr) return true;
    std::unique_lock lock(thread_->mutex);
    return thread_->changed.wait_for(lock, time, [&] { return thread_->is_finished; });
}

}  // namespace svenet
