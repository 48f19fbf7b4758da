// A model that is read without complaint is consistent: its features and coefficients fit.
#include "cli/model_file.hpp"
#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        const auto model = sven::cli::parse_model(
            "input", std::string_view(reinterpret_cast<const char*>(data), size));
        for (const sven::Coefficient& coefficient : model.coefficients)
            if (coefficient.feature >= model.feature_count) __builtin_trap();
    } catch (const sven::ParseError&) {
    }
    return 0;
}
