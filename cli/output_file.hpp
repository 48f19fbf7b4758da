#pragma once
// A file that comes into being whole or not at all: written under another name in the same folder
// and renamed at the end. What was there before survives every failure.

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sven::cli {

struct OutputError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class OutputFile {
  public:
    // Opens the temporary file, so that a folder that cannot be written to is known before the
    // work begins. Throws OutputError, as do write and commit.
    explicit OutputFile(const std::string& path);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    // Throws Interrupted where a signal came meanwhile.
    void write(std::string_view text);
    void commit();

  private:
    void open_beside();
    [[noreturn]] void fail(const std::string& action) const;

    std::string path_;       // as the user wrote it
    std::string target_;     // with links followed
    std::string temporary_;  // empty: written in place, to a device or a pipe
    int descriptor_ = -1;
};

// The files of one run: all written before the first of them takes its place.
class OutputFiles {
  public:
    // nullptr where no path was given.
    OutputFile* open(const std::optional<std::string>& path);
    bool empty() const { return files_.empty(); }
    void commit();

  private:
    std::vector<std::unique_ptr<OutputFile>> files_;
};

}  // namespace sven::cli
