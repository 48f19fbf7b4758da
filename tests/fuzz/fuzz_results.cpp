#include "cli/model_file.hpp"
#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        (void)sven::cli::parse_results("input",
                                       std::string_view(reinterpret_cast<const char*>(data), size));
    } catch (const sven::ParseError&) {
    }
    return 0;
}
