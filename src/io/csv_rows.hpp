#pragma once
// The rows of a CSV file: numbers into a tile, texts into dictionaries.

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "io/chunks.hpp"
#include "io/csv_columns.hpp"
#include "io/local_values.hpp"

namespace sven::io {

enum class FieldKind : unsigned char {
    number,
    number_or_missing,  // NaN if missing
    converted,          // a number in another style, or a date
    converted_or_missing,
    text,  // its code in the chunk's dictionary
    row_name,
    skipped,
};

inline bool may_be_missing(FieldKind kind) {
    return kind == FieldKind::number_or_missing || kind == FieldKind::converted_or_missing;
}

struct RowRules {
    const CsvColumns& columns;
    std::vector<FieldKind> kinds;  // of each field of a row
    NumberStyle style = {};
    std::vector<char> is_date = {};  // of each field of a row
};

// The level of fields without a text.
inline constexpr const char* missing_level = "(missing)";

// The texts of one column in one chunk, in order of appearance.
struct Dictionary {
    std::unordered_map<std::string, Index> codes;
    std::vector<std::string> words;

    Index code(const std::string& word);
};

// The contents of the rows of a chunk besides numbers.
struct ChunkTexts {
    std::vector<std::string> row_names;
    std::map<Index, Dictionary> columns;
};

// The destination of each column of the file; nullptr: none.
struct Destinations {
    std::vector<double*> columns;
};

// Parses the rows of a chunk into the destinations, from row chunk.first_row on.
std::optional<Fault> parse_rows(const Chunk& chunk, const RowRules& rules,
                                const Destinations& destinations, ChunkTexts& texts);

// Marks the columns with a field that is neither a number nor missing.
std::optional<Fault> mark_text_columns(const Chunk& chunk, const RowRules& rules,
                                       std::vector<char>& is_text);

}  // namespace sven::io
