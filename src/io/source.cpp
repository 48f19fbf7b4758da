#include "io/source.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "io/inflate.hpp"
#include "io/tuning.hpp"
#include "sven/error.hpp"

namespace sven::io {

namespace {

struct Descriptor {
    int value;
    ~Descriptor() {
        if (value > STDIN_FILENO) ::close(value);
    }
};

[[noreturn]] void fail(const std::string& path, const std::string& what) {
    throw ParseError(path + ": " + what);
}

std::string system_message() {
    return std::strerror(errno);
}

}  // namespace

Source::Source(const std::string& path) : path_(path == "-" ? "standard input" : path) {
    const Descriptor file{path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    if (file.value < 0) {
        if (errno == ENOENT) fail(path_, "no such file");
        fail(path_, "cannot be opened (" + system_message() + ")");
    }
    struct stat status {};
    if (::fstat(file.value, &status) != 0) fail(path_, "cannot be read (" + system_message() + ")");
    if (S_ISDIR(status.st_mode)) fail(path_, "is a folder, not a file");
    if (S_ISREG(status.st_mode)) {
        map(file.value, static_cast<std::size_t>(status.st_size));
    } else {
        slurp(file.value);
    }
    if (has_gzip_magic(text())) {
        std::vector<char> bytes = gunzip(path_, text());
        unmap();
        take(std::move(bytes));
    }
}

Source::Source(std::string name, std::vector<char> bytes) : path_(std::move(name)) {
    take(std::move(bytes));
}

Source::~Source() {
    unmap();
}

void Source::expect_one_sequential_pass() const {
    if (mapping_ != nullptr) ::madvise(mapping_, size_, MADV_SEQUENTIAL);
}

// The file is mapped over the start of a zero-filled region that is one page longer, so that the
// byte after its end is always readable.
void Source::map(int descriptor, std::size_t size) {
    if (size == 0) return;  // a mapping of length zero is an error
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t whole = (size / page + 2) * page;
    void* const region =
        ::mmap(nullptr, whole, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (region == MAP_FAILED) fail(path_, "cannot be mapped (" + system_message() + ")");
    mapping_ = region;
    mapping_size_ = whole;
    void* const address = ::mmap(region, size, PROT_READ, MAP_PRIVATE | MAP_FIXED, descriptor, 0);
    if (address == MAP_FAILED) {
        const std::string reason = system_message();
        unmap();
        fail(path_, "cannot be mapped (" + reason + ")");
    }
    data_ = static_cast<const char*>(address);
    size_ = size;
}

void Source::unmap() {
    if (mapping_ != nullptr) ::munmap(mapping_, mapping_size_);
    mapping_ = nullptr;
}

void Source::slurp(int descriptor) {
    constexpr std::size_t step = pipe_step;
    std::vector<char> bytes;
    for (std::size_t size = 0;;) {
        bytes.resize(size + step);
        const ssize_t got = ::read(descriptor, bytes.data() + size, step);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) fail(path_, "cannot be read (" + system_message() + ")");
        size += static_cast<std::size_t>(got);
        bytes.resize(size);
        if (got == 0) break;
    }
    take(std::move(bytes));
}

void Source::take(std::vector<char> bytes) {
    buffer_ = std::move(bytes);
    size_ = buffer_.size();
    buffer_.push_back('\0');
    data_ = buffer_.data();
}

}  // namespace sven::io
