// A vector from a file: one number a line, or a .npy array.
#include <cmath>

#include "io/chunks.hpp"
#include "io/fault.hpp"
#include "io/npy.hpp"
#include "io/number.hpp"
#include "io/source.hpp"
#include "sven/io.hpp"

namespace sven::io {

namespace {

// What the options have against this number, or nothing.
std::string objection(double value, const VectorOptions& options) {
    if (std::isnan(value)) return "is not a number";
    if (std::isinf(value) && !(options.allow_infinity && value > 0)) return "is not finite";
    if (options.nonnegative && value < 0) return "is negative";
    return {};
}

std::vector<double> read_text(const Source& source, const VectorOptions& options) {
    std::vector<double> values;
    Index line = 0;
    const char* last = source.end();
    while (last != source.begin() && (last[-1] == '\n' || last[-1] == '\r' || last[-1] == ' '))
        --last;
    for (const char* at = source.begin(); at != last;) {
        const char* const next = next_line(at, last);
        std::string_view field(at, static_cast<std::size_t>(next - at));
        if (!field.empty() && field.back() == '\n') field.remove_suffix(1);
        if (!field.empty() && field.back() == '\r') field.remove_suffix(1);
        field = trimmed(field);
        if (field.size() > 1 && field.front() == '"' && field.back() == '"') {
            field = field.substr(1, field.size() - 2);
        }
        ++line;
        double value = 0;
        const bool is_number = parse_number(field, value) && !std::isnan(value);
        if (!is_number) raise(source.path(), {line, 1, describe_bad_number(field)});
        const std::string problem = objection(value, options);
        if (!problem.empty()) raise(source.path(), {line, 1, quoted(field) + " " + problem});
        values.push_back(value);
        at = next;
    }
    return values;
}

}  // namespace

std::vector<double> read_vector(const std::string& path, const VectorOptions& options) {
    const Source source(path);
    if (!has_npy_magic(source)) {
        const std::string ending = ".npy";
        if (path.size() > ending.size() && path.ends_with(ending)) (void)read_npy_header(source);
        auto values = read_text(source, options);
        if (values.empty()) raise(path, {0, 0, "the file is empty"});
        return values;
    }
    auto values = read_npy_vector(source);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::string problem = objection(values[i], options);
        if (!problem.empty()) raise(path, {0, 0, "entry " + std::to_string(i) + " " + problem});
    }
    if (values.empty()) raise(path, {0, 0, "the array is empty"});
    return values;
}

}  // namespace sven::io
