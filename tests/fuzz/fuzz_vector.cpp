// One number a line, a table of one column, or .npy.
#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const sven::io::Source source("input", sven::fuzz::bytes_of(data, size));
    try {
        (void)sven::io::read_vector(
            source, {.nonnegative = size % 2 == 0, .comment = size % 3 == 0 ? '#' : '\0'});
    } catch (const sven::ParseError&) {
    }
    return 0;
}
