#pragma once
// The bytes of a file: a regular file is mapped, a pipe is read into memory, a gzip file is
// decompressed.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sven::io {

class Source {
  public:
    // "-" is standard input. Throws ParseError with the path and the system's message.
    explicit Source(const std::string& path);
    // Bytes from another place.
    Source(std::string name, std::vector<char> bytes);
    ~Source();
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;

    const std::string& path() const { return path_; }
    const char* begin() const { return data_; }
    const char* end() const { return data_ + size_; }  // followed by a zero byte
    std::size_t size() const { return size_; }
    std::string_view text() const { return {data_, size_}; }

    // Parsers read the file once, sequentially: the system may read ahead.
    void expect_one_sequential_pass() const;

  private:
    void map(int descriptor, std::size_t size);
    void slurp(int descriptor);
    void take(std::vector<char> bytes);
    void unmap();

    std::string path_;
    const char* data_ = "";
    std::size_t size_ = 0;
    void* mapping_ = nullptr;
    std::size_t mapping_size_ = 0;
    std::vector<char> buffer_;
};

}  // namespace sven::io
