// Chooses the reader of a file.
#include "io/read.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <limits>

#include "io/csv.hpp"
#include "io/csv_columns.hpp"
#include "io/fault.hpp"
#include "io/foreign.hpp"
#include "io/hdf5.hpp"
#include "io/matrix_market.hpp"
#include "io/npy.hpp"
#include "io/npz.hpp"
#include "io/number.hpp"
#include "io/plink.hpp"
#include "io/svmlight.hpp"
#include "io/transpose.hpp"
#include "io/zip.hpp"
#include "sven/error.hpp"
#include "sven/io.hpp"

namespace sven::io {

namespace {

// "1 3:0.5 7:2": a number, then a field with a colon.
bool looks_like_svmlight(const Source& source) {
    const char* const end = next_line(source.begin(), source.end());
    const std::string_view line(source.begin(), static_cast<std::size_t>(end - source.begin()));
    const std::size_t label_end = line.find_first_of(" \t");
    double label = 0;
    return label_end != std::string_view::npos && parse_number(line.substr(0, label_end), label) &&
           line.find(':', label_end) != std::string_view::npos;
}

Format format_by_content(const Source& source) {
    if (has_npy_magic(source)) return Format::npy;
    if (has_zip_magic(source)) return Format::npz;
    if (has_bed_magic(source)) return Format::plink;
    if (has_hdf5_magic(source)) return Format::hdf5;
    if (has_matrix_market_banner(source)) return Format::matrix_market;
    return looks_like_svmlight(source) ? Format::svmlight : Format::csv;
}

// Formats without column names do not accept options that name a column.
void refuse_named_columns(const std::string& path, const ReadOptions& options, const char* format) {
    if (options.drop_missing)
        raise(path, {0, 0, "rows without a value are dropped from tables of text only"});
    const char* what = nullptr;
    if (options.one_hot) what = "texts in";
    if (!options.dates.empty()) what = "dates in";
    if (!options.drop.empty()) what = "columns to drop";
    if (options.id_column) what = "row names";
    if (options.fold_column) what = "folds";
    if (options.offset_column) what = "an offset";
    if (options.weights_column) what = "weights";
    if (options.target && options.needs_target) what = "a target";
    if (what == nullptr) return;
    raise(path,
          {0, 0,
           std::string("the columns of ") + format + " have no names to choose " + what + " by"});
}

// Parts and transposes are views of a whole.
bool needs_mapping(const ReadOptions& options) {
    return options.transpose || options.parts > 1;
}

Dataset read_plain(const std::shared_ptr<const Source>& source, const ReadOptions& options,
                   Format format) {
    const std::string& path = source->path();
    switch (format) {
        case Format::npy:
            refuse_named_columns(path, options, "a .npy file");
            return read_npy(source, needs_mapping(options) ? std::numeric_limits<Index>::max()
                                                           : options.load_limit);
        case Format::npz:
            refuse_named_columns(path, options, "an .npz file");
            return read_npz(*source);
        case Format::plink:
            refuse_named_columns(path, options, "a .bed file");
            return read_plink(source, options);
        case Format::matrix_market:
            refuse_named_columns(path, options, "a Matrix Market file");
            return read_matrix_market(*source);
        default:
            refuse_named_columns(path, options, "an svmlight file");
            return read_svmlight(*source, options);
    }
}

// Of a dense matrix.
void take_part(const ReadOptions& options, Dataset& data) {
    auto& X = std::get<DenseView>(data.X);
    data.all_rows = X.rows;
    data.first_row = X.rows * options.part / options.parts;
    X.rows = X.rows * (options.part + 1) / options.parts - data.first_row;
    const Index entry = bytes_of(X.scalar);
    const Index line = X.layout == Layout::column_major ? 1 : X.stride;
    X.data = static_cast<const char*>(X.data) + data.first_row * line * entry;
}

}  // namespace

std::string feature_name(const Dataset& data, Index feature) {
    if (!data.feature_names.empty()) return data.feature_names[static_cast<std::size_t>(feature)];
    std::string name = "x";
    name += std::to_string(feature + data.first_feature_number);
    return name;
}

Format format_of(const std::string& path) {
    if (hdf5_place(path)) return Format::hdf5;
    std::string name = path;
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (name.ends_with(".gz")) name.resize(name.size() - 3);
    const std::string ending = std::filesystem::path(name).extension().string();
    if (ending == ".csv") return Format::csv;
    if (ending == ".tsv" || ending == ".tab") return Format::tsv;
    if (ending == ".svm" || ending == ".libsvm" || ending == ".svmlight") return Format::svmlight;
    if (ending == ".mtx" || ending == ".mm") return Format::matrix_market;
    if (ending == ".npy") return Format::npy;
    if (ending == ".npz") return Format::npz;
    if (ending == ".bed") return Format::plink;
    return Format::automatic;
}

Dataset read(const std::shared_ptr<const Source>& source, const ReadOptions& options) {
    refuse_foreign(*source);
    if (options.parts > 1 && (options.one_hot || options.impute_mean || options.transpose))
        raise(
            source->path(),
            {0, 0, "texts, means and transposed tables need all rows: they are not read in parts"});
    Format format = options.format;
    if (format == Format::automatic) format = format_by_content(*source);
    if (format == Format::hdf5) return read_hdf5(source->path(), options);
    if (format == Format::tsv) return read_csv(*source, options, '\t');
    if (format == Format::csv) return read_csv(*source, options);
    if (options.transpose && format == Format::svmlight)
        raise(source->path(), {0, 0, "an svmlight file has samples in its rows by definition"});
    if (options.parts > 1 && format != Format::npy)
        raise(source->path(), {0, 0, "only tables of text and .npy matrices are read in parts"});
    if (options.transpose && format == Format::plink)
        raise(source->path(), {0, 0, "a .bed file has people in its rows by definition"});
    Dataset data = read_plain(source, options, format);
    if (options.parts > 1) take_part(options, data);
    if (options.transpose) data.X = transposed(data.X);
    return data;
}

Dataset read(const std::string& path, const ReadOptions& options) {
    ReadOptions known = options;
    if (known.format == Format::automatic) known.format = format_of(path);
    if (known.format == Format::hdf5) return read_hdf5(path, known);
    return read(std::make_shared<const Source>(path), known);
}

}  // namespace sven::io
