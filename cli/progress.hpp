#pragma once
// Progress of a long run on stderr: a bar on a terminal, else a plain line every few seconds. Short
// runs show nothing.

#include <chrono>
#include <mutex>

#include "sven/elastic_net.hpp"

namespace sven::cli {

class ProgressBar {
  public:
    explicit ProgressBar(bool is_quiet);
    ~ProgressBar();
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    // The options with this bar as their progress; it must outlive them.
    Options watch(Options options);

  private:
    using Clock = std::chrono::steady_clock;

    void show(const Progress& progress);

    bool is_quiet_;
    bool is_terminal_;
    bool is_drawn_ = false;
    double interval_;  // seconds between two lines, or two updates of the bar
    Clock::time_point start_ = Clock::now();
    Clock::time_point next_;
    std::mutex mutex_;
};

}  // namespace sven::cli
