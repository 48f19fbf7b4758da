#pragma once
// The header of a CSV file, and the role of each column.

#include <string>
#include <vector>

#include "io/csv_fields.hpp"
#include "io/source.hpp"
#include "sven/io.hpp"

namespace sven::io {

enum class Role { feature, target, weights, folds, offset, failures, row_name, skipped };

struct CsvColumns {
    char delimiter = ',';
    char comment = 0;            // the first character of comment lines; 0: there are none
    const char* data = nullptr;  // the first byte after the header
    const char* end = nullptr;   // of the rows that are read, the first of which is at `first`
    const char* first = nullptr;
    Index header_lines = 1;          // a quoted name may hold line ends
    std::vector<std::string> names;  // one for each field of a row
    std::vector<Role> roles;
    Index target = -1;
    Index weights = -1;
    Index row_names = -1;
    bool target_was_guessed = false;
    bool has_row_names = false;
    bool rows_span_lines = false;  // there are quoted fields with line ends in them
    bool may_be_comment = false;   // the header: "# a title" instead of names

    Index count() const { return static_cast<Index>(names.size()); }
};

// Throws ParseError on a header without names, or without the requested ones.
CsvColumns read_csv_columns(const Source& source, const ReadOptions& options, char delimiter);

// The index of a name, or of a number counted from 0; `noun` is used in messages. Throws ParseError
// if there is none.
Index find_name(const std::string& path, const std::vector<std::string>& names,
                const std::string& wanted, const std::string& noun = "column");

// The columns without a role, in order.
std::vector<std::string> ignored_names(const CsvColumns& columns);

// If rows have a single field, a blank line may be a missing value.
inline LineRules line_rules(const CsvColumns& columns) {
    return {columns.comment, columns.count() > 1, columns.delimiter, columns.rows_span_lines};
}

}  // namespace sven::io
