// Which reader a file goes to.
#include <algorithm>
#include <cctype>
#include <filesystem>

#include "io/csv.hpp"
#include "io/csv_columns.hpp"
#include "io/fault.hpp"
#include "io/npy.hpp"
#include "io/number.hpp"
#include "io/svmlight.hpp"
#include "sven/error.hpp"
#include "sven/io.hpp"

namespace sven::io {

namespace {

Format format_by_ending(const std::string& path) {
    std::string ending = std::filesystem::path(path).extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (ending == ".csv") return Format::csv;
    if (ending == ".tsv" || ending == ".tab") return Format::tsv;
    if (ending == ".svm" || ending == ".libsvm" || ending == ".svmlight") return Format::svmlight;
    if (ending == ".npy") return Format::npy;
    return Format::automatic;
}

// "1 3:0.5 7:2": a number, then a field with a colon.
bool looks_like_svmlight(const Source& source) {
    const char* const end = next_line(source.begin(), source.end());
    const std::string_view line(source.begin(), static_cast<std::size_t>(end - source.begin()));
    const std::size_t label_end = line.find_first_of(" \t");
    double label = 0;
    return label_end != std::string_view::npos && parse_number(line.substr(0, label_end), label) &&
           line.find(':', label_end) != std::string_view::npos;
}

Format format_by_content(const Source& source) {
    if (has_npy_magic(source)) return Format::npy;
    return looks_like_svmlight(source) ? Format::svmlight : Format::csv;
}

void refuse_named_columns(const std::string& path, const ReadOptions& options, const char* format) {
    const char* what = nullptr;
    if (options.fold_column) what = "folds";
    if (options.weights_column) what = "weights";
    if (options.target) what = "a target";
    if (what != nullptr) {
        raise(path, {0, 0,
                     std::string("the columns of ") + format + " have no names to choose " + what +
                         " by"});
    }
}

}  // namespace

std::string feature_name(const Dataset& data, Index feature) {
    if (!data.feature_names.empty()) return data.feature_names[static_cast<std::size_t>(feature)];
    std::string name = "x";
    name += std::to_string(feature + data.first_feature_number);
    return name;
}

Dataset read(const std::string& path, const ReadOptions& options) {
    const auto source = std::make_shared<const Source>(path);
    Format format = options.format;
    if (format == Format::automatic) format = format_by_ending(path);
    if (format == Format::automatic) format = format_by_content(*source);
    switch (format) {
        case Format::npy:
            refuse_named_columns(path, options, "a .npy file");
            return read_npy(source);
        case Format::svmlight:
            refuse_named_columns(path, options, "an svmlight file");
            return read_svmlight(*source, options);
        case Format::tsv:
            return read_csv(*source, options, '\t');
        default:
            return read_csv(*source, options, guess_delimiter(*source));
    }
}

}  // namespace sven::io
