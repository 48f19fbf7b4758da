#include "runner.hpp"

#include <algorithm>
#include <chrono>
#include <exception>

#include "interpreter.hpp"
#include "threads.hpp"
#include "worker.hpp"

namespace svenet {
namespace {

// Ctrl-C must stop a fit within 100 ms, most of which are reserved for the library.
constexpr std::chrono::milliseconds poll_interval{10};

}  // namespace

Runner::Runner(const SolveOptions& options) {
    options_.method = options.method;
    options_.device = options.device;
    options_.cancel = &cancel_;
    options_.threads = available_threads();
    if (options.threads > 0) options_.threads = std::min(options.threads, options_.threads);
    change(options);
}

void Runner::change(const SolveOptions& options) {
    options_.tolerance = options.tolerance;
    options_.max_iterations = options.max_iterations;
    options_.proofs = options.proofs;
    options_.progress = nullptr;
    callback_ = options.progress;
    if (!callback_.is_none())
        options_.progress = [this](const sven::Progress& progress) {
            const std::lock_guard lock(guard_);
            progress_ = progress;
        };
}

// False if the solve must stop: Python's error indicator is set.
bool Runner::poll() {
    if (PyErr_CheckSignals() != 0) return false;
    if (callback_.is_none()) return true;
    sven::Progress progress;
    {
        const std::lock_guard lock(guard_);
        progress = progress_;
    }
    if (progress.done == told_) return true;
    told_ = progress.done;
    try {
        callback_(progress.done, progress.total, progress.gap);
    } catch (nb::python_error& error) {
        error.restore();
        return false;
    }
    return true;
}

void Runner::run(const std::function<void()>& work) {
    const RunningSolve counted;
    cancel_ = false;
    progress_ = {};
    told_ = -1;
    bool is_stopped = false;
    std::exception_ptr failure;
    {
        const WithoutGil without_gil;
        Call call([&] {
            try {
                work();
            } catch (...) {
                failure = std::current_exception();
            }
        });
        while (!call.finishes_within(poll_interval)) {
            if (WithoutGil::must_end()) cancel_ = true;
            if (is_stopped || WithoutGil::must_end()) continue;
            {
                const nb::gil_scoped_acquire with_gil;
                is_stopped = !poll();
            }
            if (is_stopped) cancel_ = true;
        }
    }
    if (is_stopped || !poll()) throw nb::python_error();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace svenet
