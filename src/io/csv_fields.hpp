#pragma once
// The text of a CSV file: where rows and fields begin and end.

#include <algorithm>
#include <string>

#include "io/chunks.hpp"
#include "io/source.hpp"

namespace sven::io {

bool ends_row(const char* at, const char* last);
const char* after_row(const char* at, const char* last);
const char* skip_byte_order_mark(const Source& source);

// A field of a row: its text without quotes, and where it ends (at a delimiter, a line end or the
// end of the text). `closed` is false if a quote is not closed.
struct CsvField {
    std::string text;
    const char* end = nullptr;
    bool closed = true;
    bool was_quoted = false;
};
// Quoted fields may contain line ends if they may span lines.
CsvField read_csv_field(const char* first, const char* last, char delimiter, bool may_span_lines);

// Which lines are not rows, and where rows end.
struct LineRules {
    char comment = 0;
    bool skips_blank = true;
    char delimiter = ',';
    bool rows_span_lines = false;  // there are quoted fields with line ends in them
};

// One past the line at `at` if it is not a row, else nullptr.
const char* skip_no_row(const char* at, const char* last, LineRules rules);
// The first row at or after `at`.
const char* skip_to_row(const char* at, const char* last, LineRules rules);
// One past the row that begins at `at`.
const char* next_row(const char* at, const char* last, LineRules rules);

// At least one, also without a newline at the end.
inline Index lines_in(const char* first, const char* last) {
    return std::max<Index>(std::count(first, last, '\n'), 1);
}

// Whether a quoted field holds a line end, or is not closed.
bool has_spanning_quotes(const char* first, const char* last, char delimiter);

// As split_at_lines, for rows that span lines. One thread has to find where they begin.
std::vector<Chunk> split_at_rows(const char* begin, const char* end, Parallelism parallelism,
                                 LineRules rules);

Index count_fields(const char* first, const char* last, char delimiter);

// The delimiter that the header uses: comma, else tab, semicolon or bar, else ' ' for any number of
// blanks, if the first row has as many fields. A decimal comma is the last to be taken for a
// delimiter.
char guess_delimiter(const Source& source, char comment, char decimal);

// The same text with a tab for the blanks between fields.
std::vector<char> tabs_for_blanks(const Source& source);

}  // namespace sven::io
