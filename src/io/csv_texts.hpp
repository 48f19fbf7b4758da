#pragma once
// Columns of texts, converted to 0/1 features.

#include "io/csv_rows.hpp"
#include "sven/io.hpp"

namespace sven::io {

// One column of texts over all rows, as indices into a sorted list of its levels.
struct TextColumn {
    std::vector<std::string> levels;
    std::vector<double> codes;  // one per row
};

// Identifies a column.
struct TextSource {
    Index number = 0;
    std::string name;
    const std::vector<std::string>* known = nullptr;  // the levels of a model
    bool becomes_features = true;                     // so that there may not be too many levels
};

// Maps the codes of each chunk's own dictionary to the sorted levels of all chunks, or to the known
// levels. Throws ParseError on a text that is not among these, or on too many levels.
void join_dictionaries(const Source& source, const std::vector<Chunk>& chunks,
                       const std::vector<ChunkTexts>& texts, const TextSource& column,
                       TextColumn& result);

// If every level is a number, the codes become these numbers and no levels are left; NaN where the
// text is missing, which is no level.
void take_numbers(NumberStyle style, TextColumn& column);

}  // namespace sven::io
