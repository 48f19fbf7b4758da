#pragma once
// What the targets share: bytes become a Source, a ParseError is a good answer, anything else that
// is thrown is a bug.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "io/read.hpp"
#include "io/source.hpp"
#include "sven/error.hpp"

namespace sven::fuzz {

inline std::vector<char> bytes_of(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), reinterpret_cast<const char*>(data) + size};
}

// Reads as the format says, on one thread: the same input always takes the same way.
inline int read_as(const std::uint8_t* data, std::size_t size, io::ReadOptions options) {
    options.threads = 1;
    try {
        const auto source = std::make_shared<const io::Source>("input", bytes_of(data, size));
        const io::Dataset table = io::read(source, options);
        if (rows(table.X) < 1) __builtin_trap();
        if (!table.feature_names.empty() &&
            static_cast<Index>(table.feature_names.size()) != cols(table.X))
            __builtin_trap();
    } catch (const ParseError&) {
    }
    return 0;
}

}  // namespace sven::fuzz
