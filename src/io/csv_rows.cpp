#include "io/csv_rows.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "io/number.hpp"

namespace sven::io {

namespace {

// Rows are parsed into a small row-major tile and copied to the columns eight at a time: one cache
// line of each column, instead of one number in each of p cache lines.
constexpr Index tile_rows = 8;

class RowParser {
  public:
    RowParser(const RowRules& rules, ChunkTexts& texts)
        : columns_(rules.columns), rules_(rules), kinds_(rules.kinds.data()), texts_(texts) {}

    // Marks the column of a text that should be a number, instead of rejecting it.
    void mark_texts_in(std::vector<char>& is_text) { is_text_ = &is_text; }

    // Parses the row at `first` into out[0 .. columns). Returns the start of the next line, or
    // nullptr with the fault's column and text set.
    const char* parse(const char* first, const char* last, double* out, Fault& fault) {
        const Index count = columns_.count();
        const char delimiter = columns_.delimiter;
        for (Index j = 0; j < count; ++j) {
            const char* end = nullptr;
            // Plain numbers, each followed by a delimiter: the common case.
            if (kinds_[j] <= FieldKind::number_or_missing) {
                end = scan_short_decimal(first, out[j]);
                if (end != nullptr && *end == delimiter && j < count - 1) {
                    first = end + 1;
                    continue;
                }
            }
            end = parse_field(first, last, j, out, fault);
            if (end == nullptr) return nullptr;
            const bool row_ends = end == last || *end == '\n';
            if (row_ends != (j == count - 1)) return report_ragged(end, last, j + 1, fault);
            first = end == last ? last : end + 1;
        }
        if (columns_.weights >= 0 && out[columns_.weights] < 0) {
            fault.column = columns_.weights + 1;
            fault.what = "a weight is negative" + in_column(columns_.weights);
            return nullptr;
        }
        return first;
    }

  private:
    // A carriage return is allowed only as part of the line end.
    static const char* after_carriage_return(const char* at, const char* last) {
        return at + 1 == last || at[1] == '\n' ? at + 1 : at;
    }

    bool ends_field(const char* at, const char* last) const {
        return at == last || *at == columns_.delimiter || *at == '\n';
    }

    // Returns the delimiter or line end after the field, nullptr on a fault.
    const char* parse_field(const char* first, const char* last, Index j, double* out,
                            Fault& fault) {
        if (kinds_[j] <= FieldKind::number_or_missing) {
            double value = 0;
            while (first != last && *first == ' ') ++first;
            const char* end = scan_number(first, last, value);
            if (end != nullptr && end != last && *end == '\r')
                end = after_carriage_return(end, last);
            if (end != nullptr && ends_field(end, last) && std::isfinite(value)) {
                out[j] = value;
                return end;
            }
        }
        return parse_odd_field(first, last, j, out, fault);
    }

    // Quotes, spaces, missing values, text: everything that is not a plain number.
    const char* parse_odd_field(const char* first, const char* last, Index j, double* out,
                                Fault& fault) {
        const CsvField field =
            read_csv_field(first, last, columns_.delimiter, columns_.rows_span_lines);
        fault.column = j + 1;
        if (!field.closed) {
            fault.what = "the quote is not closed" + in_column(j);
            return nullptr;
        }
        if (!take(field, j, out[j], fault)) return nullptr;
        return field.end != last && *field.end == '\r' ? field.end + 1 : field.end;
    }

    bool take(const CsvField& field, Index j, double& out, Fault& fault) {
        switch (kinds_[j]) {
            case FieldKind::skipped:
                return true;
            case FieldKind::row_name:
                texts_.row_names.push_back(field.text);
                return true;
            case FieldKind::text:
                take_text(field, j, out);
                return true;
            default:
                return take_number(field, j, out, fault);
        }
    }

    void take_text(const CsvField& field, Index j, double& out) {
        const bool is_missing =
            field.text.empty() || (!field.was_quoted && is_missing_word(field.text));
        out = static_cast<double>(texts_.columns[j].code(is_missing ? missing_level : field.text));
    }

    bool take_number(const CsvField& field, Index j, double& out, Fault& fault) {
        double value = 0;
        if (parse(field.text, j, value) && std::isfinite(value)) {
            out = value;
            return true;
        }
        const FaultKind kind = kind_of_bad_number(field.text);
        if (is_text_ != nullptr) {
            if (kind == FaultKind::text_value) (*is_text_)[static_cast<std::size_t>(j)] = 1;
            return true;
        }
        if (kind == FaultKind::missing_value && may_be_missing(kinds_[j])) {
            out = std::numeric_limits<double>::quiet_NaN();
            return true;
        }
        return refuse(field, j, fault);
    }

    bool parse(const std::string& text, Index j, double& value) const {
        if (kinds_[j] <= FieldKind::number_or_missing) return parse_number(text, value);
        if (rules_.is_date[static_cast<std::size_t>(j)]) {
            const std::optional<double> days = days_of_date(text);
            value = days.value_or(0);
            return days.has_value();
        }
        const std::optional<std::string> plain = plain_number(text, rules_.style);
        return plain && parse_number(*plain, value);
    }

    bool refuse(const CsvField& field, Index j, Fault& fault) const {
        const bool is_date = rules_.is_date[static_cast<std::size_t>(j)] != 0;
        const bool is_feature = columns_.roles[static_cast<std::size_t>(j)] == Role::feature;
        fault.kind = kind_of_bad_number(field.text);
        double plain = 0;  // a number, but not in the style that was asked for
        if (!rules_.style.is_plain() && parse_number(field.text, plain) && std::isfinite(plain))
            fault.kind = FaultKind::local_number;
        if (fault.kind == FaultKind::missing_value && !is_feature)
            fault.kind = FaultKind::missing_target;
        if (fault.kind == FaultKind::text_value && !is_feature) fault.kind = FaultKind::text_target;
        fault.what = describe_bad_number(field.text);
        if (is_date && !is_missing_word(field.text)) {
            fault.kind = FaultKind::other;
            fault.what = in_quotes(field.text) + " is not a date like 2024-01-31 or 31.01.2024";
        }
        fault.what += in_column(j);
        return false;
    }

    const char* report_ragged(const char* end, const char* last, Index fields, Fault& fault) const {
        while (end != last && *end != '\n') {
            const CsvField field =
                read_csv_field(end + 1, last, columns_.delimiter, columns_.rows_span_lines);
            ++fields;
            if (!field.closed) break;
            end = field.end != last && *field.end == '\r' ? field.end + 1 : field.end;
        }
        fault.column = 0;
        fault.what = "the row has " + std::to_string(fields) +
                     (fields == 1 ? " field" : " fields") + " instead of " +
                     std::to_string(columns_.count());
        return nullptr;
    }

    std::string in_column(Index j) const {
        const std::string& name = columns_.names[static_cast<std::size_t>(j)];
        return name.empty() ? std::string() : " (column " + in_quotes(name) + ")";
    }

    const CsvColumns& columns_;
    const RowRules& rules_;
    const FieldKind* kinds_;
    ChunkTexts& texts_;
    std::vector<char>* is_text_ = nullptr;
};

void carry_over(const std::vector<double>& tile, Index rows, Index first_row,
                const Destinations& destinations) {
    const auto count = static_cast<Index>(destinations.columns.size());
    for (Index j = 0; j < count; ++j) {
        double* const column = destinations.columns[static_cast<std::size_t>(j)];
        if (column == nullptr) continue;
        const double* const from = tile.data() + j;
        for (Index i = 0; i < rows; ++i) column[first_row + i] = from[i * count];
    }
}

// Whether the row, or the header that does not match it, was meant as a comment.
bool may_be_comment(std::string_view row, const CsvColumns& columns) {
    return columns.comment == 0 && (row.starts_with('#') || columns.may_be_comment);
}

// Calls parse(line, fault) for every row of the chunk; it returns the start of the next line.
template <class Parse>
std::optional<Fault> for_each_row(const Chunk& chunk, const CsvColumns& columns,
                                  const Parse& parse) {
    Fault fault;
    fault.line = chunk.first_line;
    const LineRules lines = line_rules(columns);
    for (const char* at = chunk.begin; at != chunk.end;) {
        ++fault.line;
        if (const char* const next = skip_no_row(at, chunk.end, lines)) {
            at = next;
            continue;
        }
        const std::string_view row(at, static_cast<std::size_t>(chunk.end - at));
        at = parse(at, fault);
        if (at != nullptr) {
            if (lines.rows_span_lines) fault.line += lines_in(row.data(), at) - 1;
            continue;
        }
        if (may_be_comment(row, columns)) fault.kind = FaultKind::comment_line;
        return fault;
    }
    return std::nullopt;
}

}  // namespace

Index Dictionary::code(const std::string& word) {
    const auto [place, is_new] = codes.try_emplace(word, static_cast<Index>(words.size()));
    if (is_new) words.push_back(word);
    return place->second;
}

std::optional<Fault> parse_rows(const Chunk& chunk, const RowRules& rules,
                                const Destinations& destinations, ChunkTexts& texts) {
    RowParser parser(rules, texts);
    const Index count = rules.columns.count();
    const Index height = std::min(tile_rows, std::max<Index>(chunk.rows, 1));
    std::vector<double> tile(static_cast<std::size_t>(height * count));
    Index row = chunk.first_row;
    Index filled = 0;
    auto fault = for_each_row(chunk, rules.columns, [&](const char* at, Fault& found) {
        const char* const next = parser.parse(at, chunk.end, tile.data() + filled * count, found);
        if (++filled == height && next != nullptr) {
            carry_over(tile, filled, row, destinations);
            row += filled;
            filled = 0;
        }
        return next;
    });
    if (!fault) carry_over(tile, filled, row, destinations);
    return fault;
}

std::optional<Fault> mark_text_columns(const Chunk& chunk, const RowRules& rules,
                                       std::vector<char>& is_text) {
    ChunkTexts unused;
    RowParser parser(rules, unused);
    parser.mark_texts_in(is_text);
    std::vector<double> row(static_cast<std::size_t>(rules.columns.count()));
    return for_each_row(chunk, rules.columns, [&](const char* at, Fault& found) {
        return parser.parse(at, chunk.end, row.data(), found);
    });
}

}  // namespace sven::io
