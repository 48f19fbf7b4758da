#include "fuzz/fuzz.hpp"
#include "io/inflate.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::vector<char> bytes = sven::fuzz::bytes_of(data, size);
    const std::string_view packed(bytes.data(), bytes.size());
    try {
        if (sven::io::has_gzip_magic(packed)) (void)sven::io::gunzip("input", packed);
        (void)sven::io::inflate_raw("input", packed, 2 * size);
    } catch (const sven::ParseError&) {
    }
    return 0;
}
