#pragma once
// What SIGINT and SIGTERM do. Outside an Interruptible scope there is nothing to keep and the
// program ends at once; inside, the signal sets the token that the solver polls.

#include <string>

#include "sven/elastic_net.hpp"

namespace sven::cli {

void install_signal_handlers();

const CancelToken& cancel_token();

// 128 and the number of the signal, as shells have it: 130 for SIGINT. 0: no signal came.
int interrupted_exit_code();

class Interruptible {
  public:
    Interruptible();
    ~Interruptible();
    Interruptible(const Interruptible&) = delete;
    Interruptible& operator=(const Interruptible&) = delete;
};

// From now on, or no longer, a signal is too late: the files of the run get their names, and the
// program ends as if it had come a moment later.
void pass_over_signals(bool is_too_late_now);

// A file to remove should a second signal end the program at once, until it is to be kept.
void remove_when_killed(const std::string& path);
void keep_when_killed(const std::string& path);

// Ends the program at once, as a signal would, with a sentence. May be called before main.
[[noreturn]] void end_for_lack_of_memory();

// Thrown where a signal was seen.
struct Interrupted {};

}  // namespace sven::cli
