#include "cli/sink.hpp"

#include <zlib.h>

#include <new>
#include <vector>

namespace sven::cli {

struct Sink::Packer {
    z_stream stream{};
    std::vector<char> out = std::vector<char>(std::size_t{1} << 18);

    Packer() {
        constexpr int gzip_bits = 15 + 16;
        if (::deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_bits, 8,
                           Z_DEFAULT_STRATEGY) != Z_OK)
            throw std::bad_alloc();
    }
    ~Packer() { ::deflateEnd(&stream); }
    Packer(const Packer&) = delete;
    Packer& operator=(const Packer&) = delete;
};

Sink::Sink(OutputFile& file, bool is_packed)
    : file_(file), packer_(is_packed ? std::make_unique<Packer>() : nullptr) {}

Sink::~Sink() = default;

void Sink::settle() {
    constexpr std::size_t enough = std::size_t{1} << 20;
    if (buffer_.size() >= enough) pass_on(false);
}

void Sink::write(std::string_view bytes) {
    buffer_ += bytes;
    settle();
}

void Sink::finish() {
    pass_on(true);
}

void Sink::pass_on(bool is_last) {
    if (!packer_) {
        file_.write(buffer_);
        buffer_.clear();
        return;
    }
    z_stream& stream = packer_->stream;
    stream.next_in = reinterpret_cast<Bytef*>(buffer_.data());
    stream.avail_in = static_cast<uInt>(buffer_.size());
    do {
        stream.next_out = reinterpret_cast<Bytef*>(packer_->out.data());
        stream.avail_out = static_cast<uInt>(packer_->out.size());
        ::deflate(&stream, is_last ? Z_FINISH : Z_NO_FLUSH);
        file_.write({packer_->out.data(), packer_->out.size() - stream.avail_out});
    } while (stream.avail_out == 0);
    buffer_.clear();
}

}  // namespace sven::cli
