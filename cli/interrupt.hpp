#pragma once
// Handling of SIGINT and SIGTERM. Outside an Interruptible scope there is nothing to save and the
// program ends at once; inside, the signal sets the token that the solver polls.

#include <string>

#include "sven/elastic_net.hpp"

namespace sven::cli {

void install_signal_handlers();

const CancelToken& cancel_token();

// 128 plus the number of the signal, as in shells: 130 for SIGINT. 0: no signal.
int interrupted_exit_code();

class Interruptible {
  public:
    Interruptible();
    ~Interruptible();
    Interruptible(const Interruptible&) = delete;
    Interruptible& operator=(const Interruptible&) = delete;
};

// Inside such a scope a lack of memory is an exception, after which the library goes on with less
// side by side; elsewhere it ends the program.
class ThrowsWithoutMemory {
  public:
    ThrowsWithoutMemory();
    ~ThrowsWithoutMemory();
    ThrowsWithoutMemory(const ThrowsWithoutMemory&) = delete;
    ThrowsWithoutMemory& operator=(const ThrowsWithoutMemory&) = delete;
};

// Whether signals are ignored from now on: the files of the run are renamed, and the program ends
// as if the signal had come later.
void pass_over_signals(bool is_too_late_now);

// A file to remove if a second signal ends the program at once, until it is released.
void remove_when_killed(const std::string& path);
void keep_when_killed(const std::string& path);

// End the program at once, as a signal would, with a message. May be called before main.
[[noreturn]] void end_without_memory();
[[noreturn]] void end_for_lack_of_memory();  // of LIBLINEAR's BLAS

// The message of a lack of memory names --memory from now on.
void blame_memory_option();

// Thrown after a signal.
struct Interrupted {};

}  // namespace sven::cli
