// Statistics that are read without complaint can be merged, and are written as they are.
#include "fuzz/fuzz.hpp"
#include "sven/statistics_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        const sven::Statistics read =
            sven::io::decode_statistics("input", sven::fuzz::bytes_of(data, size));
        if ((read + read).rows() != 2 * read.rows()) __builtin_trap();
        if (sven::io::encode(read).empty()) __builtin_trap();
    } catch (const sven::ParseError&) {
    }
    return 0;
}
