#pragma once
// The members of a zip archive, stored or deflated, as needed for NumPy's .npz.

#include <map>
#include <memory>
#include <string>

#include "io/source.hpp"

namespace sven::io {

bool has_zip_magic(const Source& source);

class ZipArchive {
  public:
    // Throws ParseError if the directory is damaged. The source must outlive the archive.
    explicit ZipArchive(const Source& source);

    bool has(const std::string& name) const { return members_.contains(name); }

    // Throws ParseError if there is none, or it is damaged.
    std::unique_ptr<Source> open(const std::string& name) const;

  private:
    struct Member {
        std::size_t offset = 0;  // of its local header
        std::size_t packed = 0;
        std::size_t size = 0;
        unsigned method = 0;
        unsigned long checksum = 0;
    };

    std::size_t number(std::size_t at, std::size_t width) const;
    std::size_t find_directory() const;
    // Reads one entry of the directory; returns the start of the next.
    std::size_t read_entry(std::size_t at);
    void read_large_sizes(std::size_t at, std::size_t end, Member& member) const;
    [[noreturn]] void damaged() const;

    const Source& source_;
    std::map<std::string, Member> members_;
};

}  // namespace sven::io
