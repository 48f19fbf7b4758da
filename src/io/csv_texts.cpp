#include "io/csv_texts.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "io/foreign.hpp"
#include "io/number.hpp"
#include "io/tuning.hpp"

namespace sven::io {

namespace {

const Dictionary* find(const ChunkTexts& texts, Index column) {
    const auto found = texts.columns.find(column);
    return found == texts.columns.end() ? nullptr : &found->second;
}

std::vector<std::string> all_levels(const std::vector<ChunkTexts>& texts, Index column) {
    std::set<std::string> levels;
    for (const ChunkTexts& part : texts)
        if (const Dictionary* const words = find(part, column))
            levels.insert(words->words.begin(), words->words.end());
    return {levels.begin(), levels.end()};
}

[[noreturn]] void refuse_level(const Source& source, const TextSource& column,
                               const std::string& word, Index row) {
    const std::string where = " (row " + std::to_string(row) + ")";
    const std::string name = " in the column " + in_quotes(column.name);
    if (word == missing_level)
        raise(source.path(), {0, 0,
                              "the value" + name +
                                  " is missing, but never was when the model was "
                                  "fitted" +
                                  where});
    raise(source.path(),
          {0, 0, in_quotes(word) + name + " is a level that the model does not know" + where});
}

}  // namespace

void join_dictionaries(const Source& source, const std::vector<Chunk>& chunks,
                       const std::vector<ChunkTexts>& texts, const TextSource& column,
                       TextColumn& result) {
    for (const ChunkTexts& part : texts)
        if (const Dictionary* const words = find(part, column.number))
            for (const std::string& word : words->words) refuse_other_encoding(source, word);
    result.levels = column.known != nullptr ? *column.known : all_levels(texts, column.number);
    if (column.becomes_features && result.levels.size() > most_levels) {
        raise(source.path(), {0, 0,
                              "the column " + in_quotes(column.name) + " holds " +
                                  std::to_string(result.levels.size()) +
                                  " different texts, too many to make features of (" +
                                  std::to_string(most_levels) + " at the most)"});
    }
    for (std::size_t k = 0; k < chunks.size(); ++k) {
        const Dictionary* const words = find(texts[k], column.number);
        if (words == nullptr) continue;
        std::vector<double> places;
        for (const std::string& word : words->words) {
            const auto at = std::lower_bound(result.levels.begin(), result.levels.end(), word);
            if (at == result.levels.end() || *at != word) {
                const auto rows = result.codes.begin() + chunks[k].first_row;
                const auto first = std::find(rows, rows + chunks[k].rows, places.size());
                refuse_level(source, column, word, first - result.codes.begin() + 1);
            }
            places.push_back(static_cast<double>(at - result.levels.begin()));
        }
        for (Index i = chunks[k].first_row; i < chunks[k].first_row + chunks[k].rows; ++i) {
            double& code = result.codes[static_cast<std::size_t>(i)];
            code = places[static_cast<std::size_t>(code)];
        }
    }
}

void take_numbers(NumberStyle style, TextColumn& column) {
    std::vector<double> values(column.levels.size());
    std::vector<std::string> kept;
    bool are_numbers = true;
    for (std::size_t k = 0; k < values.size(); ++k) {
        if (column.levels[k] == missing_level) continue;
        kept.push_back(column.levels[k]);
        const std::optional<std::string> plain =
            style.is_plain() ? column.levels[k] : plain_number(column.levels[k], style);
        are_numbers = are_numbers && plain && parse_number(*plain, values[k]);
    }
    std::size_t place = 0;
    for (std::size_t k = 0; k < values.size(); ++k) {
        if (column.levels[k] == missing_level)
            values[k] = std::numeric_limits<double>::quiet_NaN();
        else if (!are_numbers)
            values[k] = static_cast<double>(place++);
    }
    for (double& code : column.codes) code = values[static_cast<std::size_t>(code)];
    column.levels = are_numbers ? std::vector<std::string>() : std::move(kept);
}

}  // namespace sven::io
