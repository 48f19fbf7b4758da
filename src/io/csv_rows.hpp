#pragma once
// The rows of a CSV file: numbers into a tile, texts into dictionaries.

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "io/chunks.hpp"
#include "io/csv_columns.hpp"

namespace sven::io {

enum class FieldKind : unsigned char {
    number,
    number_or_missing,  // NaN where it is missing
    text,               // its code in the chunk's dictionary
    row_name,
    skipped,
};

struct RowRules {
    const CsvColumns& columns;
    std::vector<FieldKind> kinds;  // of each field of a row
};

// The texts of one column in one chunk, in the order in which they came.
struct Dictionary {
    std::unordered_map<std::string, Index> codes;
    std::vector<std::string> words;

    Index code(const std::string& word);
};

// What the rows of a chunk hold besides numbers.
struct ChunkTexts {
    std::vector<std::string> row_names;
    std::map<Index, Dictionary> columns;
};

// Where each column of the file goes; nullptr: nowhere.
struct Destinations {
    std::vector<double*> columns;
};

// Parses the rows of a chunk into rows chunk.first_row and on of the destinations.
std::optional<Fault> parse_rows(const Chunk& chunk, const RowRules& rules,
                                const Destinations& destinations, ChunkTexts& texts);

// Marks the columns in which some field is neither a number nor missing.
std::optional<Fault> mark_text_columns(const Chunk& chunk, const RowRules& rules,
                                       std::vector<char>& is_text);

}  // namespace sven::io
