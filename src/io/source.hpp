#pragma once
// The bytes of a file: mapped where it is a regular file, read into memory where it is a pipe.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sven::io {

class Source {
  public:
    // Throws ParseError naming the path and what the system says.
    explicit Source(const std::string& path);
    ~Source();
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;

    const std::string& path() const { return path_; }
    const char* begin() const { return data_; }
    const char* end() const { return data_ + size_; }
    std::size_t size() const { return size_; }
    std::string_view text() const { return {data_, size_}; }

    // The parsers go through the file once, front to back: the system may read ahead.
    void expect_one_sequential_pass() const;

  private:
    void map(int descriptor, std::size_t size);
    void slurp(int descriptor);

    std::string path_;
    const char* data_ = "";
    std::size_t size_ = 0;
    void* mapping_ = nullptr;
    std::vector<char> buffer_;
};

}  // namespace sven::io
