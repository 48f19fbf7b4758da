#pragma once
// The end of the interpreter. A daemon thread that requests the GIL during finalization never gets
// it: Python terminates the thread (by pthread_exit, which unwinds through destructors that request
// it again, and the process aborts), or since 3.14 blocks it. So no thread requests it: an atexit
// function, which runs before, stops the running solves, and their threads sleep until the process
// has ended.

#include <nanobind/nanobind.h>

namespace svenet {

// Registers with atexit. Called once, when the module is loaded.
void watch_the_end();

// In a forked process: the other threads of the parent do not exist.
void forget_other_threads();

// Releases the GIL during its lifetime. If the interpreter is about to end, the constructor and the
// destructor do not return, unless in the thread that ends it.
class WithoutGil {
  public:
    WithoutGil();
    ~WithoutGil();
    WithoutGil(const WithoutGil&) = delete;
    WithoutGil& operator=(const WithoutGil&) = delete;

    // Whether the work should stop, and the GIL must not be requested.
    static bool must_end();

  private:
    PyThreadState* state_;
};

}  // namespace svenet
