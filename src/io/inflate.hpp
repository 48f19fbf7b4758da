#pragma once
// Decompression by zlib: gzip files, and the members of a zip archive.

#include <string>
#include <string_view>
#include <vector>

namespace sven::io {

bool has_gzip_magic(std::string_view bytes);

// All members of a gzip file. Throws ParseError if it is damaged.
std::vector<char> gunzip(const std::string& path, std::string_view packed);

// A raw deflate stream of `size` uncompressed bytes. Throws ParseError if it is damaged.
std::vector<char> inflate_raw(const std::string& path, std::string_view packed, std::size_t size);

}  // namespace sven::io
