#pragma once
// The end of the interpreter. A daemon thread that asks for the GIL of an interpreter in its
// finalization never gets it: Python ends the thread on the spot (by pthread_exit, which unwinds
// through destructors that ask again, and the process aborts), or since 3.14 hangs it. So no thread
// asks: Python's atexit, which runs before, stops the solves under way, and their threads stay
// asleep where they are until the process has ended.

#include <nanobind/nanobind.h>

namespace svenet {

// Registers with atexit. Called once, when the module is loaded.
void watch_the_end();

// In a forked process: the other threads of the parent do not exist.
void forget_other_threads();

// Releases the GIL while it is alive. Where the interpreter is about to end, the thread of its
// constructor or destructor does not return, unless it is the one that ends it.
class WithoutGil {
  public:
    WithoutGil();
    ~WithoutGil();
    WithoutGil(const WithoutGil&) = delete;
    WithoutGil& operator=(const WithoutGil&) = delete;

    // Whether the work should stop, and the GIL must not be asked for.
    static bool must_end();

  private:
    PyThreadState* state_;
};

}  // namespace svenet
