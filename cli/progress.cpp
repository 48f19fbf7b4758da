#include "cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "cli/report.hpp"
#include "cli/terminal.hpp"

namespace sven::cli {

namespace {

constexpr double seconds_between_lines = 5;
constexpr double seconds_between_pictures = 0.1;
constexpr double seconds_before_the_bar = 0.5;

// Lets users, and the tests, change the interval.
double interval(double usual) {
    const char* const asked = std::getenv("SVEN_PROGRESS_SECONDS");
    return asked == nullptr ? usual : std::max(0.0, std::atof(asked));
}

std::chrono::steady_clock::duration in_seconds(double seconds) {
    return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
        std::chrono::duration<double>(seconds));
}

std::string bar(double share) {
    constexpr int width = 30;
    const int full = static_cast<int>(share * width);
    std::string text;
    for (int k = 0; k < width; ++k) text += k < full ? "█" : "░";
    return text;
}

// By the settings that are done; the first ones tell too little.
std::string time_left(double elapsed, double share) {
    constexpr double enough = 0.05;
    if (share < enough || share >= 1) return {};
    return fmt::format(", about {} left", duration(elapsed * (1 - share) / share));
}

}  // namespace

ProgressBar::ProgressBar(bool is_quiet)
    : is_quiet_(is_quiet),
      is_terminal_(::isatty(STDERR_FILENO) != 0),
      interval_(interval(is_terminal_ ? seconds_between_pictures : seconds_between_lines)),
      next_(start_ + in_seconds(is_terminal_ ? std::min(seconds_before_the_bar, 5 * interval_)
                                             : interval_)) {}

ProgressBar::~ProgressBar() {
    if (is_drawn_) fmt::print(stderr, "\r\033[K");
}

Options ProgressBar::watch(Options options) {
    if (!is_quiet_) options.progress = [this](const Progress& progress) { show(progress); };
    return options;
}

void ProgressBar::show(const Progress& progress) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto now = Clock::now();
    if (now < next_ || progress.total == 0) return;
    next_ = now + in_seconds(interval_);
    const double elapsed = std::chrono::duration<double>(now - start_).count();
    const double share = static_cast<double>(progress.done) / static_cast<double>(progress.total);
    if (is_terminal_) {
        fmt::print(stderr, "\r\033[K{} {:>3.0f} %  {} of {} settings, {}{}",
                   colored(bar(share), Color::accent, STDERR_FILENO), 100 * share, progress.done,
                   progress.total, duration(elapsed), time_left(elapsed, share));
        is_drawn_ = true;
    } else {
        fmt::print(stderr, "sven: {} of {} settings, {}{}\n", progress.done, progress.total,
                   duration(elapsed), time_left(elapsed, share));
    }
    std::fflush(stderr);
}

}  // namespace sven::cli
