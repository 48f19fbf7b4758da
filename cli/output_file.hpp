#pragma once
// A file that is written completely or not at all: it is written as an unnamed file or, if the
// system has none, under a temporary name in the same folder, and renamed at the end. An existing
// file survives every failure.

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
    // Opens the temporary file, so that a folder without write access is reported before the work
    // begins. Throws OutputError, as do write, finish and settle.
    // "-" is standard output.
    explicit OutputFile(const std::string& path);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    // Throws Interrupted after a signal.
    void write(std::string_view text);
    bool is_standard_output() const { return is_standard_output_; }
    // Writes all bytes to the disk; no name has changed yet.
    void finish();
    // The steps of renaming; each returns 0 or the system's error: to a temporary name, then to the
    // final one, or back to none. They only make system calls, so that a child of vfork may use
    // them.
    int take_temporary_name() noexcept;
    int take_place() noexcept;
    void give_up() noexcept;
    // The result of renaming, in this process or in a child.
    void settle(int error);

  private:
    bool open_unnamed();
    void open_beside();
    [[noreturn]] void fail(const std::string& action, int error) const;

    std::string path_;       // as the user wrote it
    std::string target_;     // with symbolic links resolved
    std::string temporary_;  // the name until the end, or the one that an unnamed file will have
    std::string source_;     // the unnamed file, as /proc shows it
    bool is_unnamed_ = false;
    bool is_in_place_ = false;  // a device or a pipe, which is not renamed
    bool is_standard_output_ = false;
    int descriptor_ = -1;
};

// The files of one run: all are written before the first one is renamed.
class OutputFiles {
  public:
    // nullptr if no path was given.
    OutputFile* open(const std::optional<std::string>& path);
    bool empty() const { return files_.empty(); }
    // Prints the answer of a command: on stderr if a file of it is standard output.
    void say(const std::string& text) const;
    // Prints the text, then renames the files: nothing can fail after that. Throws Interrupted
    // after an earlier signal; later ones are ignored.
    void commit(const std::string& text);

  private:
    void name();

    std::vector<std::unique_ptr<OutputFile>> files_;
};

}  // namespace sven::cli
