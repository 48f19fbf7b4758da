#include "cli/numpy_text.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include "sven/error.hpp"

namespace sven::cli {

namespace {

std::string little_endian(std::size_t value, std::size_t width) {
    std::string bytes;
    for (std::size_t k = 0; k < width; ++k, value >>= 8U) bytes += static_cast<char>(value & 0xff);
    return bytes;
}

unsigned long checksum(unsigned long so_far, std::string_view bytes) {
    return ::crc32_z(so_far, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
}

}  // namespace

std::string npy_header(const std::string& type, bool is_column_major,
                       const std::vector<Index>& shape) {
    std::string sizes;
    for (const Index size : shape) sizes += fmt::format("{}, ", size);
    std::string text = fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': ({}), }}", type,
                                   is_column_major ? "True" : "False", sizes);
    constexpr std::size_t before = 10;  // bytes
    constexpr std::size_t alignment = 64;
    while ((before + text.size() + 1) % alignment != 0) text += ' ';
    text += '\n';
    return std::string("\x93NUMPY\x01", 7) + '\0' + little_endian(text.size(), 2) + text;
}

void ZipWriter::add(const std::string& name, std::string_view head, std::string_view body) {
    const std::size_t size = head.size() + body.size();
    constexpr std::size_t largest = 0xfffffffe;
    if (offset_ + size > largest)
        throw InvalidArgument("the matrix is too large for an .npz file without extensions");
    // Needed version 2.0, no flags, stored, the date 1980-01-01: the same bytes for the same data.
    const std::string common = little_endian(20, 2) + little_endian(0, 6) + little_endian(0x21, 2) +
                               little_endian(checksum(checksum(0, head), body), 4) +
                               little_endian(size, 4) + little_endian(size, 4) +
                               little_endian(name.size(), 2) + little_endian(0, 2);
    sink_.write("PK\x03\x04" + common + name);
    sink_.write(head);
    sink_.write(body);
    directory_ += "PK\x01\x02" + little_endian(20, 2) + common + little_endian(0, 10) +
                  little_endian(offset_, 4) + name;
    constexpr std::size_t local_header = 30;
    offset_ += local_header + name.size() + size;
    ++members_;
}

void ZipWriter::finish() {
    sink_.write(directory_);
    sink_.write("PK\x05\x06" + little_endian(0, 4) + little_endian(members_, 2) +
                little_endian(members_, 2) + little_endian(directory_.size(), 4) +
                little_endian(offset_, 4) + little_endian(0, 2));
}

}  // namespace sven::cli
