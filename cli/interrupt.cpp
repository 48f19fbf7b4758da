#include "cli/interrupt.hpp"

#include <unistd.h>

#include <climits>
#include <csignal>
#include <cstring>

namespace sven::cli {

namespace {

CancelToken token{false};
std::atomic<bool> is_interruptible{false};
std::atomic<int> received{0};
std::atomic<bool> has_doomed_file{false};
char doomed_file[PATH_MAX];

static_assert(CancelToken::is_always_lock_free, "it is set from a signal handler");

void say(const char* text) {
    const ssize_t ignored = ::write(STDERR_FILENO, text, std::strlen(text));
    (void)ignored;
}

// Only calls that a signal handler may make.
void on_interrupt(int signal) {
    const bool is_first = received.exchange(signal) == 0;
    if (is_interruptible && is_first) {
        token = true;
        return;
    }
    if (has_doomed_file) ::unlink(doomed_file);
    say("sven: interrupted, nothing was written\n");
    ::_exit(128 + signal);
}

void on_bus_error(int /*signal*/) {
    if (has_doomed_file) ::unlink(doomed_file);
    say("sven: a file became shorter while it was read\n");
    ::_exit(1);
}

void handle(int signal, void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    ::sigemptyset(&action.sa_mask);
    ::sigaction(signal, &action, nullptr);
}

}  // namespace

void install_signal_handlers() {
    handle(SIGINT, on_interrupt);
    handle(SIGTERM, on_interrupt);
    handle(SIGBUS, on_bus_error);  // what a mapped file that shrinks ends in
}

const CancelToken& cancel_token() {
    return token;
}

int interrupted_exit_code() {
    return received == 0 ? 0 : 128 + received;
}

Interruptible::Interruptible() {
    is_interruptible = true;
}
Interruptible::~Interruptible() {
    is_interruptible = false;
}

void remove_when_killed(const std::string& path) {
    has_doomed_file = false;
    if (path.empty() || path.size() >= sizeof doomed_file) return;
    std::memcpy(doomed_file, path.c_str(), path.size() + 1);
    has_doomed_file = true;
}

}  // namespace sven::cli
