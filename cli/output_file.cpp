#include "cli/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "cli/interrupt.hpp"
#include "cli/run.hpp"

namespace sven::cli {

namespace {

// A symbolic link is kept: its target is replaced.
std::string follow_links(const std::string& path) {
    char resolved[PATH_MAX];
    return ::realpath(path.c_str(), resolved) != nullptr ? std::string(resolved) : path;
}

mode_t default_mode() {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return 0666 & ~mask;
}

std::string path_of(int descriptor) {
    return "/proc/self/fd/" + std::to_string(descriptor);
}

}  // namespace

OutputFile::OutputFile(const std::string& path) : path_(path), target_(follow_links(path)) {
    if (path == "-") {
        is_standard_output_ = true;
        is_in_place_ = true;
        path_ = "standard output";
        descriptor_ = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
        if (descriptor_ < 0) fail("written", errno);
        return;
    }
    struct stat status {};
    const bool exists = ::stat(target_.c_str(), &status) == 0;
    if (exists && S_ISDIR(status.st_mode)) fail("written", EISDIR);
    if (exists && !S_ISREG(status.st_mode)) {
        // A device or a pipe must not be renamed over.
        is_in_place_ = true;
        descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
        if (descriptor_ < 0) fail("opened", errno);
        return;
    }
    if (exists && ::access(target_.c_str(), W_OK) != 0) fail("written", errno);
    if (!open_unnamed()) open_beside();
    ::fchmod(descriptor_, exists ? status.st_mode & 07777 : default_mode());
}

OutputFile::~OutputFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (temporary_.empty()) return;
    give_up();
    keep_when_killed(temporary_);
}

// An unnamed file disappears with the process, however that ends.
bool OutputFile::open_unnamed() {
    const std::size_t slash = target_.rfind('/');
    const std::string folder = slash == std::string::npos ? "./" : target_.substr(0, slash + 1);
    descriptor_ = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    if (descriptor_ < 0) return false;
    // Naming it needs /proc, which not every system mounts.
    if (::access(path_of(descriptor_).c_str(), F_OK) != 0) {
        ::close(std::exchange(descriptor_, -1));
        return false;
    }
    is_unnamed_ = true;
    temporary_ =
        folder + ".sven-" + std::to_string(::getpid()) + "-" + std::to_string(descriptor_) + "a";
    return true;
}

void OutputFile::open_beside() {
    std::string name = target_ + ".XXXXXX";
    descriptor_ = ::mkostemp(name.data(), O_CLOEXEC);
    if (descriptor_ < 0) fail("written", errno);
    temporary_ = std::move(name);
    remove_when_killed(temporary_);
}

void OutputFile::write(std::string_view text) {
    constexpr std::size_t step = std::size_t{1} << 20;  // so that signals are handled soon
    while (!text.empty()) {
        if (cancel_token()) throw Interrupted{};
        const ssize_t written = ::write(descriptor_, text.data(), std::min(step, text.size()));
        if (written < 0 && errno == EINTR) continue;
        if (written < 0 && errno == EPIPE && is_standard_output_) return;  // the reader has enough
        if (written < 0) fail("written", errno);
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

void OutputFile::finish() {
    // The name must not refer to a file whose bytes are not on the disk yet.
    if (!is_in_place_ && ::fsync(descriptor_) != 0) fail("written", errno);
    // Some systems report a failed write only on close. An unnamed file must stay open.
    const int twin = is_unnamed_ ? ::fcntl(descriptor_, F_DUPFD_CLOEXEC, 0) : -1;
    if (is_unnamed_ && twin < 0) fail("written", errno);
    if (is_unnamed_) source_ = path_of(twin);
    const int descriptor = std::exchange(descriptor_, twin);
    if (::close(descriptor) != 0) fail("written", errno);
}

int OutputFile::take_temporary_name() noexcept {
    int error = is_unnamed_ ? EEXIST : 0;
    for (char last = 'a'; error == EEXIST && last <= 'z'; ++last) {
        temporary_.back() = last;
        const int failed =
            ::linkat(AT_FDCWD, source_.c_str(), AT_FDCWD, temporary_.c_str(), AT_SYMLINK_FOLLOW);
        error = failed == 0 ? 0 : errno;
    }
    if (error == 0) is_unnamed_ = false;
    return error;
}

int OutputFile::take_place() noexcept {
    if (is_in_place_ || ::rename(temporary_.c_str(), target_.c_str()) == 0) return 0;
    return errno;
}

void OutputFile::give_up() noexcept {
    if (!is_unnamed_ && !is_in_place_) ::unlink(temporary_.c_str());
}

void OutputFile::settle(int error) {
    if (error != 0) fail("written", error);
    keep_when_killed(temporary_);
    temporary_.clear();
}

OutputFile* OutputFiles::open(const std::optional<std::string>& path) {
    if (!path) return nullptr;
    files_.push_back(std::make_unique<OutputFile>(*path));
    return files_.back().get();
}

void OutputFiles::say(const std::string& text) const {
    const bool is_taken = std::any_of(files_.begin(), files_.end(),
                                      [](const auto& file) { return file->is_standard_output(); });
    if (!is_taken) return print(text);
    (void)std::fwrite(text.data(), 1, text.size(), stderr);
}

void OutputFiles::commit(const std::string& text) {
    for (const auto& file : files_) file->finish();
    say(text);
    if (files_.empty()) return;
    if (cancel_token()) throw Interrupted{};
    name();
}

// A child, which shares our memory and is not killed with us, renames the files: whenever this
// process is killed, no temporary name is left and either all files or none are renamed.
void OutputFiles::name() {
    pass_over_signals(true);
    volatile int error = 0;  // both are written by the child
    OutputFile* volatile failed = nullptr;
    const auto for_all = [&](int (OutputFile::*take)()) noexcept {
        for (std::size_t k = 0; k < files_.size() && error == 0; ++k) {
            failed = files_[k].get();
            error = (failed->*take)();
        }
    };
    const auto name_all = [&]() noexcept {
        for_all(&OutputFile::take_temporary_name);  // failures happen here
        for_all(&OutputFile::take_place);
        for (std::size_t k = 0; k < files_.size() && error != 0; ++k) files_[k]->give_up();
    };
    // vfork needs no more time and memory for a large process. On Linux its child may make system
    // calls, and it does nothing else.
    // NOLINTBEGIN(clang-analyzer-security.insecureAPI.vfork,clang-analyzer-unix.Vfork)
    const pid_t child = ::vfork();
    if (child == 0) {
        ::setsid();  // not reached by signals to the process group
        name_all();
        ::_exit(0);
    }
    // NOLINTEND(clang-analyzer-security.insecureAPI.vfork,clang-analyzer-unix.Vfork)
    if (child < 0) name_all();  // no child could be created
    while (child > 0 && ::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
    if (error != 0) {
        pass_over_signals(false);
        failed->settle(error);
    }
    for (const auto& file : files_) file->settle(0);
}

void OutputFile::fail(const std::string& action, int error) const {
    throw OutputError(path_ + ": cannot be " + action + " (" + std::strerror(error) + ")");
}

}  // namespace sven::cli
