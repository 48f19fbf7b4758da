#include "cli/write_table.hpp"

#include <fmt/format.h>

#include <iterator>

#include "cli/csv_text.hpp"
#include "cli/matrix_lines.hpp"
#include "cli/sink.hpp"
#include "sven/numpy_file.hpp"

namespace sven::cli {

namespace {

template <class Number>
std::string_view bytes_of(const std::vector<Number>& numbers) {
    return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number)};
}

bool is_sparse(const TableToWrite& table) {
    return std::holds_alternative<SparseView>(table.table.X);
}

void write_text_table(const TableToWrite& table, char delimiter, Sink& sink) {
    const Lines rows(table.table.X, Compression::rows);
    const auto& names = table.table.row_names;
    std::string& text = sink.buffer();
    if (!names.empty()) text += std::string("id") + delimiter;
    for (Index j = 0; j < rows.length(); ++j) {
        if (j > 0) text += delimiter;
        text += csv_field(io::feature_name(table.table, j), delimiter);
    }
    if (!table.y.empty()) text += delimiter + csv_field(table.target, delimiter);
    text += '\n';
    std::vector<Entry> row;
    for (Index i = 0; i < rows.count(); ++i) {
        rows.read(i, row);
        if (!names.empty())
            text += csv_field(names[static_cast<std::size_t>(i)], delimiter) + delimiter;
        auto entry = row.begin();
        for (Index j = 0; j < rows.length(); ++j) {
            if (j > 0) text += delimiter;
            const bool is_stored = entry != row.end() && entry->position == j;
            if (is_stored)
                fmt::format_to(std::back_inserter(text), "{}", (entry++)->value);
            else
                text += '0';
        }
        if (!table.y.empty())
            fmt::format_to(std::back_inserter(text), "{}{}", delimiter, table.y[i]);
        text += '\n';
        sink.settle();
    }
}

void write_svmlight(const TableToWrite& table, Sink& sink) {
    const Lines rows(table.table.X, Compression::rows);
    std::vector<Entry> row;
    for (Index i = 0; i < rows.count(); ++i) {
        rows.read(i, row);
        const auto out = std::back_inserter(sink.buffer());
        fmt::format_to(out, "{}", table.y[i]);
        for (const Entry& entry : row)
            fmt::format_to(out, " {}:{}", entry.position + 1, entry.value);
        // The last column may be empty: without an entry the file would have one column less.
        if (i == 0 && (row.empty() || row.back().position != rows.length() - 1))
            fmt::format_to(out, " {}:0", rows.length());
        sink.write("\n");
    }
}

void write_matrix_market(const TableToWrite& table, Sink& sink) {
    const Lines columns(table.table.X, Compression::columns);
    const bool sparse = is_sparse(table);
    sink.write(fmt::format("%%MatrixMarket matrix {} real general\n{} {}{}\n",
                           sparse ? "coordinate" : "array", columns.length(), columns.count(),
                           sparse ? fmt::format(" {}", columns.stored()) : ""));
    std::vector<Entry> column;
    for (Index j = 0; j < columns.count(); ++j) {
        columns.read(j, column);
        const auto out = std::back_inserter(sink.buffer());
        auto entry = column.begin();
        for (Index i = 0; i < columns.length() && !sparse; ++i) {
            const bool is_stored = entry != column.end() && entry->position == i;
            fmt::format_to(out, "{}\n", is_stored ? (entry++)->value : 0.0);
        }
        for (; entry != column.end(); ++entry)
            fmt::format_to(out, "{} {} {}\n", entry->position + 1, j + 1, entry->value);
        sink.settle();
    }
}

void write_npy(const TableToWrite& table, Sink& sink) {
    const Lines columns(table.table.X, Compression::columns);
    sink.write(io::npy_header("<f8", true, {columns.length(), columns.count()}));
    std::vector<Entry> column;
    std::vector<double> dense(static_cast<std::size_t>(columns.length()));
    for (Index j = 0; j < columns.count(); ++j) {
        columns.read(j, column);
        dense.assign(dense.size(), 0.0);
        for (const Entry& entry : column) dense[entry.position] = entry.value;
        sink.write(bytes_of(dense));
    }
}

// As scipy.sparse.save_npz(compressed=False) writes compressed columns.
void write_npz(const TableToWrite& table, Sink& sink) {
    const Lines columns(table.table.X, Compression::columns);
    std::vector<std::int32_t> indices;
    std::vector<std::int64_t> offsets = {0};
    std::vector<double> values;
    std::vector<Entry> column;
    for (Index j = 0; j < columns.count(); ++j) {
        columns.read(j, column);
        for (const Entry& entry : column) {
            indices.push_back(static_cast<std::int32_t>(entry.position));
            values.push_back(entry.value);
        }
        offsets.push_back(static_cast<std::int64_t>(values.size()));
    }
    const std::vector<std::int64_t> shape = {columns.length(), columns.count()};
    const auto size = [](const auto& list) { return static_cast<Index>(list.size()); };
    io::NpzWriter archive([&](std::string_view bytes) { sink.write(bytes); });
    archive.add("indices", "<i4", {size(indices)}, bytes_of(indices));
    archive.add("indptr", "<i8", {size(offsets)}, bytes_of(offsets));
    archive.add("format", "|S3", {}, "csc");
    archive.add("shape", "<i8", {2}, bytes_of(shape));
    archive.add("data", "<f8", {size(values)}, bytes_of(values));
    archive.finish();
}

}  // namespace

bool has_place_for_target(io::Format format) {
    return format == io::Format::csv || format == io::Format::tsv || format == io::Format::svmlight;
}

bool keeps_target(io::Format format, bool has_own_file) {
    return has_place_for_target(format) && (!has_own_file || format == io::Format::svmlight);
}

void write_table(const TableToWrite& table, const std::string& path, OutputFile& file) {
    Sink sink(file, path.ends_with(".gz"));
    switch (io::format_of(path)) {
        case io::Format::tsv:
            write_text_table(table, '\t', sink);
            break;
        case io::Format::svmlight:
            write_svmlight(table, sink);
            break;
        case io::Format::matrix_market:
            write_matrix_market(table, sink);
            break;
        case io::Format::npy:
            write_npy(table, sink);
            break;
        case io::Format::npz:
            write_npz(table, sink);
            break;
        default:
            write_text_table(table, ',', sink);
            break;
    }
    sink.finish();
}

void write_vector(const std::vector<double>& values, const std::string& path, OutputFile& file) {
    Sink sink(file, path.ends_with(".gz"));
    if (io::format_of(path) == io::Format::npy) {
        sink.write(io::npy_header("<f8", false, {static_cast<Index>(values.size())}));
        sink.write(bytes_of(values));
    } else {
        for (const double value : values) sink.write(fmt::format("{}\n", value));
    }
    sink.finish();
}

}  // namespace sven::cli
