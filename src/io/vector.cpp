// A vector from a file: one number per line, or a .npy array.
#include <algorithm>
#include <cctype>
#include <cmath>

#include "io/chunks.hpp"
#include "io/csv.hpp"
#include "io/csv_columns.hpp"
#include "io/fault.hpp"
#include "io/hdf5.hpp"
#include "io/npy.hpp"
#include "io/number.hpp"
#include "io/read.hpp"
#include "io/source.hpp"
#include "sven/io.hpp"

namespace sven::io {

namespace {

// Why the options reject this number, or an empty text.
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
        ++line;
        if (skip_comment(at, last, options.comment) != nullptr) {
            at = next;
            continue;
        }
        std::string_view field(at, static_cast<std::size_t>(next - at));
        if (!field.empty() && field.back() == '\n') field.remove_suffix(1);
        if (!field.empty() && field.back() == '\r') field.remove_suffix(1);
        field = trimmed(field);
        if (field.size() > 1 && field.front() == '"' && field.back() == '"') {
            field = field.substr(1, field.size() - 2);
        }
        double value = 0;
        const bool is_number = parse_number(field, value) && !std::isnan(value);
        if (!is_number) {
            const bool may_be_comment = options.comment == 0 && *at == '#';
            raise(source.path(), {line, 1, describe_bad_number(field),
                                  may_be_comment ? FaultKind::comment_line : FaultKind::other});
        }
        const std::string problem = objection(value, options);
        if (!problem.empty()) raise(source.path(), {line, 1, in_quotes(field) + " " + problem});
        values.push_back(value);
        at = next;
    }
    return values;
}

// A first line that is not a number is a column name, as R and pandas write it.
bool is_table(const Source& source, char comment) {
    const char* begin = source.begin();
    while (const char* const next = skip_comment(begin, source.end(), comment)) begin = next;
    const char* const end = next_line(begin, source.end());
    const std::string_view line(begin, static_cast<std::size_t>(end - begin));
    const bool has_names = line.find_first_of(",\t;") != std::string_view::npos;
    const bool is_named =
        std::any_of(line.begin(), line.end(), [](unsigned char c) { return std::isalpha(c) != 0; });
    double value = 0;
    std::string_view field = line.substr(0, line.find_first_of("\r\n"));
    const bool has_rows = end != source.end();
    return has_rows && (has_names || (is_named && !parse_number(field, value) &&
                                      !is_missing_word(trimmed(field))));
}

std::vector<double> read_table(const Source& source, const VectorOptions& options) {
    ReadOptions plain;
    plain.has_response = false;
    plain.comment = options.comment;
    const Dataset data = read_csv(source, plain);
    if (cols(data.X) != 1)
        raise(source.path(),
              {0, 0, "expected one column of numbers, found " + std::to_string(cols(data.X))});
    const auto* const first = static_cast<const double*>(std::get<DenseView>(data.X).data);
    std::vector<double> values(first, first + rows(data.X));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::string problem = objection(values[i], options);
        if (!problem.empty())
            raise(source.path(), {0, 0, "number " + std::to_string(i + 1) + " " + problem});
    }
    return values;
}

// An array's numbers.
std::vector<double> checked(const std::string& path, std::vector<double> values,
                            const VectorOptions& options) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::string problem = objection(values[i], options);
        if (!problem.empty()) raise(path, {0, 0, "entry " + std::to_string(i) + " " + problem});
    }
    if (values.empty()) raise(path, {0, 0, "the array is empty"});
    return values;
}

}  // namespace

std::vector<double> read_vector(const Source& source, const VectorOptions& options) {
    const std::string& path = source.path();
    if (!has_npy_magic(source)) {
        auto values = is_table(source, options.comment) ? read_table(source, options)
                                                        : read_text(source, options);
        if (values.empty()) raise(path, {0, 0, "the file is empty"});
        return values;
    }
    return checked(path, read_npy_vector(source), options);
}

std::vector<double> read_vector(const std::string& path, const VectorOptions& options) {
    if (hdf5_place(path)) return checked(path, read_hdf5_vector(path), options);
    const Source source(path);
    // Otherwise a file named .npy that is not one would get a misleading message.
    const std::string ending = ".npy";
    if (path.size() > ending.size() && path.ends_with(ending)) (void)read_npy_header(source);
    return read_vector(source, options);
}

}  // namespace sven::io
