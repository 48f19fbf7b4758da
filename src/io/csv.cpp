#include "io/csv.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "io/block.hpp"
#include "io/csv_columns.hpp"
#include "io/csv_rows.hpp"
#include "io/csv_texts.hpp"
#include "io/encode.hpp"
#include "io/transpose.hpp"

namespace sven::io {

namespace {

Index number_rows(std::vector<Chunk>& chunks, const CsvColumns& columns, int threads) {
    const LineRules rules = line_rules(columns);
    (void)for_each_chunk(chunks.size(), threads, [&](std::size_t k) -> std::optional<Fault> {
        Chunk& chunk = chunks[k];
        for (const char* at = chunk.begin; at != chunk.end; ++chunk.lines) {
            const char* const next = skip_no_row(at, chunk.end, rules);
            chunk.rows += next == nullptr ? 1 : 0;
            at = next == nullptr ? next_line(at, chunk.end) : next;
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

// A table during the conversion from text to features.
class CsvReader {
  public:
    CsvReader(const Source& source, const ReadOptions& options, char delimiter,
              std::size_t chunk_size)
        : source_(source),
          options_(options),
          columns_(read_csv_columns(source, options, delimiter)),
          chunks_(split_at_lines(columns_.data, source.end(), {options.threads, chunk_size})),
          rows_(number_rows(chunks_, columns_, options.threads)),
          rules_{columns_, {}},
          texts_(chunks_.size()) {
        if (rows_ == 0) raise(source.path(), {0, 0, "there is a header, but no rows"});
        choose_kinds();
        if (!fits()) parse_all({std::vector<double*>(columns_.names.size(), nullptr)}, 1);
        if (options.one_hot && options.encoding == nullptr) find_texts();
    }

    Dataset read(bool fills_missing_values) {
        Dataset data;
        const auto features =
            std::count(columns_.roles.begin(), columns_.roles.end(), Role::feature);
        const auto numeric =
            features - std::count(rules_.kinds.begin(), rules_.kinds.end(), FieldKind::text);
        std::shared_ptr<double[]> block = make_block(rows_ * numeric);
        parse_all(destinations(block.get(), data), options_.threads);
        take_names(data);
        Index cols = numeric;
        if (numeric < features) block = expand_texts(block, data, cols);
        if (cols == 0 && options_.features == nullptr)
            raise(source_.path(), {0, 0, "there is no column left for a feature"});
        if (fills_missing_values)
            impute_means(source_, {block.get(), rows_, cols}, options_.encoding, data);
        data.X = column_major(block.get(), rows_, cols);
        data.storage = block;
        return data;
    }

  private:
    void choose_kinds() {
        for (std::size_t j = 0; j < columns_.names.size(); ++j) {
            const Role role = columns_.roles[j];
            FieldKind kind = FieldKind::number;
            if (role == Role::feature) kind = kind_of_feature(columns_.names[j]);
            if (role == Role::row_name) kind = FieldKind::row_name;
            if (role == Role::skipped) kind = FieldKind::skipped;
            rules_.kinds.push_back(kind);
        }
    }

    FieldKind kind_of_feature(const std::string& name) const {
        const Encoding* const known = options_.encoding;
        if (levels_of(name) != nullptr) return FieldKind::text;
        if (known == nullptr)
            return options_.impute_mean ? FieldKind::number_or_missing : FieldKind::number;
        const bool has_mean = std::any_of(known->means.begin(), known->means.end(),
                                          [&](const auto& entry) { return entry.first == name; });
        return has_mean ? FieldKind::number_or_missing : FieldKind::number;
    }

    const std::vector<std::string>* levels_of(const std::string& column) const {
        if (options_.encoding == nullptr) return nullptr;
        for (const Encoding::Levels& text : options_.encoding->one_hot)
            if (text.column == column) return &text.levels;
        return nullptr;
    }

    // Each field needs at least a delimiter. Fewer bytes than that mean a ragged row somewhere:
    // find it before memory is allocated for it.
    bool fits() const {
        Index per_row = 0;
        for (const FieldKind kind : rules_.kinds)
            per_row += kind == FieldKind::number || kind == FieldKind::text ? 2 : 1;
        return rows_ <= (source_.end() - columns_.data + 1) / std::max<Index>(per_row, 1);
    }

    void find_texts() {
        std::vector<std::vector<char>> is_text(chunks_.size(),
                                               std::vector<char>(columns_.names.size(), 0));
        const auto fault = for_each_chunk(chunks_.size(), options_.threads, [&](std::size_t k) {
            return mark_text_columns(chunks_[k], rules_, is_text[k]);
        });
        if (fault) raise(source_.path(), *fault);
        for (const auto& part : is_text) {
            for (std::size_t j = 0; j < part.size(); ++j)
                if (part[j] && columns_.roles[j] == Role::feature)
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
            if (columns_.roles[j] == Role::target) to.columns[j] = place(data.y);
            if (columns_.roles[j] == Role::weights) to.columns[j] = place(data.weights);
            if (columns_.roles[j] == Role::folds) to.columns[j] = place(data.folds);
            if (columns_.roles[j] == Role::offset) to.columns[j] = place(data.offset);
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
        if (fault) raise(source_.path(), *fault);
    }

    void take_names(Dataset& data) const {
        for (std::size_t j = 0; j < columns_.names.size(); ++j) {
            if (columns_.roles[j] == Role::feature) data.feature_names.push_back(columns_.names[j]);
            if (columns_.roles[j] == Role::target) data.target_name = columns_.names[j];
        }
        for (const ChunkTexts& part : texts_)
            data.row_names.insert(data.row_names.end(), part.row_names.begin(),
                                  part.row_names.end());
        data.ignored = ignored_names(columns_);
        data.target_was_guessed = columns_.target_was_guessed;
        data.has_row_names = columns_.has_row_names;
    }

    // A new block, with a 0/1 column for each level but the first of each column of texts.
    std::shared_ptr<double[]> expand_texts(const std::shared_ptr<double[]>& numbers, Dataset& data,
                                           Index& cols) {
        std::vector<TextColumn> columns(columns_.names.size());
        for (std::size_t j = 0; j < columns.size(); ++j) {
            if (rules_.kinds[j] != FieldKind::text) continue;
            columns[j].codes = std::move(codes_[j]);
            join_dictionaries(
                source_, chunks_, texts_,
                {static_cast<Index>(j), columns_.names[j], levels_of(columns_.names[j])},
                columns[j]);
            cols += static_cast<Index>(columns[j].levels.size()) - 1;
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
            for (std::size_t level = 1; level < columns[j].levels.size(); ++level) {
                data.feature_names.push_back(name + "=" + columns[j].levels[level]);
                for (const double code : columns[j].codes)
                    *to++ = code == static_cast<double>(level) ? 1 : 0;
            }
            data.encoding.one_hot.push_back({name, std::move(columns[j].levels)});
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
    plain.id_column = options.id_column;
    plain.transpose = true;
    Dataset table = CsvReader(source, plain, delimiter, chunk_size).read(false);
    return transpose_table(source, options, std::move(table));
}

}  // namespace

Dataset read_csv(const Source& source, const ReadOptions& options, char delimiter,
                 std::size_t chunk_size) {
    source.expect_one_sequential_pass();
    if (options.transpose) return read_transposed(source, options, delimiter, chunk_size);
    const bool fills =
        options.impute_mean || (options.encoding != nullptr && !options.encoding->means.empty());
    return CsvReader(source, options, delimiter, chunk_size).read(fills);
}

}  // namespace sven::io
