#pragma once
// Reading data files into memory that the caller owns, with views for the solver. A file is mapped
// and parsed in parallel; a .npy matrix is used in place, without a copy. gzip files are
// decompressed in memory; the path "-" is standard input. An array of an HDF5 file is named after a
// colon, "data.h5:/group/name".

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sven/error.hpp"
#include "sven/export.h"
#include "sven/matrix.hpp"

namespace sven::io {

// automatic: by the file's ending (.csv .tsv .tab .svm .libsvm .svmlight .mtx .npy .npz .bed .h5
// .hdf5 .h5ad .mat, each of the text ones also with .gz), else by its first bytes.
enum class Format { automatic, csv, tsv, svmlight, matrix_market, npy, npz, plink, hdf5 };

// Whether this build reads HDF5.
[[nodiscard]] SVEN_API bool has_hdf5();

// Of a variant: the one that the entries count, and the other.
struct Alleles {
    std::string counted;
    std::string other;
};

// How the columns of a table became features: a model needs this to treat new rows the same way.
struct Encoding {
    struct Levels {
        std::string column;
        std::vector<std::string> levels;  // sorted; each has a feature
        bool has_reference = false;       // the first has none, its rows are zero in all others
    };
    std::vector<Levels> one_hot;
    std::vector<std::pair<std::string, double>> means;  // of features with missing values
    std::vector<std::string> dates;                     // columns of dates

    [[nodiscard]] bool empty() const { return one_hot.empty() && means.empty() && dates.empty(); }
};

struct ReadOptions {
    Format format = Format::automatic;
    std::optional<std::string> target = {};  // a name, or a 0-based column; none: the last column
    std::optional<std::string> weights_column = {};  // likewise; its values must not be negative
    std::optional<std::string> fold_column = {};     // likewise; any number or text for each fold
    std::optional<std::string> offset_column = {};   // likewise; a known part of the target
    // likewise, beside a target that counts successes; not looked for where the target is missing
    std::optional<std::string> failures_column = {};
    std::optional<std::string> id_column = {};  // likewise; names of the rows, any text
    std::vector<std::string> drop = {};         // columns to skip
    bool has_response = true;         // false: every column is a feature, y is given separately
    bool needs_target = true;         // false: a missing `target` is ignored
    bool target_may_be_text = false;  // then `y` holds places among Dataset::target_levels
    bool transpose = false;           // features in the rows of the file, named by its first column
    bool impute_mean = false;         // missing values become the mean of their feature
    // A column of texts becomes 0/1 features, one for each level; a missing text is a level too.
    bool one_hot = false;
    std::vector<std::string> one_hot_columns = {};  // these alone, also if they hold numbers
    bool one_hot_drop_first = false;                // no feature for the first level
    std::vector<std::string> dates = {};            // columns of dates: days since 1970-01-01
    char decimal = '.';                             // the decimal mark: '.' or ','
    char thousands = 0;         // separates groups of three digits; 0: nothing does
    bool drop_missing = false;  // rows are left out that lack a value which nothing fills in
    bool target_may_be_missing = false;  // then NaN
    bool zero_based = false;             // svmlight indices
    char comment = 0;          // CSV and TSV: lines that begin with it are skipped; 0: none are
    Index least_features = 0;  // svmlight: the least number of columns
    int threads = 0;           // 0: default_threads() (sven/build.hpp)
    // A share of the rows, `part` of `parts` counted from 0: tables are cut at line ends into about
    // as many bytes each, .npy matrices into about as many rows; others are not read in parts. A
    // part of a table may have no rows.
    Index part = 0;
    Index parts = 1;
    // PLINK: the allele that entries count; tables with a column IID that have the phenotypes
    // (none: the .fam file does) and covariates, which become columns after the variants. Who lacks
    // a value of them is left out.
    Allele counted_allele = Allele::a1;
    std::optional<std::string> phenotypes = {};
    std::optional<std::string> phenotype_name = {};  // none: the only column
    std::optional<std::string> covariates = {};
    // HDF5: `target`, `weights_column`, `fold_column` and `offset_column` name arrays of the file.
    // A matrix that cannot be used where it lies, since it is in chunks or of another type of
    // numbers, is loaded up to this number of bytes (0: 1 GiB); a larger one is read by blocks of
    // columns in every pass: X is then a BlockedMatrix.
    Index load_limit = 0;
    // From a model: columns that are not among its features are skipped, and texts and missing
    // values are treated as when it was fitted.
    const std::vector<std::string>* features = nullptr;
    const Encoding* encoding = nullptr;
};

// A table of data. `X` points into `storage`, which may be a mapped file.
struct Dataset {
    MatrixView X;
    std::vector<double> y;                   // empty if the file has none
    std::vector<std::string> target_levels;  // sorted, if the target is text and may be
    std::vector<double> weights;             // empty if not requested
    std::vector<double> folds;               // likewise
    std::vector<std::string> fold_levels;    // sorted, if they are texts; `folds` are places
    std::vector<double> offset;              // likewise
    std::vector<double> failures;            // likewise
    std::vector<std::string> feature_names;  // of X's columns; empty: unnamed
    std::vector<std::string> row_names;      // empty: unnamed
    std::vector<std::string> ignored;        // columns that were skipped
    std::vector<Alleles> alleles;            // of the variants
    Index covariates = 0;                    // columns after the variants
    std::vector<std::string> remarks;        // people that one file has and another has not
    Encoding encoding;
    Index imputed = 0;                // missing values that were replaced
    Index dropped_rows = 0;           // rows left out for lack of a value
    Index first_row = 0;              // of a part of a .npy matrix
    Index all_rows = 0;               // of the .npy matrix that it is a part of
    Index first_feature_number = 0;   // of unnamed features: 1 in one-based svmlight
    std::string target_name;          // empty: unnamed
    bool target_was_guessed = false;  // the last column, by default
    bool has_row_names = false;       // an unnamed first column held the row names
    std::shared_ptr<const void> storage;
};

// Texts where they do not belong, for those who can give advice.
struct SVEN_API TextTarget : TextValue {  // in the target or the weights
    using TextValue::TextValue;
};
struct SVEN_API LocalNumber : TextValue {  // a decimal comma, or separated thousands
    using TextValue::TextValue;
};
// A missing value that is not a feature's.
struct SVEN_API MissingTarget : MissingValue {
    using MissingValue::MissingValue;
};

// "age", or "x7" if the features have no names.
[[nodiscard]] SVEN_API std::string feature_name(const Dataset& data, Index feature);

// Throws ParseError: "FILE:LINE:COLUMN: what is wrong", where COLUMN counts fields from 1.
[[nodiscard]] SVEN_API Dataset read(const std::string& path, const ReadOptions& options = {});

// The format by the ending of a path.
[[nodiscard]] SVEN_API Format format_of(const std::string& path);

struct VectorOptions {
    bool nonnegative = false;     // reject negative numbers
    bool allow_infinity = false;  // a penalty factor may be infinite
    char comment = 0;             // text: lines that begin with it are skipped; 0: none are
};

// One number per line, a CSV file with one column, or a one-dimensional .npy (also of integers).
// Throws ParseError.
[[nodiscard]] SVEN_API std::vector<double> read_vector(const std::string& path,
                                                       const VectorOptions& options = {});

}  // namespace sven::io
