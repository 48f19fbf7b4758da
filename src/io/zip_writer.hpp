#pragma once
// A zip archive of stored members in memory, as NumPy's .npz is.

#include <string>
#include <string_view>
#include <vector>

#include "sven/index.hpp"

namespace sven::io {

class ZipWriter {
  public:
    // A member of NumPy's: "name.npy", an array by rows. Throws InvalidArgument if the archive
    // would be larger than the format allows.
    void add_array(const std::string& name, const std::string& type,
                   const std::vector<Index>& shape, std::string_view bytes);
    // The whole archive; nothing can be added after that.
    std::string finish();

  private:
    std::string archive_;
    std::string directory_;
    std::size_t members_ = 0;
};

}  // namespace sven::io
