#include "io/inflate.hpp"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

#include "io/fault.hpp"
#include "io/tuning.hpp"

namespace sven::io {

namespace {

// zlib's window bits: 15, and the kind of header to expect.
constexpr int gzip_bits = 15 + 16;
constexpr int raw_bits = -15;

// Deflate compresses at most 1032 to 1; a larger claim is false.
constexpr std::size_t largest_ratio = 1032;

class Inflater {
  public:
    Inflater(const std::string& path, std::string_view packed, int bits) : path_(path) {
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
        left_ = packed.size();
        const int state = ::inflateInit2(&stream_, bits);
        if (state == Z_MEM_ERROR) throw std::bad_alloc();
        if (state != Z_OK) damaged();
    }
    ~Inflater() { ::inflateEnd(&stream_); }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    // Unpacks up to the end of one member, appending to `out`.
    void run(std::vector<char>& out) {
        const std::size_t step =
            std::clamp(expected_ratio * left_, smallest_inflation, largest_inflation);
        for (int state = Z_OK; state != Z_STREAM_END;) {
            const std::size_t filled = out.size();
            out.resize(filled + step);
            const std::size_t given = std::min<std::size_t>(left_, 1U << 30U);
            stream_.avail_in = static_cast<uInt>(given);
            stream_.next_out = reinterpret_cast<Bytef*>(out.data() + filled);
            stream_.avail_out = static_cast<uInt>(step);
            state = ::inflate(&stream_, Z_NO_FLUSH);
            left_ -= given - stream_.avail_in;
            const std::size_t got = step - stream_.avail_out;
            out.resize(filled + got);
            if (state == Z_BUF_ERROR || (state == Z_OK && got == 0 && left_ == 0))
                raise(path_, {0, 0, "the packed file ends too soon"});
            if (state == Z_MEM_ERROR) throw std::bad_alloc();
            if (state != Z_OK && state != Z_STREAM_END) damaged();
        }
    }

    // Whether another member follows; zero padding is ignored.
    bool next_member() {
        while (left_ > 0 && *stream_.next_in == 0) {
            ++stream_.next_in;
            --left_;
        }
        if (left_ == 0) return false;
        return ::inflateReset(&stream_) == Z_OK;
    }

  private:
    [[noreturn]] void damaged() const { raise(path_, {0, 0, "the packed file is damaged"}); }

    const std::string& path_;
    z_stream stream_{};
    std::size_t left_ = 0;
};

}  // namespace

bool has_gzip_magic(std::string_view bytes) {
    return bytes.substr(0, 2) == "\x1f\x8b";
}

std::vector<char> gunzip(const std::string& path, std::string_view packed) {
    Inflater inflater(path, packed, gzip_bits);
    std::vector<char> out;
    do {
        inflater.run(out);
    } while (inflater.next_member());
    return out;
}

std::vector<char> inflate_raw(const std::string& path, std::string_view packed, std::size_t size) {
    std::vector<char> out;
    const bool is_possible = size / largest_ratio <= packed.size();
    if (is_possible) Inflater(path, packed, raw_bits).run(out);
    if (out.size() != size) raise(path, {0, 0, "a member of the archive is damaged"});
    return out;
}

}  // namespace sven::io
