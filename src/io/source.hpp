#pragma once
// The bytes of a file: mapped where it is a regular file, read into memory where it is a pipe,
// unpacked where gzip packed it.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sven::io {

class Source {
  public:
    // "-" is standard input. Throws ParseError naming the path and what the system says.
    explicit Source(const std::string& path);
    // Bytes that came from elsewhere.
    Source(std::string name, std::vector<char> bytes);
    ~Source();
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;

    const std::string& path() const { return path_; }
    const char* begin() const { return data_; }
    const char* end() const { return data_ + size_; }  // a zero byte stands there
    std::size_t size() const { return size_; }
    std::string_view text() const { return {data_, size_}; }

    // The parsers go through the file once, front to back: the system may read ahead.
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
