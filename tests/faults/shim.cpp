// Preloaded into the program, lets one call of the system fail. SVEN_FAULT=CALL:NUMBER:WHAT says
// which: CALL is new, malloc, open, read, write, fsync, close, rename, linkat, fcntl or fstat,
// NUMBER counts its calls from 1 from the beginning of main (with SVEN_FAULT_EARLY before it;
// NUMBER+: and all later ones), and WHAT is the number of an error, or 0: a read or a write takes
// one byte only, or "kill": the program is killed and the call goes on, should it be a child's. The
// file SVEN_FAULT_MARK is made when it happens. SVEN_NO_UNNAMED stands for a system without
// O_TMPFILE.

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <new>

// The names are glibc's.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming,readability-function-size)
extern "C" {
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
}

namespace {

struct Fault {
    char call[16] = "";
    long number = 0;
    bool for_good = false;
    bool kills = false;
    int error = 0;
};

Fault fault;
std::atomic<bool> is_armed{false};
std::atomic<long> calls{0};
pid_t main_process = 0;

void read_environment() {
    const char* at = std::getenv("SVEN_FAULT");
    const char* const colon = at == nullptr ? nullptr : std::strchr(at, ':');
    if (colon == nullptr || colon - at >= static_cast<long>(sizeof fault.call)) return;
    std::memcpy(fault.call, at, static_cast<std::size_t>(colon - at));
    char* end = nullptr;
    fault.number = std::strtol(colon + 1, &end, 10);
    fault.for_good = *end == '+';
    if (fault.for_good) ++end;
    fault.kills = std::strcmp(end, ":kill") == 0;
    fault.error = *end == ':' ? std::atoi(end + 1) : EIO;
    main_process = ::getpid();
    is_armed = true;
}

void leave_mark() {
    const char* const path = std::getenv("SVEN_FAULT_MARK");
    if (path == nullptr) return;
    const long file = ::syscall(SYS_openat, AT_FDCWD, path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    if (file >= 0) ::syscall(SYS_close, file);
}

// Whether this call is the one.
bool fails(const char* call) {
    if (!is_armed || std::strcmp(call, fault.call) != 0) return false;
    const long number = ++calls;
    if (number != fault.number && !(fault.for_good && number > fault.number)) return false;
    if (number == fault.number) leave_mark();
    if (fault.kills) ::kill(main_process, SIGKILL);
    errno = fault.error;
    return !fault.kills;
}

template <class Function>
Function* next(const char* name) {
    return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

using Main = int(int, char**, char**);
Main* program = nullptr;

// The program's own objects are made after this.
__attribute__((constructor)) void begin_early() {
    if (std::getenv("SVEN_FAULT_EARLY") != nullptr) read_environment();
}

int run_program(int count, char** words, char** environment) {
    if (!is_armed) read_environment();
    return program(count, words, environment);
}

void* allocate(std::size_t bytes, std::size_t alignment) {
    void* const memory =
        fails("new") ? nullptr : __libc_memalign(alignment, bytes == 0 ? 1 : bytes);
    if (memory != nullptr) return memory;
    if (const std::new_handler handler = std::get_new_handler()) handler();
    throw std::bad_alloc();
}

}  // namespace

extern "C" {

int __libc_start_main(Main* main, int count, char** words, void (*init)(), void (*fini)(),
                      void (*rtld_fini)(), void* stack_end) {
    program = main;
    const auto start = next<int(Main*, int, char**, void (*)(), void (*)(), void (*)(), void*)>(
        "__libc_start_main");
    return start(run_program, count, words, init, fini, rtld_fini, stack_end);
}

void* malloc(std::size_t bytes) {
    return fails("malloc") ? nullptr : __libc_malloc(bytes);
}
void* calloc(std::size_t count, std::size_t bytes) {
    return fails("malloc") ? nullptr : __libc_calloc(count, bytes);
}
void* realloc(void* memory, std::size_t bytes) {
    return fails("malloc") ? nullptr : __libc_realloc(memory, bytes);
}

int open(const char* path, int flags, ...) {
    if (fails("open")) return -1;
    if ((flags & O_TMPFILE) == O_TMPFILE && std::getenv("SVEN_NO_UNNAMED") != nullptr) {
        errno = EOPNOTSUPP;
        return -1;
    }
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return static_cast<int>(::syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}

ssize_t read(int file, void* bytes, std::size_t count) {
    const bool is_odd = fails("read");
    if (is_odd && fault.error != 0) return -1;
    return ::syscall(SYS_read, file, bytes, is_odd && count > 0 ? 1 : count);
}

ssize_t write(int file, const void* bytes, std::size_t count) {
    const bool is_odd = file > STDERR_FILENO && fails("write");
    if (is_odd && fault.error != 0) return -1;
    return ::syscall(SYS_write, file, bytes, is_odd && count > 0 ? 1 : count);
}

int fsync(int file) {
    return fails("fsync") ? -1 : static_cast<int>(::syscall(SYS_fsync, file));
}

// As Linux does, it closes the file even where it says that it failed.
int close(int file) {
    const bool has_failed = fails("close");
    const auto result = static_cast<int>(::syscall(SYS_close, file));
    if (has_failed) errno = fault.error;
    return has_failed ? -1 : result;
}

int rename(const char* from, const char* to) noexcept {
    return fails("rename") ? -1 : static_cast<int>(::syscall(SYS_rename, from, to));
}

int linkat(int from, const char* path, int to, const char* name, int flags) noexcept {
    if (fails("linkat")) return -1;
    return static_cast<int>(::syscall(SYS_linkat, from, path, to, name, flags));
}

int fcntl(int file, int command, ...) {
    if (fails("fcntl")) return -1;
    va_list rest;
    va_start(rest, command);
    void* const argument = va_arg(rest, void*);
    va_end(rest);
    return static_cast<int>(::syscall(SYS_fcntl, file, command, argument));
}

int fstat(int file, struct stat* status) noexcept {
    return fails("fstat") ? -1 : static_cast<int>(::syscall(SYS_fstat, file, status));
}

}  // extern "C"

void* operator new(std::size_t bytes) {
    return allocate(bytes, 16);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return allocate(bytes, static_cast<std::size_t>(alignment));
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming,readability-function-size)
