// The first byte chooses the options, the rest is the file.
#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    sven::io::ReadOptions options;
    const unsigned choice = data[0];
    options.format = (choice & 1U) != 0 ? sven::io::Format::tsv : sven::io::Format::csv;
    options.one_hot = (choice & 2U) != 0;
    options.impute_mean = (choice & 4U) != 0;
    options.transpose = (choice & 8U) != 0;
    options.has_response = (choice & 16U) == 0;
    if ((choice & 32U) != 0) options.id_column = "0";
    if ((choice & 64U) != 0) options.comment = '#';
    return sven::fuzz::read_as(data + 1, size - 1, options);
}
