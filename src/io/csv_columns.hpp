#pragma once
// The header of a CSV file, and what each column is for.

#include <string>
#include <vector>

#include "io/source.hpp"
#include "sven/io.hpp"

namespace sven::io {

enum class Role { feature, target, weights, folds, row_name, skipped };

struct CsvColumns {
    char delimiter = ',';
    char comment = 0;                // what lines that are no rows begin with; 0: all are rows
    const char* data = nullptr;      // the first byte after the header
    Index header_lines = 1;          // a quoted name may hold line ends
    std::vector<std::string> names;  // one for each field of a row
    std::vector<Role> roles;
    Index target = -1;
    Index weights = -1;
    Index row_names = -1;
    bool target_was_guessed = false;
    bool has_row_names = false;
    bool may_be_comment = false;  // the header: "# a title" where names should be

    Index count() const { return static_cast<Index>(names.size()); }
};

// Throws ParseError on a header that names no columns, or not the ones asked for.
CsvColumns read_csv_columns(const Source& source, const ReadOptions& options, char delimiter);

// Where a name is, or the place that a number counts from 0; `noun` says what is counted. Throws
// ParseError where there is none.
Index find_name(const std::string& path, const std::vector<std::string>& names,
                const std::string& wanted, const std::string& noun = "column");

// The columns that no role was found for, in order.
std::vector<std::string> ignored_names(const CsvColumns& columns);

// Which lines are no rows.
struct LineRules {
    char comment = 0;
    bool skips_blank = true;
};
// A blank line may be a missing value where rows have a single field.
inline LineRules line_rules(const CsvColumns& columns) {
    return {columns.comment, columns.count() > 1};
}

// One past the line at `at` if it is no row, else nullptr.
const char* skip_no_row(const char* at, const char* last, LineRules rules);

// The delimiter that the header uses: comma, else tab, else semicolon.
char guess_delimiter(const Source& source, char comment);

// A field of a row: its text without quotes, and where it ends (at a delimiter, a line end or
// the end of the text). `closed` is false where a quote has no partner.
struct CsvField {
    std::string text;
    const char* end = nullptr;
    bool closed = true;
    bool was_quoted = false;
};
// Quoted fields of the header may run over line ends, those of rows may not.
CsvField read_csv_field(const char* first, const char* last, char delimiter, bool may_span_lines);

}  // namespace sven::io
