#pragma once
// Reading data files into memory that the caller owns, with views for the solver. A file is
// mapped and parsed in parallel; a .npy matrix is used where it lies, without a copy.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sven/matrix.hpp"

namespace sven::io {

// automatic: by the file's ending (.csv .tsv .tab .svm .libsvm .svmlight .npy), else by its
// first bytes.
enum class Format { automatic, csv, tsv, svmlight, npy };

struct ReadOptions {
    Format format = Format::automatic;
    std::optional<std::string> target = {};  // a name, or a 0-based column; none: the last column
    std::optional<std::string> weights_column = {};  // likewise; its values must not be negative
    std::optional<std::string> fold_column = {};     // likewise; a number for each fold
    bool has_response = true;  // false: every column is a feature, y comes from elsewhere
    bool zero_based = false;   // svmlight indices
    int threads = 0;           // 0: OMP_NUM_THREADS, else every core
};

// A table of data. `X` points into `storage`, which may be a mapped file.
struct Dataset {
    MatrixView X;
    std::vector<double> y;                   // empty where the file has none
    std::vector<double> weights;             // empty where none was asked for
    std::vector<double> folds;               // likewise
    std::vector<std::string> feature_names;  // of X's columns; empty: unnamed
    Index first_feature_number = 0;          // of unnamed features: 1 in one-based svmlight
    std::string target_name;                 // empty: unnamed
    bool target_was_guessed = false;         // the last column, since none was named
    bool has_row_names = false;              // a first column without a name was passed over
    std::shared_ptr<const void> storage;
};

// "age", or "x7" where the features have no names.
[[nodiscard]] std::string feature_name(const Dataset& data, Index feature);

// Throws ParseError: "FILE:LINE:COLUMN: what is wrong", where COLUMN counts fields from 1.
[[nodiscard]] Dataset read(const std::string& path, const ReadOptions& options = {});

struct VectorOptions {
    bool nonnegative = false;     // refuse numbers below zero
    bool allow_infinity = false;  // a penalty factor may be infinite
};

// One number a line, or a one-dimensional .npy (of integers too). Throws ParseError.
[[nodiscard]] std::vector<double> read_vector(const std::string& path,
                                              const VectorOptions& options = {});

}  // namespace sven::io
