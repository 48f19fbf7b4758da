#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "io/hdf5.hpp"

namespace sven::io {

namespace {

constexpr std::array<std::string_view, 4> endings = {".h5", ".hdf5", ".h5ad", ".mat"};

bool ends_as_hdf5(std::string_view path) {
    std::string name(path);
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return std::any_of(endings.begin(), endings.end(),
                       [&](std::string_view ending) { return name.ends_with(ending); });
}

}  // namespace

bool has_hdf5_magic(const Source& source) {
    return source.text().starts_with("\x89HDF\r\n\x1a\n");
}

std::optional<Hdf5Place> hdf5_place(const std::string& path) {
    for (std::size_t colon = path.find(':'); colon != std::string::npos;
         colon = path.find(':', colon + 1))
        if (ends_as_hdf5(std::string_view(path).substr(0, colon)))
            return Hdf5Place{path.substr(0, colon), path.substr(colon + 1)};
    if (ends_as_hdf5(path)) return Hdf5Place{path, {}};
    return std::nullopt;
}

}  // namespace sven::io
