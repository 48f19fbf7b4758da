#include "cli/advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

namespace sven::cli {

namespace {

// What is quoted after "FILE:LINE:COLUMN: ".
std::string quoted_field(const std::string& message, const std::string& path) {
    const std::size_t begin = message.find('"', std::min(path.size(), message.size()));
    if (begin == std::string::npos) return {};
    return message.substr(begin + 1, message.find('"', begin + 1) - begin - 1);
}

struct Marks {
    char decimal = '.';
    char thousands = 0;  // 0: none
};

// One mark alone, between digits: it repeats only between thousands.
Marks marks_of_one(const std::string& field, char mark) {
    const bool repeats = std::count(field.begin(), field.end(), mark) > 1;
    const bool is_decimal = mark == ',' && !repeats;
    if (is_decimal) return {',', 0};
    return {mark == '.' ? ',' : '.', mark};
}

// Of two marks the last is that of the decimals.
Marks marks_of(const std::string& field) {
    const std::size_t last = field.find_last_of(".,");
    const std::size_t other = field.find_first_of(".,' _\xC2\xE2");
    if (other == std::string::npos) return {};
    if (last == std::string::npos) return {'.', field[other] == '\'' ? '\'' : ' '};
    const char decimal = field[last];
    const char thousands = field[other];
    if (thousands == decimal) return marks_of_one(field, decimal);
    return {decimal, std::string(",.'_").find(thousands) != std::string::npos ? thousands : ' '};
}

// A name as a word of a command.
std::string for_shell(const std::string& name) {
    const bool is_plain = std::all_of(name.begin(), name.end(), [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '-' || c >= 0x80;
    });
    return is_plain ? name : fmt::format("\"{}\"", name);
}

std::string in_shell(char mark) {
    return mark == ' ' || mark == '\'' ? fmt::format("\"{}\"", mark) : std::string(1, mark);
}

// A comma before three digits may be either mark.
bool is_ambiguous(const std::string& field) {
    const std::size_t comma = field.find_first_of(".,' \xC2\xE2");
    return comma != std::string::npos && field[comma] == ',' && field.size() == comma + 4;
}

std::string advice_on_marks(const std::string& field, const io::ReadOptions& options) {
    const bool is_given = options.decimal != '.' || options.thousands != 0;
    if (!is_given && is_ambiguous(field))
        return "; --decimal , or --thousands , tells how numbers are written";
    const Marks marks = marks_of(field);
    std::vector<std::string> needed;
    if (marks.decimal != options.decimal) needed.push_back("--decimal " + in_shell(marks.decimal));
    if (marks.thousands != 0 && marks.thousands != options.thousands)
        needed.push_back("--thousands " + in_shell(marks.thousands));
    if (needed.empty()) return {};
    return fmt::format("; {} {} how numbers are written", fmt::join(needed, " "),
                       needed.size() == 1 ? "tells" : "tell");
}

}  // namespace

std::string advice_on(const ParseError& error, const std::string& path,
                      const io::ReadOptions& options) {
    const bool is_new_data = options.encoding != nullptr;
    if (dynamic_cast<const io::LocalNumber*>(&error) != nullptr)
        return advice_on_marks(quoted_field(error.what(), path), options);
    if (dynamic_cast<const io::TextTarget*>(&error) != nullptr)
        return "; what is to be predicted must be numbers, or classes of --family binomial: "
               "--target "
               "names another column";
    if (dynamic_cast<const io::MissingTarget*>(&error) != nullptr && !is_new_data)
        return options.transpose ? "" : "; --drop-missing would leave such rows out";
    if (dynamic_cast<const TextValue*>(&error) != nullptr && !is_new_data) {
        if (!options.one_hot_columns.empty()) return "; --one-hot has to name this column too";
        return options.one_hot ? "" : "; --one-hot, --drop, --date or --id would deal with text";
    }
    if (dynamic_cast<const MissingValue*>(&error) != nullptr && is_new_data)
        return options.encoding->means.empty()
                   ? "; the model was fitted without --impute mean, which would fill it in"
                   : "";
    if (std::string_view(error.what()).ends_with(" has no value to take a mean of"))
        return fmt::format("; --drop {} leaves it out",
                           for_shell(quoted_field(error.what(), path)));
    if (dynamic_cast<const MissingValue*>(&error) != nullptr) {
        if (options.impute_mean) return "";
        return options.transpose ? "; --impute mean would fill it in"
                                 : "; --impute mean would fill it in, --drop-missing leave such "
                                   "rows out";
    }
    return "";
}

}  // namespace sven::cli
