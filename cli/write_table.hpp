#pragma once
// Data files of every format that is read.

#include <optional>
#include <string>

#include "cli/output_file.hpp"
#include "sven/sven.hpp"

namespace sven::cli {

// A table to be written: X and, where the format has a place for it, y.
struct TableToWrite {
    const io::Dataset& table;
    const std::vector<double>& y;  // empty: none
    std::string target;            // its name
};

// Whether the format has a place for the target: text tables and svmlight do.
bool has_place_for_target(io::Format format);

// Whether the target goes into the table: it leaves a text table where it has a file of its own,
// but a row of svmlight begins with it.
bool keeps_target(io::Format format, bool has_own_file);

// Throws OutputError; InvalidArgument where the format cannot hold the table.
void write_table(const TableToWrite& table, const std::string& path, OutputFile& file);

// A vector: .npy by its ending, else one number a line.
void write_vector(const std::vector<double>& values, const std::string& path, OutputFile& file);

}  // namespace sven::cli
