#include "cli/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "cli/interrupt.hpp"

namespace sven::cli {

namespace {

// A link stays a link: what it points to is replaced.
std::string follow_links(const std::string& path) {
    char resolved[PATH_MAX];
    return ::realpath(path.c_str(), resolved) != nullptr ? std::string(resolved) : path;
}

mode_t default_mode() {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return 0666 & ~mask;
}

}  // namespace

OutputFile::OutputFile(const std::string& path) : path_(path), target_(follow_links(path)) {
    struct stat status {};
    const bool exists = ::stat(target_.c_str(), &status) == 0;
    if (exists && S_ISDIR(status.st_mode)) {
        throw OutputError(path_ + ": cannot be written (Is a directory)");
    }
    if (exists && !S_ISREG(status.st_mode)) {
        // A device or a pipe must not be renamed over.
        descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
        if (descriptor_ < 0) fail("opened");
        return;
    }
    if (exists && ::access(target_.c_str(), W_OK) != 0) fail("written");
    open_beside();
    ::fchmod(descriptor_, exists ? status.st_mode & 07777 : default_mode());
}

OutputFile::~OutputFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!temporary_.empty()) {
        ::unlink(temporary_.c_str());
        keep_when_killed(temporary_);
    }
}

void OutputFile::open_beside() {
    std::string name = target_ + ".XXXXXX";
    descriptor_ = ::mkostemp(name.data(), O_CLOEXEC);
    if (descriptor_ < 0) fail("written");
    temporary_ = name;
    remove_when_killed(temporary_);
}

void OutputFile::write(std::string_view text) {
    constexpr std::size_t step = std::size_t{1} << 20;  // so that a signal is soon seen
    while (!text.empty()) {
        if (cancel_token()) throw Interrupted{};
        const ssize_t written = ::write(descriptor_, text.data(), std::min(step, text.size()));
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail("written");
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

void OutputFile::commit() {
    // The name must not come to stand for a file whose bytes are not there yet.
    if (!temporary_.empty() && ::fsync(descriptor_) != 0) fail("written");
    const int descriptor = std::exchange(descriptor_, -1);
    if (::close(descriptor) != 0) fail("written");
    if (temporary_.empty()) return;
    if (cancel_token()) throw Interrupted{};
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("written");
    keep_when_killed(temporary_);
    temporary_.clear();
}

OutputFile* OutputFiles::open(const std::optional<std::string>& path) {
    if (!path) return nullptr;
    files_.push_back(std::make_unique<OutputFile>(*path));
    return files_.back().get();
}

void OutputFiles::commit() {
    for (const auto& file : files_) file->commit();
}

void OutputFile::fail(const std::string& action) const {
    throw OutputError(path_ + ": cannot be " + action + " (" + std::strerror(errno) + ")");
}

}  // namespace sven::cli
