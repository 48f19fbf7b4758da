#include "io/source.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "sven/error.hpp"

namespace sven::io {

namespace {

struct Descriptor {
    int value;
    ~Descriptor() {
        if (value >= 0) ::close(value);
    }
};

[[noreturn]] void fail(const std::string& path, const std::string& what) {
    throw ParseError(path + ": " + what);
}

std::string system_message() {
    return std::strerror(errno);
}

}  // namespace

Source::Source(const std::string& path) : path_(path) {
    const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    if (file.value < 0) {
        if (errno == ENOENT) fail(path, "no such file");
        fail(path, "cannot be opened (" + system_message() + ")");
    }
    struct stat status {};
    if (::fstat(file.value, &status) != 0) fail(path, "cannot be read (" + system_message() + ")");
    if (S_ISDIR(status.st_mode)) fail(path, "is a folder, not a file");
    if (S_ISREG(status.st_mode)) {
        map(file.value, static_cast<std::size_t>(status.st_size));
    } else {
        slurp(file.value);
    }
}

Source::~Source() {
    if (mapping_ != nullptr) ::munmap(mapping_, size_);
}

void Source::expect_one_sequential_pass() const {
    if (mapping_ != nullptr) ::madvise(mapping_, size_, MADV_SEQUENTIAL);
}

void Source::map(int descriptor, std::size_t size) {
    if (size == 0) return;  // a mapping of length zero is an error to the system
    void* const address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (address == MAP_FAILED) fail(path_, "cannot be mapped (" + system_message() + ")");
    mapping_ = address;
    data_ = static_cast<const char*>(address);
    size_ = size;
}

void Source::slurp(int descriptor) {
    constexpr std::size_t step = std::size_t{1} << 20;
    for (;;) {
        buffer_.resize(size_ + step);
        const ssize_t got = ::read(descriptor, buffer_.data() + size_, step);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) fail(path_, "cannot be read (" + system_message() + ")");
        if (got == 0) break;
        size_ += static_cast<std::size_t>(got);
    }
    data_ = buffer_.data();
}

}  // namespace sven::io
