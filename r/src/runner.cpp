#include "runner.hpp"

#include <pthread.h>

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#define R_NO_REMAP
#include <R_ext/Print.h>
#include <R_ext/Utils.h>
#include <Rinternals.h>

namespace svenet {
namespace {

// Ctrl-C must stop a fit within 100 ms, most of which are reserved for the library.
constexpr std::chrono::milliseconds poll_interval{10};

struct Counted {
    sven::Index done;
    sven::Index total;
};

// Both may leave by R's long jump: they are called through R_ToplevelExec, above no C++ object.
void check_interrupt(void*) {
    R_CheckUserInterrupt();
}

void show(void* counted) {
    const auto* count = static_cast<const Counted*>(counted);
    Rprintf("\r%lld of %lld lambdas", static_cast<long long>(count->done),
            static_cast<long long>(count->total));
    if (count->done == count->total) Rprintf("\n");
}

void end_line(void*) {
    Rprintf("\n");
}

}  // namespace

struct Runner::Call {
    std::mutex mutex;
    std::condition_variable changed;
    bool is_finished = false;
    std::exception_ptr failure;

    void serve(const std::function<void()>& work) {
        std::exception_ptr thrown;
        try {
            work();
        } catch (...) {
            thrown = std::current_exception();
        }
        const std::lock_guard lock(mutex);
        failure = std::move(thrown);
        is_finished = true;
        changed.notify_all();
    }

    bool finishes_within(std::chrono::milliseconds time) {
        std::unique_lock lock(mutex);
        return changed.wait_for(lock, time, [&] { return is_finished; });
    }

    // Signals are left to R's own thread. Not joinable where the system grants no thread.
    std::thread start(const std::function<void()>& work) {
        sigset_t all;
        sigset_t before;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        std::thread thread;
        try {
            thread = std::thread([&] { serve(work); });
        } catch (const std::system_error&) {
            // `thread` stays empty
        }
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
        return thread;
    }
};

Runner::Runner(sven::Options options, bool traces) : options_(std::move(options)) {
    options_.cancel = &cancel_;
    if (traces)
        options_.progress = [this](const sven::Progress& progress) {
            total_ = progress.total;
            done_ = progress.done;
        };
}

// False if the user wants it to stop.
bool Runner::poll() {
    if (R_ToplevelExec(check_interrupt, nullptr) == FALSE) return false;
    Counted counted{done_, total_};
    if (counted.done == told_) return true;
    told_ = counted.done;
    return R_ToplevelExec(show, &counted) == TRUE;
}

bool Runner::run(const std::function<void()>& work) {
    cancel_ = false;
    done_ = 0;
    told_ = 0;
    bool is_stopped = false;
    Call call;
    std::thread thread = call.start(work);
    if (thread.joinable()) {
        while (!call.finishes_within(poll_interval)) {
            if (is_stopped || poll()) continue;
            is_stopped = true;
            cancel_ = true;
        }
        thread.join();
    } else {
        call.serve(work);
    }
    if (is_stopped || !poll()) return false;
    // a path that has ended before its last lambda
    if (told_ != 0 && told_ != total_ && R_ToplevelExec(end_line, nullptr) == FALSE) return false;
    if (call.failure) std::rethrow_exception(call.failure);
    return true;
}

}  // namespace svenet
