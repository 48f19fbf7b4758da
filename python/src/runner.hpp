#pragma once
// One call of the library from Python: without the GIL, stopped by Ctrl-C, with progress.

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
    bool proofs = false;
};

class Runner {
  public:
    explicit Runner(const SolveOptions& options);

    // For the library; valid during the lifetime of the runner.
    const sven::Options& options() const { return options_; }
    // Tolerance, iterations and progress of later runs.
    void change(const SolveOptions& options);

    // Runs `work` in another thread while this one waits without the GIL, checks for signals and
    // calls back. Throws the exception of `work`, of the signal or of the callback, after the
    // library has stopped.
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
