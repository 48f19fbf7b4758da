#pragma once
// A file that comes into being whole or not at all: written without a name, or, where the system
// has no such files, under another name in the same folder, and named at the end. What was there
// before survives every failure.

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
    // work begins. Throws OutputError, as do write, finish and settle.
    explicit OutputFile(const std::string& path);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    // Throws Interrupted where a signal came meanwhile.
    void write(std::string_view text);
    // All bytes are where they belong, and no name has changed yet.
    void finish();
    // The way to the name, 0 or the system's error each: a temporary name, then the right one; or
    // back to none. They make system calls and nothing else, so that a child of vfork may use them.
    int take_temporary_name() noexcept;
    int take_place() noexcept;
    void give_up() noexcept;
    // What that came to, whoever did it.
    void settle(int error);

  private:
    bool open_unnamed();
    void open_beside();
    [[noreturn]] void fail(const std::string& action, int error) const;

    std::string path_;       // as the user wrote it
    std::string target_;     // with links followed
    std::string temporary_;  // the name until the end, or the one that an unnamed file will have
    std::string source_;     // the unnamed file, as /proc shows it
    bool is_unnamed_ = false;
    bool is_in_place_ = false;  // a device or a pipe, which has its name already
    int descriptor_ = -1;
};

// The files of one run: all written before the first of them takes its place.
class OutputFiles {
  public:
    // nullptr where no path was given.
    OutputFile* open(const std::optional<std::string>& path);
    bool empty() const { return files_.empty(); }
    // Prints the text, and then gives the files their names: nothing can fail after that. Throws
    // Interrupted where a signal came before; one that comes later is too late.
    void commit(const std::string& text);

  private:
    void name();

    std::vector<std::unique_ptr<OutputFile>> files_;
};

}  // namespace sven::cli
