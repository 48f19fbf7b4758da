// The first two bytes choose the options, the rest is the file.
#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    sven::io::ReadOptions options;
    const unsigned choice = data[0];
    options.format = (choice & 1U) != 0 ? sven::io::Format::tsv : sven::io::Format::csv;
    options.one_hot = (choice & 2U) != 0;
    options.impute_mean = (choice & 4U) != 0;
    options.transpose = (choice & 8U) != 0;
    options.has_response = (choice & 16U) == 0;
    if ((choice & 32U) != 0) options.id_column = "0";
    if ((choice & 64U) != 0) options.comment = '#';
    const unsigned more = data[1];
    options.drop_missing = (more & 1U) != 0;
    options.target_may_be_missing = (more & 2U) != 0;
    if ((more & 4U) != 0) options.dates = {"0"};
    if ((more & 8U) != 0) options.decimal = ',';
    if ((more & 16U) != 0) options.thousands = '.';
    if ((more & 32U) != 0) options.fold_column = "1";
    if ((more & 64U) != 0) options.one_hot_drop_first = true;
    if ((more & 128U) != 0) {
        options.target = "2";
        options.target_may_be_text = true;
        options.failures_column = "3";
    }
    return sven::fuzz::read_as(data + 2, size - 2, options);
}
