#include "cli/interrupt.hpp"

#include <unistd.h>

#include <array>
#include <climits>
#include <csignal>
#include <cstring>
#include <new>

namespace sven::cli {

namespace {

CancelToken token{false};
std::atomic<bool> is_interruptible{false};
std::atomic<int> received{0};
std::atomic<bool> is_ending{false};
std::atomic<bool> is_too_late{false};
std::atomic<bool> is_memory_limited{false};
std::atomic<bool> throws_without_memory{false};

// Files to remove, in memory that a signal handler may read.
struct DoomedFile {
    std::atomic<bool> is_there{false};
    char path[PATH_MAX];
};
std::array<DoomedFile, 4> doomed_files;

static_assert(CancelToken::is_always_lock_free, "it is set from a signal handler");

void say(const char* text) {
    const ssize_t ignored = ::write(STDERR_FILENO, text, std::strlen(text));
    (void)ignored;
}

void remove_doomed_files() {
    for (const DoomedFile& file : doomed_files)
        if (file.is_there) ::unlink(file.path);
}

// Only calls that a signal handler may make.
void on_interrupt(int signal) {
    if (is_too_late) return;
    const bool is_first = received.exchange(signal) == 0;
    if (is_interruptible && is_first) {
        token = true;
        return;
    }
    remove_doomed_files();
    say("sven: interrupted, nothing was written\n");
    ::_exit(128 + signal);
}

// Several threads may get here; the first one ends the process.
[[noreturn]] void end(const char* sentence) {
    while (is_ending.exchange(true)) ::pause();
    remove_doomed_files();
    say(sentence);
    ::_exit(1);
}

void on_bus_error(int /*signal*/) {
    end("sven: a file became shorter or unreadable while it was read\n");
}

// Not every library is exception-safe: nlohmann-json may leave an object whose destructor fails or
// allocates. The program could only end anyway, so it does. Active before main, where CLI11 creates
// its objects.
void on_no_memory() {
    if (is_too_late) ::_exit(0);  // all output is written, only destructors are left
    if (throws_without_memory) throw std::bad_alloc();
    end_without_memory();
}

__attribute__((constructor(101))) void install_memory_handler() {
    std::set_new_handler(on_no_memory);
}

void handle(int signal, void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    ::sigemptyset(&action.sa_mask);
    ::sigaction(signal, &action, nullptr);
}

}  // namespace

void end_without_memory() {
    end(is_memory_limited ? "sven: this needs more memory than --memory allows\n"
                          : "sven: there is not enough memory for this\n");
}

void install_signal_handlers() {
    handle(SIGINT, on_interrupt);
    handle(SIGTERM, on_interrupt);
    handle(SIGPIPE, SIG_IGN);      // the write reports the error, and files are still written
    handle(SIGXFSZ, SIG_IGN);      // likewise for files
    handle(SIGBUS, on_bus_error);  // a mapped file was truncated
}

void blame_memory_option() {
    is_memory_limited = true;
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

ThrowsWithoutMemory::ThrowsWithoutMemory() {
    throws_without_memory = true;
}
ThrowsWithoutMemory::~ThrowsWithoutMemory() {
    throws_without_memory = false;
}

void pass_over_signals(bool is_too_late_now) {
    is_too_late = is_too_late_now;
}

void end_for_lack_of_memory() {
    end("sven: there is not enough address space for the BLAS of LIBLINEAR; with OMP_NUM_THREADS=1 "
        "it needs "
        "less\n");
}

void remove_when_killed(const std::string& path) {
    for (DoomedFile& file : doomed_files) {
        if (file.is_there || path.size() >= sizeof file.path) continue;
        std::memcpy(file.path, path.c_str(), path.size() + 1);
        file.is_there = true;
        return;
    }
}

void keep_when_killed(const std::string& path) {
    for (DoomedFile& file : doomed_files)
        if (file.is_there && path == file.path) file.is_there = false;
}

}  // namespace sven::cli
