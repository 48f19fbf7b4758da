#include "sven/numpy_file.hpp"

#include <zlib.h>

#include "sven/error.hpp"

namespace sven::io {
namespace {

std::string little_endian(std::size_t value, std::size_t width) {
    std::string bytes;
    for (std::size_t k = 0; k < width; ++k, value >>= 8U) bytes += static_cast<char>(value & 0xff);
    return bytes;
}

unsigned long checksum(unsigned long so_far, std::string_view bytes) {
    if (bytes.empty()) return so_far;  // zlib begins anew where there is no memory
    return ::crc32_z(so_far, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
}

}  // namespace

std::string npy_header(const std::string& type, bool is_column_major,
                       const std::vector<Index>& shape) {
    std::string text = "{'descr': '" + type + "', 'fortran_order': ";
    text += is_column_major ? "True" : "False";
    text += ", 'shape': (";
    for (const Index size : shape) text += std::to_string(size) + ", ";
    text += "), }";
    constexpr std::size_t before = 10;  // bytes
    constexpr std::size_t alignment = 64;
    while ((before + text.size() + 1) % alignment != 0) text += ' ';
    text += '\n';
    return std::string("\x93NUMPY\x01", 7) + '\0' + little_endian(text.size(), 2) + text;
}

void NpzWriter::add(const std::string& array, const std::string& type,
                    const std::vector<Index>& shape, std::string_view bytes) {
    const std::string name = array + ".npy";
    const std::string head = npy_header(type, false, shape);
    const std::size_t size = head.size() + bytes.size();
    constexpr std::size_t largest = 0xfffffffe;
    if (offset_ + size > largest)
        throw InvalidArgument("the arrays are too large for an .npz file: more than 4 GiB");
    // Needed version 2.0, no flags, stored, the date 1980-01-01: the same bytes for the same data.
    const std::string common = little_endian(20, 2) + little_endian(0, 6) + little_endian(0x21, 2) +
                               little_endian(checksum(checksum(0, head), bytes), 4) +
                               little_endian(size, 4) + little_endian(size, 4) +
                               little_endian(name.size(), 2) + little_endian(0, 2);
    write_("PK\x03\x04" + common + name);
    write_(head);
    write_(bytes);
    directory_ += "PK\x01\x02" + little_endian(20, 2) + common + little_endian(0, 10) +
                  little_endian(offset_, 4) + name;
    constexpr std::size_t local_header = 30;
    offset_ += local_header + name.size() + size;
    ++members_;
}

void NpzWriter::finish() {
    write_(directory_);
    write_("PK\x05\x06" + little_endian(0, 4) + little_endian(members_, 2) +
           little_endian(members_, 2) + little_endian(directory_.size(), 4) +
           little_endian(offset_, 4) + little_endian(0, 2));
}

}  // namespace sven::io
