#include "io/csv_columns.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <unordered_map>
#include <unordered_set>

#include "io/chunks.hpp"
#include "io/fault.hpp"
#include "io/foreign.hpp"
#include "io/number.hpp"
#include "io/tuning.hpp"
#include "sven/error.hpp"

namespace sven::io {

namespace {

void read_names(const Source& source, CsvColumns& columns) {
    const char* at = skip_byte_order_mark(source);
    const char* const header = skip_to_row(at, source.end(), {.comment = columns.comment});
    columns.may_be_comment = columns.comment == 0 && header != source.end() && *header == '#';
    columns.header_lines += std::count(at, header, '\n');
    at = header;
    for (;;) {
        const CsvField field = read_csv_field(at, source.end(), columns.delimiter, true);
        const Index number = columns.count() + 1;
        if (!field.closed)
            raise(source.path(), {columns.header_lines, number, "the quote is not closed"});
        if (field.text.find('\r') != std::string::npos) {
            raise(source.path(),
                  {1, number, "lines end in a carriage return alone; convert them to newlines"});
        }
        refuse_other_encoding(source, field.text);
        columns.names.push_back(field.text);
        columns.header_lines += std::count(at, field.end, '\n');
        if (ends_row(field.end, source.end())) {
            columns.data = after_row(field.end, source.end());
            return;
        }
        at = field.end + 1;
    }
}

// R's write.table writes no name for the row names: the header has one field less than the rows.
bool header_lacks_row_names(const Source& source, const CsvColumns& columns) {
    const LineRules rules{
        .comment = columns.comment, .delimiter = columns.delimiter, .rows_span_lines = true};
    const char* row = skip_to_row(columns.data, source.end(), rules);
    for (int checked = 0; row != source.end() && checked < 2; ++checked) {
        if (count_fields(row, source.end(), columns.delimiter) != columns.count() + 1) return false;
        row = skip_to_row(next_row(row, source.end(), rules), source.end(), rules);
    }
    return columns.data != source.end();
}

// A line with as many fields as the first row is a header, whatever it begins with.
bool fits_first_row(const Source& source, const CsvColumns& columns) {
    const char* const row = skip_to_row(columns.data, source.end(), {.comment = columns.comment});
    return count_fields(row, source.end(), columns.delimiter) == columns.count();
}

void find_row_names(const Source& source, CsvColumns& columns) {
    if (columns.names.front().empty() && columns.count() > 1) {  // R's write.csv
        columns.has_row_names = true;
    } else if (header_lacks_row_names(source, columns)) {
        columns.names.insert(columns.names.begin(), std::string());
        columns.has_row_names = true;
    }
}

// A file without a header would silently lose its first row.
void refuse_data_as_names(const Source& source, const CsvColumns& columns) {
    bool any_fraction = false;
    for (const std::string& name : columns.names) {
        double value = 0;
        if (!parse_number(name, value)) return;
        any_fraction |= name.find_first_not_of("0123456789 ") != std::string::npos;
    }
    if (any_fraction) {
        raise(source.path(), {columns.header_lines, 0,
                              "the first line holds numbers, but it must name the columns"});
    }
}

// Columns that are skipped may have any name, or none.
void refuse_bad_names(const Source& source, const CsvColumns& columns) {
    std::unordered_map<std::string_view, Index> seen;
    const Index line = columns.header_lines;
    for (Index j = columns.has_row_names ? 1 : 0; j < columns.count(); ++j) {
        const std::string& name = columns.names[static_cast<std::size_t>(j)];
        if (columns.roles[static_cast<std::size_t>(j)] == Role::skipped) continue;
        // Unnamed row names are not in the header: count its own fields.
        const Index number = j + 1;
        if (name.empty()) raise(source.path(), {line, number, "the column has no name"});
        const auto [first, is_new] = seen.emplace(name, number);
        if (!is_new) {
            raise(source.path(), {line, number,
                                  "the name " + in_quotes(name) + " is taken by column " +
                                      std::to_string(first->second)});
        }
    }
}

std::string list_names(const std::vector<std::string>& names) {
    constexpr std::size_t most = listed_names;
    std::string list;
    for (std::size_t j = 0; j < std::min(names.size(), most); ++j)
        if (!names[j].empty()) list += (list.empty() ? "" : ", ") + printable(names[j]);
    if (names.size() > most) list += ", and " + std::to_string(names.size() - most) + " more";
    return list;
}

bool differs_in_case(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
        return std::tolower(x) == std::tolower(y);
    });
}

// A letter that is another, too many, missing, or in the place of its neighbour.
bool differs_in_a_letter(std::string_view a, std::string_view b) {
    while (!a.empty() && !b.empty() && a.front() == b.front()) {
        a.remove_prefix(1);
        b.remove_prefix(1);
    }
    while (!a.empty() && !b.empty() && a.back() == b.back()) {
        a.remove_suffix(1);
        b.remove_suffix(1);
    }
    if (a.size() <= 1 && b.size() <= 1) return true;
    return a.size() == 2 && b.size() == 2 && a[0] == b[1] && a[1] == b[0];
}

// The name that was probably meant; empty if there is none. Of one or two letters half would
// differ.
std::string nearest_name(const std::vector<std::string>& names, const std::string& wanted) {
    for (const std::string& name : names)
        if (differs_in_case(name, wanted)) return name;
    constexpr std::size_t shortest = 3;
    for (const std::string& name : names)
        if (wanted.size() >= shortest && !name.empty() && differs_in_a_letter(name, wanted))
            return name;
    return {};
}

// Assigns roles to columns, one after the other: a column has at most one.
class RoleGiver {
  public:
    RoleGiver(const Source& source, CsvColumns& columns) : source_(source), columns_(columns) {
        columns_.roles.assign(columns_.names.size(), Role::feature);
    }

    Index give(const std::string& wanted, Role role) {
        const Index j = find_name(source_.path(), columns_.names, wanted);
        if (at(j) != Role::feature) {
            const auto words = [](Role of) {
                if (of == Role::target) return "be the target";
                if (of == Role::weights) return "hold the weights";
                if (of == Role::folds) return "hold the folds";
                if (of == Role::offset) return "hold the offset";
                if (of == Role::failures) return "count the failures";
                return of == Role::row_name ? "name the rows" : "be dropped";
            };
            raise(source_.path(), {0, 0,
                                   "the column " + in_quotes(wanted) + " cannot " + words(role) +
                                       " and " + words(at(j))});
        }
        at(j) = role;
        return j;
    }

    // Several columns may have a name that nobody wants.
    void skip(const std::string& wanted) {
        const Index first = give(wanted, Role::skipped);
        const std::string& name = columns_.names[static_cast<std::size_t>(first)];
        for (Index j = first + 1; j < columns_.count() && name == wanted; ++j)
            if (columns_.names[static_cast<std::size_t>(j)] == name && at(j) == Role::feature)
                at(j) = Role::skipped;
    }

    void give_target(const ReadOptions& options) {
        if (options.target) {
            const auto& names = columns_.names;
            const bool is_there =
                std::find(names.begin(), names.end(), *options.target) != names.end();
            if (!is_there && !options.needs_target) return;
            columns_.target = give(*options.target, Role::target);
            if (options.failures_column) give(*options.failures_column, Role::failures);
            return;
        }
        columns_.target_was_guessed = true;
        columns_.target = columns_.count() - 1;
        while (columns_.target >= 0 && at(columns_.target) != Role::feature) --columns_.target;
        if (columns_.target < 0) raise(source_.path(), {0, 0, "there is no column for the target"});
        at(columns_.target) = Role::target;
    }

    Role& at(Index j) { return columns_.roles[static_cast<std::size_t>(j)]; }

  private:
    const Source& source_;
    CsvColumns& columns_;
};

// Columns that are neither features of the model nor texts that its features were derived from.
void keep_features_of_model(const ReadOptions& options, CsvColumns& columns) {
    std::unordered_set<std::string_view> wanted(options.features->begin(), options.features->end());
    if (options.encoding != nullptr) {
        for (const Encoding::Levels& text : options.encoding->one_hot) wanted.insert(text.column);
    }
    for (std::size_t j = 0; j < columns.names.size(); ++j) {
        if (columns.roles[j] == Role::feature && !wanted.contains(columns.names[j]))
            columns.roles[j] = Role::skipped;
    }
}

void assign_roles(const Source& source, const ReadOptions& options, CsvColumns& columns) {
    RoleGiver roles(source, columns);
    const bool is_first_for_names = options.transpose && !options.id_column;
    if (columns.has_row_names || is_first_for_names) {
        columns.row_names = 0;
        roles.at(0) = options.id_column ? Role::skipped : Role::row_name;
    }
    if (options.id_column) columns.row_names = roles.give(*options.id_column, Role::row_name);
    for (const std::string& name : options.drop) roles.skip(name);
    if (options.weights_column)
        columns.weights = roles.give(*options.weights_column, Role::weights);
    if (options.fold_column) roles.give(*options.fold_column, Role::folds);
    if (options.offset_column) roles.give(*options.offset_column, Role::offset);
    if (options.has_response) roles.give_target(options);
    if (options.features != nullptr) keep_features_of_model(options, columns);
    const auto features = std::count(columns.roles.begin(), columns.roles.end(), Role::feature);
    if (features == 0 && options.features == nullptr)
        raise(source.path(), {0, 0, "there is no column left for a feature"});
}

}  // namespace

Index find_name(const std::string& path, const std::vector<std::string>& names,
                const std::string& wanted, const std::string& noun) {
    // By name first, so that a header of numbers is addressed by its names.
    const auto found = std::find(names.begin(), names.end(), wanted);
    if (found != names.end()) return found - names.begin();
    const auto count = static_cast<Index>(names.size());
    Index number = 0;
    const char* const last = wanted.data() + wanted.size();
    const auto [end, error] = std::from_chars(wanted.data(), last, number);
    const bool is_number = error == std::errc() && end == last;
    if (is_number && number >= 0 && number < count) return number;
    if (is_number) {
        raise(path, {0, 0,
                     "there is no " + noun + " " + wanted + "; the " + noun + "s are 0 to " +
                         std::to_string(count - 1)});
    }
    const std::string near = nearest_name(names, wanted);
    raise(path, {0, 0,
                 "there is no " + noun + " " + in_quotes(wanted) +
                     (near.empty() ? "; the " : "; did you mean " + printable(near) + "? The ") +
                     noun + "s are " + list_names(names)});
}

std::vector<std::string> ignored_names(const CsvColumns& columns) {
    std::vector<std::string> names;
    for (std::size_t j = 0; j < columns.names.size(); ++j) {
        if (columns.roles[j] == Role::skipped && !columns.names[j].empty())
            names.push_back(columns.names[j]);
    }
    return names;
}

CsvColumns read_csv_columns(const Source& source, const ReadOptions& options, char delimiter) {
    if (trimmed(source.text()).empty()) raise(source.path(), {0, 0, "the file is empty"});
    CsvColumns columns;
    columns.delimiter = delimiter;
    columns.comment = options.comment;
    read_names(source, columns);
    refuse_data_as_names(source, columns);
    columns.may_be_comment = columns.may_be_comment && !fits_first_row(source, columns);
    if (columns.count() == 1 && columns.names.front().empty())
        raise(source.path(), {columns.header_lines, 1, "the column has no name"});
    find_row_names(source, columns);
    try {
        assign_roles(source, options, columns);
        refuse_bad_names(source, columns);
    } catch (const ParseError& error) {
        if (columns.may_be_comment) throw CommentLine(error.what());
        throw;
    }
    return columns;
}

}  // namespace sven::io
