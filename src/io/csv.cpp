#include "io/csv.hpp"

#include <algorithm>
#include <memory>

#include "io/csv_columns.hpp"
#include "io/number.hpp"

namespace sven::io {

namespace {

// Rows are parsed into a small row-major tile and carried over to the columns eight at a time:
// one cache line of each column, instead of one number in each of p lines.
constexpr Index tile_rows = 8;

class RowParser {
  public:
    explicit RowParser(const CsvColumns& columns) : columns_(columns) {}

    // Parses the row at `first` into out[0 .. columns). Returns where the next line begins, or
    // nullptr with the fault's column and text set.
    const char* parse(const char* first, const char* last, double* out, Fault& fault) const {
        const Index count = columns_.count();
        for (Index j = 0; j < count; ++j) {
            const char* const end = parse_field(first, last, j, out, fault);
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
    // A carriage return counts as part of the line end, and nowhere else.
    static const char* after_carriage_return(const char* at, const char* last) {
        return at + 1 == last || at[1] == '\n' ? at + 1 : at;
    }

    bool ends_field(const char* at, const char* last) const {
        return at == last || *at == columns_.delimiter || *at == '\n';
    }

    // Returns the delimiter or line end after the field, nullptr on a fault.
    const char* parse_field(const char* first, const char* last, Index j, double* out,
                            Fault& fault) const {
        const bool is_skipped = columns_.roles[static_cast<std::size_t>(j)] == Role::skipped;
        if (!is_skipped) {
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
        return parse_odd_field(first, last, j, is_skipped ? nullptr : out, fault);
    }

    // Quotes, spaces, missing values, text: everything that is not a plain number.
    const char* parse_odd_field(const char* first, const char* last, Index j, double* out,
                                Fault& fault) const {
        const CsvField field = read_csv_field(first, last, columns_.delimiter, false);
        fault.column = j + 1;
        if (!field.closed) {
            fault.what = "the quote is not closed" + in_column(j);
            return nullptr;
        }
        if (out != nullptr) {
            double value = 0;
            if (!parse_number(field.text, value) || !std::isfinite(value)) {
                fault.what = describe_bad_number(field.text) + in_column(j);
                return nullptr;
            }
            out[j] = value;
        }
        return field.end != last && *field.end == '\r' ? field.end + 1 : field.end;
    }

    const char* report_ragged(const char* end, const char* last, Index fields, Fault& fault) const {
        while (end != last && *end != '\n') {
            const CsvField field = read_csv_field(end + 1, last, columns_.delimiter, false);
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
        return name.empty() ? std::string() : " (column " + quoted(name) + ")";
    }

    const CsvColumns& columns_;
};

// Where each column of the file goes; nullptr: nowhere.
struct Destinations {
    std::vector<double*> columns;
};

void carry_over(const std::vector<double>& tile, Index rows, Index first_row,
                const Destinations& destinations) {
    const Index count = static_cast<Index>(destinations.columns.size());
    for (Index j = 0; j < count; ++j) {
        double* const column = destinations.columns[static_cast<std::size_t>(j)];
        if (column == nullptr) continue;
        const double* const from = tile.data() + j;
        for (Index i = 0; i < rows; ++i) column[first_row + i] = from[i * count];
    }
}

// A blank line may be a missing value where rows have a single field.
bool may_skip_blank_lines(const CsvColumns& columns) {
    return columns.count() > 1;
}

std::optional<Fault> parse_chunk(const Chunk& chunk, const CsvColumns& columns,
                                 const Destinations& destinations) {
    const RowParser parser(columns);
    const Index height = std::min(tile_rows, std::max<Index>(chunk.rows, 1));
    std::vector<double> tile(static_cast<std::size_t>(height * columns.count()));
    Index row = chunk.first_row;
    Index filled = 0;
    Fault fault;
    fault.line = chunk.first_line;
    for (const char* at = chunk.begin; at != chunk.end;) {
        ++fault.line;
        if (may_skip_blank_lines(columns)) {
            if (const char* const next = skip_blank_line(at, chunk.end)) {
                at = next;
                continue;
            }
        }
        at = parser.parse(at, chunk.end, tile.data() + filled * columns.count(), fault);
        if (at == nullptr) return fault;
        if (++filled == height) {
            carry_over(tile, filled, row, destinations);
            row += filled;
            filled = 0;
        }
    }
    carry_over(tile, filled, row, destinations);
    return std::nullopt;
}

Index number_rows(std::vector<Chunk>& chunks, const CsvColumns& columns, int threads) {
    const bool skip_blank = may_skip_blank_lines(columns);
    (void)for_each_chunk(chunks.size(), threads, [&](std::size_t k) -> std::optional<Fault> {
        Chunk& chunk = chunks[k];
        for (const char* at = chunk.begin; at != chunk.end; ++chunk.lines) {
            const char* const next = skip_blank ? skip_blank_line(at, chunk.end) : nullptr;
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

// Each field takes a byte and a delimiter. Fewer bytes than that mean a ragged row somewhere:
// find it before memory is asked for in its name.
bool fits(Index rows, const CsvColumns& columns, std::size_t bytes) {
    const Index per_row = 2 * columns.count() - 1 - (columns.has_row_names ? 1 : 0);
    return rows <= (static_cast<Index>(bytes) + 1) / std::max<Index>(per_row, 1);
}

void parse_all(const Source& source, const std::vector<Chunk>& chunks, const CsvColumns& columns,
               const Destinations& destinations, int threads) {
    const auto fault = for_each_chunk(chunks.size(), threads, [&](std::size_t k) {
        return parse_chunk(chunks[k], columns, destinations);
    });
    if (fault) raise(source.path(), *fault);
}

Dataset describe(const CsvColumns& columns) {
    Dataset data;
    for (std::size_t j = 0; j < columns.names.size(); ++j) {
        if (columns.roles[j] == Role::feature) data.feature_names.push_back(columns.names[j]);
        if (columns.roles[j] == Role::target) data.target_name = columns.names[j];
    }
    data.target_was_guessed = columns.target_was_guessed;
    data.has_row_names = columns.has_row_names;
    return data;
}

}  // namespace

Dataset read_csv(const Source& source, const ReadOptions& options, char delimiter,
                 std::size_t chunk_size) {
    source.expect_one_sequential_pass();
    const CsvColumns columns = read_csv_columns(source, options, delimiter);
    auto chunks = split_at_lines(columns.data, source.end(), {options.threads, chunk_size});
    const Index rows = number_rows(chunks, columns, options.threads);
    if (rows == 0) raise(source.path(), {0, 0, "there is a header, but no rows"});

    Destinations destinations{std::vector<double*>(columns.names.size(), nullptr)};
    if (!fits(rows, columns, static_cast<std::size_t>(source.end() - columns.data))) {
        parse_all(source, chunks, columns, destinations, 1);
    }
    Dataset data = describe(columns);
    const auto features = static_cast<Index>(data.feature_names.size());
    const std::shared_ptr<double[]> block(new double[static_cast<std::size_t>(rows * features)]);
    if (columns.target >= 0) data.y.resize(static_cast<std::size_t>(rows));
    if (columns.weights >= 0) data.weights.resize(static_cast<std::size_t>(rows));
    if (options.fold_column) data.folds.resize(static_cast<std::size_t>(rows));
    double* next = block.get();
    for (std::size_t j = 0; j < columns.roles.size(); ++j) {
        if (columns.roles[j] == Role::target) destinations.columns[j] = data.y.data();
        if (columns.roles[j] == Role::weights) destinations.columns[j] = data.weights.data();
        if (columns.roles[j] == Role::folds) destinations.columns[j] = data.folds.data();
        if (columns.roles[j] != Role::feature) continue;
        destinations.columns[j] = next;
        next += rows;
    }
    parse_all(source, chunks, columns, destinations, options.threads);
    data.X = column_major(block.get(), rows, features);
    data.storage = block;
    return data;
}

}  // namespace sven::io
