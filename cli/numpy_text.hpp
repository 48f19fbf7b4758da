#pragma once
// Writing of NumPy's files.

#include <string>
#include <string_view>
#include <vector>

#include "cli/sink.hpp"
#include "sven/matrix.hpp"

namespace sven::cli {

std::string npy_header(const std::string& type, bool is_column_major,
                       const std::vector<Index>& shape);

template <class Number>
std::string_view bytes_of(const std::vector<Number>& numbers) {
    return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number)};
}

// A zip archive of stored members, which is what an .npz file is.
class ZipWriter {
  public:
    explicit ZipWriter(Sink& sink) : sink_(sink) {}

    // Throws InvalidArgument if the archive would be larger than the format allows.
    void add(const std::string& name, std::string_view head, std::string_view body);
    void finish();

  private:
    Sink& sink_;
    std::string directory_;
    std::size_t offset_ = 0;
    std::size_t members_ = 0;
};

}  // namespace sven::cli
