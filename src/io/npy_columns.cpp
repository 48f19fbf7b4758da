#include "io/npy_columns.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "io/fault.hpp"
#include "io/tuning.hpp"

namespace sven::io {

NpyColumns::NpyColumns(std::string path, std::size_t offset, const DenseView& view,
                       Index most_bytes)
    : path_(std::move(path)),
      offset_(static_cast<Index>(offset)),
      view_(view),
      file_(::open(path_.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (file_ < 0)
        raise(path_, {0, 0, std::string("cannot be opened (") + std::strerror(errno) + ")"});
    const Index column = view_.rows * static_cast<Index>(sizeof(double));
    const Index bytes = std::min(read_block_bytes, most_bytes / fewest_blocks);
    block_ = std::clamp(bytes / column, Index{1}, view_.cols);
    kept_ = std::clamp((most_bytes - 2 * block_ * column) / column, Index{0}, view_.cols);
    ::posix_fadvise(file_, 0, 0, POSIX_FADV_SEQUENTIAL);
}

NpyColumns::~NpyColumns() {
    ::close(file_);
}

void NpyColumns::read(Rows rows, std::span<const Index> columns, double* out, Index stride) const {
    const Index length = rows.end - rows.begin;
    const bool is_whole = length == view_.rows && stride == length;
    const auto count = static_cast<Index>(columns.size());
    for (Index c = 0, run = 1; c < count; c += run) {
        for (run = 1; is_whole && c + run < count && columns[c + run] == columns[c] + run;) ++run;
        const Index first = columns[c] * view_.rows + rows.begin;
        // the system fetches what follows while this is copied
        if (run == block_)
            ::posix_fadvise(file_, offset_ + (first + run * view_.rows) * entry_bytes(),
                            run * length * entry_bytes(), POSIX_FADV_WILLNEED);
        read_numbers(first, run * length, out + c * stride);
    }
}

void NpyColumns::read_numbers(Index first, Index count, double* out) const {
    const Index begin = offset_ + first * entry_bytes();
    if (view_.scalar == Scalar::float64)
        return read_bytes(begin, count * entry_bytes(), reinterpret_cast<char*>(out));
    if (view_.scalar == Scalar::int8) return read_converted<std::int8_t>(begin, count, out);
    read_converted<float>(begin, count, out);
}

template <class T>
void NpyColumns::read_converted(Index begin, Index count, double* out) const {
    std::vector<T> numbers(static_cast<std::size_t>(count));
    read_bytes(begin, count * entry_bytes(), reinterpret_cast<char*>(numbers.data()));
    std::copy(numbers.begin(), numbers.end(), out);
}

void NpyColumns::read_bytes(Index begin, Index count, char* out) const {
    while (count > 0) {
        const ssize_t got = ::pread(file_, out, static_cast<std::size_t>(count), begin);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0)
            raise(path_, {0, 0, std::string("cannot be read (") + std::strerror(errno) + ")"});
        if (got == 0) raise(path_, {0, 0, "the file has become shorter while it was read"});
        begin += got;
        out += got;
        count -= got;
    }
}

}  // namespace sven::io
