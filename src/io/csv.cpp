#include "io/csv.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>

#include "io/block.hpp"
#include "io/csv_columns.hpp"
#include "io/csv_rows.hpp"
#include "io/csv_texts.hpp"
#include "io/drop_rows.hpp"
#include "io/encode.hpp"
#include "io/foreign.hpp"
#include "io/number.hpp"
#include "io/transpose.hpp"

namespace sven::io {

namespace {

Index number_rows(std::vector<Chunk>& chunks, const CsvColumns& columns, int threads) {
    const LineRules rules = line_rules(columns);
    (void)for_each_chunk(chunks.size(), threads, [&](std::size_t k) -> std::optional<Fault> {
        Chunk& chunk = chunks[k];
        for (const char* at = chunk.begin; at != chunk.end;) {
            const char* const next = skip_no_row(at, chunk.end, rules);
            const char* const from = at;
            chunk.rows += next == nullptr ? 1 : 0;
            at = next == nullptr ? next_row(at, chunk.end, rules) : next;
            const auto size = static_cast<std::size_t>(at - from);
            chunk.has_quotes = chunk.has_quotes || std::memchr(from, '"', size) != nullptr;
            chunk.lines += rules.rows_span_lines ? lines_in(from, at) : 1;
        }
        return std::nullopt;
    });
    Index rows = 0;
    Index lines = columns.header_lines;
    for (Chunk& chunk : chunks) {
        chunk.first_row = rows;
        chunk.first_line = lines;
        rows += chunk.rows;
        lines += chunk.lines;
    }
    return rows;
}

// Where the lines of a part begin: the first line end after its share of the bytes.
const char* part_begin(const CsvColumns& columns, const char* end, Index part, Index parts) {
    if (part == 0) return columns.data;
    if (part == parts) return end;
    const auto size = static_cast<std::size_t>(end - columns.data);
    const auto share = static_cast<std::size_t>(part) * (size / static_cast<std::size_t>(parts));
    return share == 0 ? columns.data : next_line(columns.data + share - 1, end);
}

void take_part(const Source& source, const ReadOptions& options, CsvColumns& columns) {
    columns.first = part_begin(columns, source.end(), options.part, options.parts);
    columns.end = part_begin(columns, source.end(), options.part + 1, options.parts);
}

// The rows of the table in chunks; rows that span lines are found only if there may be any.
std::vector<Chunk> split(const Source& source, const ReadOptions& options, CsvColumns& columns,
                         std::size_t chunk_size) {
    take_part(source, options, columns);
    const Parallelism parallelism{options.threads, chunk_size};
    std::vector<Chunk> chunks = split_at_lines(columns.first, columns.end, parallelism);
    (void)number_rows(chunks, columns, options.threads);
    const bool has_quotes = std::any_of(chunks.begin(), chunks.end(),
                                        [](const Chunk& chunk) { return chunk.has_quotes; });
    columns.rows_span_lines =
        has_quotes && has_spanning_quotes(columns.first, columns.end, columns.delimiter);
    if (!columns.rows_span_lines) return chunks;
    if (options.parts > 1)
        raise(source.path(), {0, 0, "a table whose rows span lines is not read in parts"});
    chunks = split_at_rows(columns.first, columns.end, parallelism, line_rules(columns));
    (void)number_rows(chunks, columns, options.threads);
    return chunks;
}

Index count_rows(const std::vector<Chunk>& chunks) {
    return chunks.empty() ? 0 : chunks.back().first_row + chunks.back().rows;
}

// A table during the conversion from text to features.
class CsvReader {
  public:
    CsvReader(const Source& source, const ReadOptions& options, char delimiter,
              std::size_t chunk_size)
        : source_(source),
          options_(options),
          columns_(read_csv_columns(source, options, delimiter)),
          chunks_(split(source, options, columns_, chunk_size)),
          rows_(count_rows(chunks_)),
          rules_{columns_, {}, {options.decimal, options.thousands}, {}},
          texts_(chunks_.size()) {
        if (rows_ == 0 && options.parts == 1)
            raise(source.path(), {0, 0, "there is a header, but no rows"});
        choose_kinds();
        if (!fits()) parse_all({std::vector<double*>(columns_.names.size(), nullptr)}, 1);
        if (options.one_hot && options.one_hot_columns.empty() && options.encoding == nullptr)
            find_texts();
    }

    Dataset read(bool fills_missing_values) {
        Dataset data;
        const auto features =
            std::count(columns_.roles.begin(), columns_.roles.end(), Role::feature);
        Index numeric = 0;
        for (std::size_t j = 0; j < columns_.roles.size(); ++j)
            numeric += is_numeric_feature(j) ? 1 : 0;
        std::shared_ptr<double[]> block = make_block(rows_ * numeric);
        parse_all(destinations(block.get(), data), options_.threads);
        take_names(data);
        Index cols = numeric;
        if (numeric < features) block = expand_texts(block, data, cols);
        if (cols == 0 && options_.features == nullptr)
            raise(source_.path(), {0, 0, "there is no column left for a feature"});
        if (options_.fold_column) {
            TextColumn column = take_texts(Role::folds, "fold");
            data.folds = std::move(column.codes);
            data.fold_levels = std::move(column.levels);
        }
        if (options_.target_may_be_text) take_target(data);
        if (options_.drop_missing)
            rows_ = drop_rows(source_, {block.get(), rows_, cols}, !fills_missing_values, data);
        if (fills_missing_values)
            impute_means(source_, {block.get(), rows_, cols}, options_.encoding, data);
        data.X = column_major(block.get(), rows_, cols);
        data.storage = block;
        return data;
    }

  private:
    // The lines before a part are counted where somebody wants to know.
    [[noreturn]] void refuse(Fault fault) const {
        if (fault.line > 0) fault.line += std::count(columns_.data, columns_.first, '\n');
        raise(source_.path(), fault);
    }

    void choose_kinds() {
        for (std::size_t j = 0; j < columns_.names.size(); ++j)
            rules_.kinds.push_back(kind_of(columns_.roles[j], columns_.names[j]));
        rules_.is_date.assign(columns_.names.size(), 0);
        for (const std::string& name : options_.dates)
            mark_date(find_name(source_.path(), columns_.names, name));
        if (options_.encoding != nullptr)
            for (std::size_t j = 0; j < columns_.names.size(); ++j)
                if (is_among(options_.encoding->dates, columns_.names[j]))
                    mark_date(static_cast<Index>(j));
        for (const std::string& name : options_.one_hot_columns) {
            const Index j = find_name(source_.path(), columns_.names, name);
            if (columns_.roles[static_cast<std::size_t>(j)] != Role::feature)
                raise(source_.path(),
                      {0, 0, "the column " + in_quotes(name) + " is not one of the features"});
            rules_.kinds[static_cast<std::size_t>(j)] = FieldKind::text;
        }
    }

    static bool is_among(const std::vector<std::string>& names, const std::string& name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    }

    void mark_date(Index column) {
        const auto j = static_cast<std::size_t>(column);
        FieldKind& kind = rules_.kinds[j];
        if (kind > FieldKind::converted_or_missing) return;
        kind = may_be_missing(kind) ? FieldKind::converted_or_missing : FieldKind::converted;
        rules_.is_date[j] = 1;
    }

    FieldKind kind_of(Role role, const std::string& name) const {
        if (role == Role::row_name) return FieldKind::row_name;
        if (role == Role::skipped) return FieldKind::skipped;
        if (role == Role::folds) return FieldKind::text;
        if (role == Role::target && options_.target_may_be_text) return FieldKind::text;
        if (role == Role::feature && known_levels(name) != nullptr) return FieldKind::text;
        bool misses = options_.drop_missing;
        if (role == Role::feature) misses = misses || is_filled_in(name);
        if (role == Role::target || role == Role::failures)
            misses = misses || options_.target_may_be_missing;
        if (rules_.style.is_plain())
            return misses ? FieldKind::number_or_missing : FieldKind::number;
        return misses ? FieldKind::converted_or_missing : FieldKind::converted;
    }

    bool is_filled_in(const std::string& feature) const {
        const Encoding* const known = options_.encoding;
        if (known == nullptr) return options_.impute_mean;
        return std::any_of(known->means.begin(), known->means.end(),
                           [&](const auto& entry) { return entry.first == feature; });
    }

    const Encoding::Levels* known_levels(const std::string& column) const {
        if (options_.encoding == nullptr) return nullptr;
        for (const Encoding::Levels& text : options_.encoding->one_hot)
            if (text.column == column) return &text;
        return nullptr;
    }

    // Each field needs at least a delimiter. Fewer bytes than that mean a ragged row somewhere:
    // find it before memory is allocated for it.
    bool fits() const {
        Index per_row = 0;
        for (const FieldKind kind : rules_.kinds)
            per_row += kind == FieldKind::number || kind == FieldKind::converted ? 2 : 1;
        return rows_ <= (columns_.end - columns_.first + 1) / std::max<Index>(per_row, 1);
    }

    void find_texts() {
        std::vector<std::vector<char>> is_text(chunks_.size(),
                                               std::vector<char>(columns_.names.size(), 0));
        const auto fault = for_each_chunk(chunks_.size(), options_.threads, [&](std::size_t k) {
            return mark_text_columns(chunks_[k], rules_, is_text[k]);
        });
        if (fault) refuse(*fault);
        for (const auto& part : is_text) {
            for (std::size_t j = 0; j < part.size(); ++j)
                if (part[j] && columns_.roles[j] == Role::feature && !rules_.is_date[j])
                    rules_.kinds[j] = FieldKind::text;
        }
    }

    Destinations destinations(double* block, Dataset& data) {
        Destinations to{std::vector<double*>(columns_.names.size(), nullptr)};
        codes_.resize(columns_.names.size());
        const auto place = [&](std::vector<double>& values) {
            values.resize(static_cast<std::size_t>(rows_));
            return values.data();
        };
        for (std::size_t j = 0; j < columns_.roles.size(); ++j) {
            if (columns_.roles[j] == Role::target)
                to.columns[j] = place(rules_.kinds[j] == FieldKind::text ? codes_[j] : data.y);
            if (columns_.roles[j] == Role::weights) to.columns[j] = place(data.weights);
            if (columns_.roles[j] == Role::folds) to.columns[j] = place(codes_[j]);
            if (columns_.roles[j] == Role::offset) to.columns[j] = place(data.offset);
            if (columns_.roles[j] == Role::failures) to.columns[j] = place(data.failures);
            if (columns_.roles[j] != Role::feature) continue;
            if (rules_.kinds[j] == FieldKind::text) {
                to.columns[j] = place(codes_[j]);
            } else {
                to.columns[j] = block;
                block += rows_;
            }
        }
        return to;
    }

    void parse_all(const Destinations& to, int threads) {
        const auto fault = for_each_chunk(chunks_.size(), threads, [&](std::size_t k) {
            return parse_rows(chunks_[k], rules_, to, texts_[k]);
        });
        if (fault) refuse(*fault);
    }

    void take_names(Dataset& data) const {
        for (std::size_t j = 0; j < columns_.names.size(); ++j) {
            if (columns_.roles[j] == Role::feature) data.feature_names.push_back(columns_.names[j]);
            if (columns_.roles[j] == Role::target) data.target_name = columns_.names[j];
            if (rules_.is_date[j] && columns_.roles[j] == Role::feature)
                data.encoding.dates.push_back(columns_.names[j]);
        }
        for (const ChunkTexts& part : texts_)
            data.row_names.insert(data.row_names.end(), part.row_names.begin(),
                                  part.row_names.end());
        for (const std::string& name : data.row_names) refuse_other_encoding(source_, name);
        data.ignored = ignored_names(columns_);
        data.target_was_guessed = columns_.target_was_guessed;
        data.has_row_names = columns_.has_row_names;
    }

    bool is_numeric_feature(std::size_t j) const {
        return columns_.roles[j] == Role::feature && rules_.kinds[j] != FieldKind::text;
    }

    // A column outside the features: numbers if all of it are, else places among its texts.
    TextColumn take_texts(Role wanted, const char* what) {
        const auto role = std::find(columns_.roles.begin(), columns_.roles.end(), wanted);
        const auto j = static_cast<std::size_t>(role - columns_.roles.begin());
        TextColumn column;
        if (role == columns_.roles.end()) return column;
        column.codes = std::move(codes_[j]);
        join_dictionaries(source_, chunks_, texts_,
                          {static_cast<Index>(j), columns_.names[j], nullptr, false}, column);
        take_numbers(rules_.style, column);
        const bool may_be_missing =
            options_.drop_missing || (wanted == Role::target && options_.target_may_be_missing);
        for (std::size_t i = 0; i < column.codes.size(); ++i)
            if (std::isnan(column.codes[i]) && !may_be_missing)
                raise(source_.path(), {0, 0,
                                       "row " + std::to_string(i + 1) + " has no " + what +
                                           " in the column " + in_quotes(columns_.names[j]),
                                       FaultKind::missing_target});
        return column;
    }

    void take_target(Dataset& data) {
        TextColumn column = take_texts(Role::target, "class");
        data.y = std::move(column.codes);
        data.target_levels = std::move(column.levels);
    }

    // The levels of a column of texts, whose codes become places among them.
    Encoding::Levels join_levels(std::size_t j) {
        const std::string& name = columns_.names[j];
        const Encoding::Levels* const known = known_levels(name);
        TextColumn column;
        column.codes = std::move(codes_[j]);
        join_dictionaries(source_, chunks_, texts_,
                          {static_cast<Index>(j), name, known ? &known->levels : nullptr, true},
                          column);
        codes_[j] = std::move(column.codes);
        const bool has_reference = known ? known->has_reference : options_.one_hot_drop_first;
        return {name, std::move(column.levels), has_reference};
    }

    // A new block, with a 0/1 column for each level of each column of texts.
    std::shared_ptr<double[]> expand_texts(const std::shared_ptr<double[]>& numbers, Dataset& data,
                                           Index& cols) {
        std::vector<Encoding::Levels> columns(columns_.names.size());
        for (std::size_t j = 0; j < columns.size(); ++j) {
            if (columns_.roles[j] != Role::feature || is_numeric_feature(j)) continue;
            columns[j] = join_levels(j);
            cols += static_cast<Index>(columns[j].levels.size()) - columns[j].has_reference;
        }
        std::shared_ptr<double[]> block = make_block(rows_ * cols);
        data.feature_names.clear();
        const double* from = numbers.get();
        double* to = block.get();
        for (std::size_t j = 0; j < columns.size(); ++j) {
            if (columns_.roles[j] != Role::feature) continue;
            const std::string& name = columns_.names[j];
            if (rules_.kinds[j] != FieldKind::text) {
                data.feature_names.push_back(name);
                to = std::copy(from, from + rows_, to);
                from += rows_;
                continue;
            }
            for (std::size_t level = columns[j].has_reference; level < columns[j].levels.size();
                 ++level) {
                data.feature_names.push_back(name + "=" + columns[j].levels[level]);
                for (const double code : codes_[j])
                    *to++ = code == static_cast<double>(level) ? 1 : 0;
            }
            data.encoding.one_hot.push_back(std::move(columns[j]));
        }
        return block;
    }

    const Source& source_;
    const ReadOptions& options_;
    CsvColumns columns_;
    std::vector<Chunk> chunks_;
    Index rows_ = 0;
    RowRules rules_;
    std::vector<ChunkTexts> texts_;
    std::vector<std::vector<double>> codes_;  // of the columns of texts
};

// Features in rows: the table is read unchanged, without roles, and then transposed.
Dataset read_transposed(const Source& source, const ReadOptions& options, char delimiter,
                        std::size_t chunk_size) {
    ReadOptions plain;
    plain.has_response = false;
    plain.impute_mean = options.impute_mean || options.encoding != nullptr;
    plain.threads = options.threads;
    plain.comment = options.comment;
    plain.decimal = options.decimal;
    plain.thousands = options.thousands;
    plain.id_column = options.id_column;
    plain.transpose = true;
    Dataset table = CsvReader(source, plain, delimiter, chunk_size).read(false);
    return transpose_table(source, options, std::move(table));
}

}  // namespace

Dataset read_csv(const Source& source, const ReadOptions& options) {
    const char delimiter = guess_delimiter(source, options.comment, options.decimal);
    if (delimiter != ' ') return read_csv(source, options, delimiter);
    return read_csv(Source(source.path(), tabs_for_blanks(source)), options, '\t');
}

Dataset read_csv(const Source& source, const ReadOptions& options, char delimiter,
                 std::size_t chunk_size) {
    source.expect_one_sequential_pass();
    if (options.transpose) return read_transposed(source, options, delimiter, chunk_size);
    const bool fills =
        options.impute_mean || (options.encoding != nullptr && !options.encoding->means.empty());
    return CsvReader(source, options, delimiter, chunk_size).read(fills);
}

}  // namespace sven::io
