#pragma once
// One call of the library from Python: without the GIL, stopped by Ctrl-C, telling its progress.

#include <nanobind/nanobind.h>

#include <functional>
#include <mutex>

#include "sven/elastic_net.hpp"

namespace svenet {

namespace nb = nanobind;

struct SolveOptions {
    double tolerance = 1e-10;
    int max_iterations = 1000;
    int threads = 0;  // 0: as many as there are
    sven::Method method = sven::Method::automatic;
    sven::Device device = sven::Device::cpu;
    nb::object progress = nb::none();  // called with (done, total, gap)
};

class Runner {
  public:
    explicit Runner(const SolveOptions& options);

    // For the library; valid while the runner lives.
    const sven::Options& options() const { return options_; }
    // Tolerance, iterations and progress of the runs to come.
    void change(const SolveOptions& options);

    // Runs `work` in a thread of its own while this one, without the GIL, waits, looks for signals
    // and calls back. A thread of its own has an OpenMP team of its own, which ends with it: a
    // process forked later inherits no team that is not there. Throws what `work` throws, or the
    // exception of the signal or of the callback, after the library has stopped.
    void run(const std::function<void()>& work);

  private:
    bool poll();

    sven::Options options_;
    sven::CancelToken cancel_ = false;
    nb::object callback_;
    std::mutex guard_;  // of progress_
    sven::Progress progress_;
    sven::Index told_ = -1;
};

}  // namespace svenet
