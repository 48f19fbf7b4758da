#pragma once
// Writing of NumPy's files: an array as .npy, several as .npz.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sven/export.h"
#include "sven/index.hpp"

namespace sven::io {

// What stands before the numbers of an .npy file. `type` is NumPy's, as "<f8".
[[nodiscard]] SVEN_API std::string npy_header(const std::string& type, bool is_column_major,
                                              const std::vector<Index>& shape);

// An .npz file: a zip archive of stored members, the same bytes for the same arrays.
class SVEN_API NpzWriter {
  public:
    // `write` takes the bytes of the file, one piece after the other.
    explicit NpzWriter(std::function<void(std::string_view)> write) : write_(std::move(write)) {}

    // An array by rows. Throws InvalidArgument where the file would be larger than the format
    // allows, 4 GiB.
    void add(const std::string& name, const std::string& type, const std::vector<Index>& shape,
             std::string_view bytes);
    // After the last array.
    void finish();

  private:
    std::function<void(std::string_view)> write_;
    std::string directory_;
    std::size_t offset_ = 0;
    std::size_t members_ = 0;
};

}  // namespace sven::io
