#pragma once
// The destination of a table: bytes are buffered, compressed if the name ends in .gz, and written
// to the file.

#include <memory>
#include <string>
#include <string_view>

#include "cli/output_file.hpp"

namespace sven::cli {

class Sink {
  public:
    Sink(OutputFile& file, bool is_packed);
    ~Sink();
    Sink(const Sink&) = delete;
    Sink& operator=(const Sink&) = delete;

    // Text may be appended here directly; call `settle` now and then.
    std::string& buffer() { return buffer_; }
    void settle();
    void write(std::string_view bytes);
    // To be called at the end.
    void finish();

  private:
    struct Packer;
    void pass_on(bool is_last);

    OutputFile& file_;
    std::string buffer_;
    std::unique_ptr<Packer> packer_;
};

}  // namespace sven::cli
