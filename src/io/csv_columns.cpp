#include "io/csv_columns.hpp"

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "io/chunks.hpp"
#include "io/fault.hpp"
#include "io/number.hpp"

namespace sven::io {

namespace {

bool ends_row(const char* at, const char* last) {
    return at == last || *at == '\n' || (*at == '\r' && (at + 1 == last || at[1] == '\n'));
}

const char* after_row(const char* at, const char* last) {
    if (at != last && *at == '\r') ++at;
    return at == last ? last : at + 1;
}

const char* skip_byte_order_mark(const Source& source) {
    return source.text().substr(0, 3) == "\xEF\xBB\xBF" ? source.begin() + 3 : source.begin();
}

void read_names(const Source& source, CsvColumns& columns) {
    const char* at = skip_byte_order_mark(source);
    for (;;) {
        const CsvField field = read_csv_field(at, source.end(), columns.delimiter, true);
        const Index number = columns.count() + 1;
        if (!field.closed) raise(source.path(), {1, number, "the quote is not closed"});
        if (field.text.find('\r') != std::string::npos) {
            raise(source.path(),
                  {1, number, "lines end in a carriage return alone; convert them to newlines"});
        }
        columns.names.push_back(field.text);
        columns.header_lines += std::count(at, field.end, '\n');
        if (ends_row(field.end, source.end())) {
            columns.data = after_row(field.end, source.end());
            return;
        }
        at = field.end + 1;
    }
}

Index count_fields(const char* first, const char* last, char delimiter) {
    for (Index fields = 1;; ++fields) {
        const CsvField field = read_csv_field(first, last, delimiter, false);
        if (ends_row(field.end, last) || !field.closed) return fields;
        first = field.end + 1;
    }
}

const char* skip_blank_lines(const char* at, const char* last) {
    while (at != last) {
        const char* const next = skip_blank_line(at, last);
        if (next == nullptr) break;
        at = next;
    }
    return at;
}

// R's write.table gives row names no name at all: the header is one field short of the first
// rows, whose first fields do not look like data.
bool header_lacks_row_names(const Source& source, const CsvColumns& columns) {
    const char* row = skip_blank_lines(columns.data, source.end());
    for (int checked = 0; row != source.end() && checked < 2; ++checked) {
        const CsvField field = read_csv_field(row, source.end(), columns.delimiter, false);
        double value = 0;
        if (!field.was_quoted && parse_number(field.text, value)) return false;
        if (count_fields(row, source.end(), columns.delimiter) != columns.count() + 1) return false;
        row = skip_blank_lines(next_line(row, source.end()), source.end());
    }
    return columns.data != source.end();
}

void find_row_names(const Source& source, CsvColumns& columns) {
    if (columns.names.front().empty() && columns.count() > 1) {  // R's write.csv
        columns.has_row_names = true;
    } else if (header_lacks_row_names(source, columns)) {
        columns.names.insert(columns.names.begin(), std::string());
        columns.has_row_names = true;
    }
}

// A file without a header would lose its first row in silence.
void refuse_data_as_names(const Source& source, const CsvColumns& columns) {
    bool any_fraction = false;
    for (const std::string& name : columns.names) {
        double value = 0;
        if (!parse_number(name, value)) return;
        any_fraction |= name.find_first_not_of("0123456789 ") != std::string::npos;
    }
    if (any_fraction) {
        raise(source.path(), {1, 0, "the first line holds numbers, but it must name the columns"});
    }
}

void refuse_bad_names(const Source& source, const CsvColumns& columns) {
    std::unordered_map<std::string_view, Index> seen;
    for (Index j = columns.has_row_names ? 1 : 0; j < columns.count(); ++j) {
        const std::string& name = columns.names[static_cast<std::size_t>(j)];
        // Row names under no name at all are not in the header: count its own fields.
        const Index number = j + 1;
        if (name.empty()) raise(source.path(), {1, number, "the column has no name"});
        const auto [first, is_new] = seen.emplace(name, number);
        if (!is_new) {
            raise(source.path(), {1, number,
                                  "the name " + quoted(name) + " is taken by column " +
                                      std::to_string(first->second)});
        }
    }
}

std::string list_columns(const CsvColumns& columns) {
    constexpr Index most = 12;
    std::string list;
    for (Index j = 0; j < std::min(columns.count(), most); ++j) {
        const std::string& name = columns.names[static_cast<std::size_t>(j)];
        if (!name.empty()) list += (list.empty() ? "" : ", ") + printable(name);
    }
    if (columns.count() > most) list += ", and " + std::to_string(columns.count() - most) + " more";
    return list;
}

// By name first; a header of numbers is then still addressed by its names.
Index find_column(const Source& source, const CsvColumns& columns, const std::string& wanted) {
    const auto found = std::find(columns.names.begin(), columns.names.end(), wanted);
    if (found != columns.names.end()) return found - columns.names.begin();
    Index number = 0;
    const char* const last = wanted.data() + wanted.size();
    const auto [end, error] = std::from_chars(wanted.data(), last, number);
    const bool is_number = error == std::errc() && end == last;
    if (is_number && number >= 0 && number < columns.count()) return number;
    if (is_number) {
        raise(source.path(), {0, 0,
                              "there is no column " + wanted + "; the columns are 0 to " +
                                  std::to_string(columns.count() - 1)});
    }
    raise(source.path(),
          {0, 0,
           "there is no column " + quoted(wanted) + "; the columns are " + list_columns(columns)});
}

void assign_roles(const Source& source, const ReadOptions& options, CsvColumns& columns) {
    columns.roles.assign(columns.names.size(), Role::feature);
    const auto role = [&](Index j) -> Role& { return columns.roles[static_cast<std::size_t>(j)]; };
    if (columns.has_row_names) role(0) = Role::skipped;
    if (options.weights_column) {
        columns.weights = find_column(source, columns, *options.weights_column);
        role(columns.weights) = Role::weights;
    }
    if (options.fold_column) {
        const Index folds = find_column(source, columns, *options.fold_column);
        if (folds == columns.weights) {
            raise(source.path(), {0, 0,
                                  "the column " + quoted(*options.fold_column) +
                                      " cannot hold the folds and the weights"});
        }
        role(folds) = Role::folds;
    }
    if (!options.has_response) return;
    if (options.target) {
        columns.target = find_column(source, columns, *options.target);
        if (role(columns.target) != Role::feature) {
            raise(source.path(),
                  {0, 0,
                   "the column " + quoted(*options.target) + " cannot be the target and the " +
                       (columns.target == columns.weights ? "weights" : "folds")});
        }
    } else {
        columns.target_was_guessed = true;
        columns.target = columns.count() - 1;
        while (columns.target >= 0 && role(columns.target) != Role::feature) --columns.target;
        if (columns.target < 0) raise(source.path(), {0, 0, "there is no column for the target"});
    }
    role(columns.target) = Role::target;
}

}  // namespace

CsvField read_csv_field(const char* first, const char* last, char delimiter, bool may_span_lines) {
    while (first != last && *first == ' ') ++first;
    CsvField field;
    if (first == last || *first != '"') {
        const char* end = first;
        while (end != last && *end != delimiter && *end != '\n') ++end;
        const bool before_line_end = end == last || *end == '\n';
        if (end != first && end[-1] == '\r' && before_line_end) --end;
        field.text = trimmed({first, static_cast<std::size_t>(end - first)});
        field.end = end;
        return field;
    }
    field.was_quoted = true;
    field.closed = false;
    const char* at = first + 1;
    for (; at != last && (may_span_lines || *at != '\n'); ++at) {
        if (*at != '"') {
            field.text += *at;
        } else if (at + 1 != last && at[1] == '"') {  // a doubled quote stands for one
            field.text += *at++;
        } else {
            field.closed = true;
            ++at;
            break;
        }
    }
    while (at != last && *at == ' ') ++at;
    if (field.closed && !ends_row(at, last) && *at != delimiter) {
        // Text after the closing quote belongs to no format: let it show in the message as it is.
        while (!ends_row(at, last) && *at != delimiter) ++at;
        field.text.assign(first, at);
    }
    field.end = at;
    return field;
}

char guess_delimiter(const Source& source) {
    const char* const end = next_line(source.begin(), source.end());
    const std::string_view header(source.begin(), static_cast<std::size_t>(end - source.begin()));
    for (const char delimiter : {',', '\t', ';'}) {
        if (header.find(delimiter) != std::string_view::npos) return delimiter;
    }
    return ',';
}

CsvColumns read_csv_columns(const Source& source, const ReadOptions& options, char delimiter) {
    if (trimmed(source.text()).empty()) raise(source.path(), {0, 0, "the file is empty"});
    CsvColumns columns;
    columns.delimiter = delimiter;
    read_names(source, columns);
    refuse_data_as_names(source, columns);
    find_row_names(source, columns);
    refuse_bad_names(source, columns);
    assign_roles(source, options, columns);
    if (std::count(columns.roles.begin(), columns.roles.end(), Role::feature) == 0) {
        raise(source.path(), {0, 0, "there is no column left for a feature"});
    }
    return columns;
}

}  // namespace sven::io
