#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return sven::fuzz::read_as(data, size, {.format = sven::io::Format::npy});
}
