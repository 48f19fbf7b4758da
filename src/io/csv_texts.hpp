#pragma once
// Columns of texts, turned into 0/1 features.

#include "io/csv_rows.hpp"
#include "sven/io.hpp"

namespace sven::io {

// One column of texts over all rows, as places in a sorted list of its levels.
struct TextColumn {
    std::vector<std::string> levels;
    std::vector<double> codes;  // one a row
};

// Which column it is.
struct TextSource {
    Index number = 0;
    std::string name;
    const std::vector<std::string>* known = nullptr;  // the levels of a model
};

// Brings the codes that each chunk gave by its own dictionary to the sorted levels of all, or to
// those that are known. Throws ParseError on a text that is not among these, or on too many.
void join_dictionaries(const Source& source, const std::vector<Chunk>& chunks,
                       const std::vector<ChunkTexts>& texts, const TextSource& column,
                       TextColumn& result);

}  // namespace sven::io
