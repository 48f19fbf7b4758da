#include "cli/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "cli/json_reader.hpp"

namespace sven::cli {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::string_view trimmed(std::string_view text) {
    const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

// The fields of a line; quotes around a field hold its commas, and are doubled inside.
std::vector<std::string> fields_of(std::string_view line) {
    std::vector<std::string> fields(1);
    bool is_quoted = false;
    for (std::size_t k = 0; k < line.size(); ++k) {
        const bool is_doubled = is_quoted && line[k] == '"' && line.substr(k + 1, 1) == "\"";
        if (is_doubled)
            fields.back() += line[k++];
        else if (line[k] == '"')
            is_quoted = !is_quoted;
        else if (line[k] == ',' && !is_quoted)
            fields.emplace_back();
        else
            fields.back() += line[k];
    }
    for (std::string& field : fields) field = std::string(trimmed(field));
    return fields;
}

// Lines and their fields; the first names the columns.
class LimitsFile {
  public:
    explicit LimitsFile(const std::string& path)
        : path_(shown_path(path)), text_(read_text_file(path)) {
        const std::vector<std::string> names = fields_of(next());
        for (std::size_t c = 0; c < columns.size(); ++c) {
            const auto found = std::find(names.begin(), names.end(), columns[c]);
            if (found == names.end())
                throw ParseError(fmt::format("{}: there is no column \"{}\"", path_, columns[c]));
            places_[c] = static_cast<std::size_t>(found - names.begin());
        }
    }

    // False at the end.
    bool read(std::string& feature, double& lower, double& upper) {
        std::string_view line;
        while (line.empty() && at_ < text_.size()) line = trimmed(next());
        if (line.empty()) return false;
        const std::vector<std::string> fields = fields_of(line);
        const std::size_t wanted = *std::max_element(places_.begin(), places_.end());
        if (fields.size() <= wanted)
            throw ParseError(fmt::format("{}:{}: there are {} fields, at least {} are needed",
                                         path_, line_, fields.size(), wanted + 1));
        feature = fields[places_[0]];
        lower = number(fields[places_[1]], -infinity);
        upper = number(fields[places_[2]], infinity);
        return true;
    }

    const std::string& path() const { return path_; }
    std::size_t line() const { return line_; }

  private:
    std::string_view next() {
        const std::size_t end = std::min(text_.find('\n', at_), text_.size());
        const std::string_view line = std::string_view(text_).substr(at_, end - at_);
        at_ = std::min(end + 1, text_.size());
        ++line_;
        return line;
    }

    double number(const std::string& field, double none) const {
        if (field.empty()) return none;
        double value = 0;
        const char* const last = field.data() + field.size();
        const char* const first = field.data() + (field.front() == '+' ? 1 : 0);
        const auto [end, error] = std::from_chars(first, last, value);
        if (error != std::errc() || end != last || std::isnan(value))
            throw ParseError(fmt::format("{}:{}: \"{}\" is not a number", path_, line_, field));
        return value;
    }

    static constexpr std::array<const char*, 3> columns{"feature", "lower", "upper"};
    std::string path_;
    std::string text_;
    std::size_t at_ = 0;
    std::size_t line_ = 0;
    std::array<std::size_t, 3> places_{};
};

void read_limits(const std::string& path, LoadedData& data) {
    std::unordered_map<std::string, std::size_t> positions;
    for (Index j = 0; j < data.cols(); ++j)
        positions.emplace(io::feature_name(data.table, j), static_cast<std::size_t>(j));
    LimitsFile file(path);
    std::string feature;
    double lower = 0;
    double upper = 0;
    while (file.read(feature, lower, upper)) {
        const auto found = positions.find(feature);
        if (found == positions.end())
            throw InvalidArgument(fmt::format("{}:{}: there is no feature \"{}\" in {}",
                                              file.path(), file.line(), feature, data.path));
        if (!(lower <= 0) || !(upper >= 0))
            throw InvalidArgument(
                fmt::format("{}:{}: the limits of {} are {} and {}, but zero must lie between them",
                            file.path(), file.line(), feature, lower, upper));
        data.lower[found->second] = lower;
        data.upper[found->second] = upper;
    }
}

}  // namespace

void take_limits(const DataArguments& arguments, LoadedData& data) {
    if (!arguments.lower && !arguments.upper && !arguments.limits) return;
    const auto p = static_cast<std::size_t>(data.cols());
    data.lower.assign(p, arguments.lower.value_or(-infinity));
    data.upper.assign(p, arguments.upper.value_or(infinity));
    if (arguments.limits) read_limits(*arguments.limits, data);
}

}  // namespace sven::cli
