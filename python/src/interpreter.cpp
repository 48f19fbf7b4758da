#include "interpreter.hpp"

#include <atomic>
#include <chrono>
#include <thread>

namespace svenet {
namespace {

namespace nb = nanobind;
using Clock = std::chrono::steady_clock;

// A cancelled solve ends within 100 ms; only a user's callback may take longer.
constexpr std::chrono::seconds longest_wait{10};
constexpr std::chrono::milliseconds step{1};

std::atomic<int> inside = 0;  // threads that hold a WithoutGil
std::atomic<bool> is_ending = false;
std::atomic<std::thread::id> last_thread;  // the one that ends the interpreter

[[noreturn]] void sleep_until_the_process_ends() {
    --inside;
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

// Threads that outlive Python keep their objects, which nanobind would report as a leak.
void excuse_other_threads() {
    const nb::object count = nb::module_::import_("threading").attr("active_count")();
    if (nb::cast<int>(count) > 1) nb::set_leak_warnings(false);
}

// Called with the GIL, and waits without it, since the other threads need it to return.
void end_other_solves() {
    excuse_other_threads();
    last_thread = std::this_thread::get_id();
    is_ending = true;
    PyThreadState* state = PyEval_SaveThread();
    const auto deadline = Clock::now() + longest_wait;
    while (inside > 0 && Clock::now() < deadline) std::this_thread::sleep_for(step);
    PyEval_RestoreThread(state);
}

}  // namespace

void watch_the_end() {
    nb::module_::import_("atexit").attr("register")(nb::cpp_function(&end_other_solves));
}

void forget_other_threads() {
    inside = 0;
}

bool WithoutGil::must_end() {
    return is_ending && last_thread.load() != std::this_thread::get_id();
}

// Counts itself before it checks the flag; the thread that ends the interpreter sets the flag
// before it reads the count.
WithoutGil::WithoutGil() {
    ++inside;
    state_ = PyEval_SaveThread();
    if (must_end()) sleep_until_the_process_ends();
}

// Counted until it holds the GIL again: the interpreter does not end before that.
WithoutGil::~WithoutGil() {
    if (must_end()) sleep_until_the_process_ends();
    PyEval_RestoreThread(state_);
    --inside;
}

}  // namespace svenet
