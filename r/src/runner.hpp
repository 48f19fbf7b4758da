#pragma once
// A call of the library on a thread of its own, while R's main thread waits, looks for Ctrl-C and
// shows progress. No object of R's is touched on the other thread.

#include <functional>

#include "sven/elastic_net.hpp"

namespace svenet {

class Runner {
  public:
    // With `traces` the settings that are done are counted on R's console.
    Runner(sven::Options options, bool traces);

    // For the library; valid during the lifetime of the runner.
    [[nodiscard]] const sven::Options& options() const { return options_; }

    // False if it was interrupted: the library has stopped, and what it gave is not to be used.
    // Throws what `work` throws.
    bool run(const std::function<void()>& work);

  private:
    struct Call;

    bool poll();

    sven::Options options_;
    sven::CancelToken cancel_ = false;
    std::atomic<sven::Index> done_ = 0;
    std::atomic<sven::Index> total_ = 0;
    sven::Index told_ = 0;
};

}  // namespace svenet
