// A table about people, as PLINK and R write it.

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "io/chunks.hpp"
#include "io/fault.hpp"
#include "io/number.hpp"
#include "io/plink.hpp"

namespace sven::io {

namespace {

// The fields of a line; with a blank as the separator any run of blanks separates.
std::vector<std::string_view> fields_of(std::string_view line, char separator) {
    std::vector<std::string_view> fields;
    while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.remove_suffix(1);
    if (separator == ' ') {
        for (std::size_t at = line.find_first_not_of(' '); at != std::string_view::npos;
             at = line.find_first_not_of(' ')) {
            line.remove_prefix(at);
            fields.push_back(line.substr(0, line.find(' ')));
            line.remove_prefix(fields.back().size());
        }
        return fields;
    }
    for (;;) {
        const std::size_t end = line.find(separator);
        fields.push_back(trimmed(line.substr(0, end)));
        if (end == std::string_view::npos) return fields;
        line.remove_prefix(end + 1);
    }
}

std::string_view unquoted(std::string_view field) {
    const bool is_quoted = field.size() > 1 && field.front() == '"' && field.back() == '"';
    return is_quoted ? field.substr(1, field.size() - 2) : field;
}

struct Header {
    char separator = ' ';
    std::size_t id = 0;
    std::vector<std::size_t> places;  // of the columns of numbers
    std::size_t fields = 0;
};

Header read_header(const Source& source, std::string_view line, PeopleTable& table) {
    Header header;
    if (line.starts_with('#')) line.remove_prefix(1);  // as plink2 writes it
    if (line.find('\t') != std::string_view::npos) header.separator = '\t';
    if (line.find(',') != std::string_view::npos) header.separator = ',';
    const std::vector<std::string_view> names = fields_of(line, header.separator);
    header.fields = names.size();
    bool has_id = false;
    for (std::size_t k = 0; k < names.size(); ++k) {
        const std::string_view name = unquoted(names[k]);
        if (name == "IID") {
            header.id = k;
            has_id = true;
        } else if (name != "FID" && name != "SID") {
            header.places.push_back(k);
            table.columns.emplace_back(name);
        }
    }
    if (!has_id)
        raise(source.path(),
              {1, 0, "the first line names no column IID, which people are found by"});
    table.values.resize(table.columns.size());
    return header;
}

}  // namespace

PeopleTable read_people(const Source& source) {
    PeopleTable table;
    table.path = source.path();
    const char* at = next_line(source.begin(), source.end());
    const Header header =
        read_header(source, {source.begin(), static_cast<std::size_t>(at - source.begin())}, table);
    std::unordered_set<std::string> seen;
    for (Index number = 2; at != source.end(); ++number) {
        const char* const next = next_line(at, source.end());
        const auto fields = fields_of({at, static_cast<std::size_t>(next - at)}, header.separator);
        at = next;
        if (fields.empty() || (fields.size() == 1 && fields[0].empty())) continue;
        if (fields.size() != header.fields)
            raise(table.path, {number, 0,
                               "the line has " + std::to_string(fields.size()) + " fields, not " +
                                   std::to_string(header.fields)});
        table.ids.emplace_back(unquoted(fields[header.id]));
        if (!seen.insert(table.ids.back()).second)
            raise(table.path, {number, 0, in_quotes(table.ids.back()) + " is there twice"});
        for (std::size_t k = 0; k < header.places.size(); ++k) {
            const std::string_view field = unquoted(fields[header.places[k]]);
            double value = std::numeric_limits<double>::quiet_NaN();
            if (!is_missing_word(field) && !parse_number(field, value))
                raise(table.path, {number, static_cast<Index>(header.places[k]) + 1,
                                   describe_bad_number(field)});
            table.values[k].push_back(
                std::isfinite(value) ? value : std::numeric_limits<double>::quiet_NaN());
        }
    }
    if (table.ids.empty()) raise(table.path, {0, 0, "the file names no people"});
    return table;
}

}  // namespace sven::io
