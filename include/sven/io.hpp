#pragma once
// Reading data files into memory that the caller owns, with views for the solver.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sven/matrix.hpp"

namespace sven::io {

enum class Format { automatic, csv, tsv, svmlight, npy };

struct ReadOptions {
    Format format = Format::automatic;     // by the file's ending
    std::optional<std::string> target;     // a name, or a number (0-based column); last column if none
    std::optional<std::string> weights_column;
    bool has_response = true;              // false: every column is a feature (y comes from elsewhere)
    bool zero_based = false;               // svmlight indices
};

// A table of data. `X` points into `storage`, which may be a mapped file.
struct Dataset {
    MatrixView X;
    std::vector<double> y;                     // empty where the file has none
    std::vector<double> weights;               // empty where none was asked for
    std::vector<std::string> feature_names;    // of X's columns; empty: unnamed
    std::string target_name;                   // empty: unnamed
    bool target_was_guessed = false;           // the last column, since none was named
    std::shared_ptr<void> storage;
};

// Each throws ParseError with file, line and column where there is one.
[[nodiscard]] Dataset read(const std::string& path, const ReadOptions& options = {});

// One number a line, or a one-dimensional .npy.
[[nodiscard]] std::vector<double> read_vector(const std::string& path);

}  // namespace sven::io
